package problem

import (
	"fmt"
	"math"
	"strings"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// Reply is what a rater of a taste says to a question, by the name of the choice.
type Reply string

const (
	First   Reply = "first"
	Second  Reply = "second"
	Tie     Reply = "tie"
	BothBad Reply = "both_bad"
	Skip    Reply = "skip"
)

// TasteRater answers questions about a taste.
type TasteRater struct {
	Name  string
	Rater         // of no problem; its noise is also on a utility that is held against Level
	Skips float64 // share of questions that are passed over
	Level float64 // both options below it are both bad
	Bad   bool    // says both bad whatever is shown
}

type raterKind struct {
	name                       string
	link                       Link
	noise, lapse, delta, skips float64
	level                      float64 // quantile of utilities that is the level; 0 for none, above 1 for one that nothing reaches
	bad                        bool
	clearly                    Clearly
}

// raterKinds are the people who answer, in units of the noise of an ordinary one. Those who grade do so where a study offers it.
var raterKinds = []raterKind{
	{name: "exact"},
	{name: "exact ties", delta: 0.5}, // a tie where an ordinary rater who ties would mean one
	{name: "ordinary", noise: 1},
	{name: "logistic", noise: 1, link: Logistic}, // as much variance, and more slips where the difference is plain
	{name: "ties", noise: 1, delta: 0.5},
	{name: "ties often", noise: 1, delta: 2},
	{name: "careless", noise: 3, lapse: 0.1},
	{name: "careless ties", noise: 3, lapse: 0.1, delta: 1.5},
	{name: "skips", noise: 1, skips: 0.25},
	{name: "level", noise: 1, level: 0.35},          // both bad if the better one is in the worst 35 % of options: a sixth of random pairs
	{name: "hard to please", noise: 1, level: 0.95}, // unless one is in the best 5 %
	{name: "displeased", noise: 1, level: 2},        // unless one is better than the best by three times the noise: there is none
	{name: "always bad", noise: 1, bad: true},
	{name: "random", lapse: 1},
	{name: "clearly", noise: 1, clearly: ClearBeyond}, // beyond the median difference of random options
	{name: "clearly ties", noise: 1, delta: 0.5, clearly: ClearBeyond},
	{name: "clearly of seen", noise: 1, delta: 0.5, clearly: ClearOfSeen}, // beyond the median difference of what was shown before
	{name: "always clearly", noise: 1, delta: 0.5, clearly: ClearAlways},
	{name: "clearly by chance", noise: 1, delta: 0.5, clearly: ClearByChance},
}

// TasteRaters returns the names of the kinds of raters.
func TasteRaters() []string {
	return xslices.Map(raterKinds, func(k raterKind) string { return k.name })
}

// Rater returns a rater of that kind: one of [TasteRaters].
//
// The noise of an ordinary rater is [Taste.Sigma], at which a tenth of the answers about random options are wrong. Among the best quarter it is then a third
// in one dimension, 29 % in two, 26 % in three, 23 % in five (medians of the smooth families, TestOrdinaryNoise): a taste with a flat top has more options
// that are hard to tell apart. One rate of the two has to give, and the one about random options is what a person can be asked to judge by.
func (t *Taste) Rater(kind string) (TasteRater, error) {
	for _, k := range raterKinds {
		if k.name != kind {
			continue
		}
		noise := Rater{Link: k.link, Sigma: k.noise * t.Sigma, Lapse: k.lapse, Delta: k.delta * t.Sigma, Grading: Grading{Clearly: k.clearly}}
		r := TasteRater{Name: kind, Rater: noise, Skips: k.skips, Level: math.Inf(-1), Bad: k.bad}
		if k.clearly == ClearBeyond {
			r.Cut = MedianOf(t.sample)
		}
		if k.level > 1 {
			r.Level = t.Max + 3*t.Sigma
		} else if k.level > 0 {
			r.Level = t.sample[int(k.level*float64(len(t.sample)))]
		}
		return r, nil
	}
	return TasteRater{}, fmt.Errorf("problem: unknown rater %q; known are %s", kind, strings.Join(TasteRaters(), ", "))
}

// Answer returns the reply to question number answer about options of utilities f1 and f2, in the mood of a seed. Equal
// utilities and no noise are a coin, unless ties are said.
func (r TasteRater) Answer(f1, f2 float64, seed, answer uint64) Reply {
	reply, _ := r.Compare(f1, f2, seed, answer)
	return reply
}

// Compare is Answer, with how clear a preference is: 0, or 1 for "clearly". The rater remembers it.
func (r *TasteRater) Compare(f1, f2 float64, seed, answer uint64) (Reply, int) {
	d, mood := At(seed, answer), At(^seed, answer)
	switch {
	case mood.Uniform < r.Skips:
		return Skip, 0
	case r.Bad || max(f1, f2)+r.Sigma*mood.Normal < r.Level:
		return BothBad, 0
	case d.Uniform < r.Lapse: // never a tie
		reply := Second
		if d.Uniform < r.Lapse/2 {
			reply = First
		}
		return reply, r.Strength(r.difference(f1, f2, d), true, d)
	}
	return r.Rater.Compare(f1, f2, d)
}

// Chooses returns the probability that the rater takes an option of utility f1 over one of f2, if made to choose,
//
//	(1 − lapse)·F((f₁ − f₂)/σ) + lapse/2,   F the law of the noise.
func (r TasteRater) Chooses(f1, f2 float64) float64 {
	switch d := f1 - f2; {
	case r.Lapse == 1 || d == 0:
		return 0.5
	case r.Sigma > 0:
		return r.Lapse/2 + (1-r.Lapse)*r.Link.cdf(d/r.Sigma)
	case d > 0:
		return 1
	}
	return 0
}

const wrongShare = 0.1 // the share of wrong answers of an ordinary rater about random options

// noiseAt solves E Φ(−|f − f'|/σ) = rate for σ, over pairs of different utilities: equal utilities have no wrong answer. It is 0 if all are the same.
func noiseAt(values []float64, rate float64) float64 {
	width := values[len(values)-1] - values[0]
	if !(width > 0) {
		return 0
	}
	diffs := differences(values)
	lo, hi := math.Log(width)-30, math.Log(width)+10
	for hi-lo > 1e-4 {
		if mid := (lo + hi) / 2; wrong(diffs, math.Exp(mid)) < rate {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Exp((lo + hi) / 2)
}

// wrong returns the share of answers about different utilities that are wrong under noise σ.
func wrong(diffs []float64, sigma float64) float64 {
	sum, pairs := 0.0, 0.0
	for _, diff := range diffs {
		if diff > 0 {
			sum += math.Erfc(diff/sigma/math.Sqrt2) / 2
			pairs++
		}
	}
	return sum / max(pairs, 1)
}
