package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer"
)

// taste is a simulated rater with a hidden favourite. Utilities are in units of the noise of an answer.
type taste struct {
	space prefer.Space
	items []prefer.Item
	worth []func(prefer.Option) float64 // one for each parameter or feature; the utility is their sum
	rng   *rand.Rand                    // the noise of the answers
	best  prefer.Option                 // the favourite
}

const (
	peakWorth   = 4.0 // utility lost by half the range of a parameter that matters
	choiceWorth = 1.5 // standard deviation of the utilities of choices
	cannotTell  = 0.4 // noisy differences below are ties
)

// newTaste draws a taste for the options of a study.
func newTaste(study *prefer.Study, seed uint64) *taste {
	rng := rand.New(rand.NewPCG(seed, 0x7a57e))
	t := &taste{space: study.Config().Space, items: study.Items(), rng: rng, best: prefer.Option{}}
	for _, p := range t.space.Parameters {
		switch p.Type {
		case "categorical", "bool":
			t.addChoice(p)
		default:
			at := 0.2 + 0.6*rng.Float64()
			matters := peakWorth * (0.25 + 0.75*rng.Float64())
			t.worth = append(t.worth, func(o prefer.Option) float64 {
				u, _ := place(p, o[p.Name])
				return -matters * math.Pow((u-at)/0.5, 2)
			})
			t.best[p.Name] = valueAt(p, at)
		}
	}
	if len(t.items) > 0 {
		t.addItems()
	}
	return t
}

// addChoice gives every choice a worth of its own.
func (t *taste) addChoice(p prefer.Parameter) {
	values := p.Choices
	if p.Type == "bool" {
		values = []prefer.Value{prefer.ValueOf(false), prefer.ValueOf(true)}
	}
	worth := map[prefer.Value]float64{}
	for i, v := range values {
		worth[v] = choiceWorth * t.rng.NormFloat64()
		if i == 0 || worth[v] > worth[t.best[p.Name]] {
			t.best[p.Name] = v
		}
	}
	t.worth = append(t.worth, func(o prefer.Option) float64 { return worth[o[p.Name]] })
}

// addItems gives every item a worth: by a slope along each of its features that is a number, and a little of
// its own.
func (t *taste) addItems() {
	slope := map[string]float64{}
	worth := map[string]float64{}
	for _, name := range numbers(t.items) {
		low, high := math.Inf(1), math.Inf(-1)
		for _, item := range t.items {
			v := item.Features[name].Float()
			low, high = math.Min(low, v), math.Max(high, v)
		}
		slope[name] = 4 * choiceWorth * t.rng.NormFloat64() / math.Max(high-low, 1e-9)
	}
	for i, item := range t.items {
		own := choiceWorth
		if len(slope) > 0 {
			own = 0.3
		}
		worth[item.ID] = own * t.rng.NormFloat64()
		for _, name := range numbers(t.items) {
			worth[item.ID] += slope[name] * item.Features[name].Float()
		}
		if i == 0 || worth[item.ID] > worth[t.best.Item()] {
			t.best = prefer.ItemOption(item.ID)
		}
	}
	t.worth = append(t.worth, func(o prefer.Option) float64 { return worth[o.Item()] })
}

// numbers lists the features of items that are numbers, in a fixed order.
func numbers(items []prefer.Item) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(items[0].Features)) {
		if !math.IsNaN(items[0].Features[name].Float()) {
			out = append(out, name)
		}
	}
	return out
}

// utility is what an option is worth.
func (t *taste) utility(o prefer.Option) float64 {
	var u float64
	for _, worth := range t.worth {
		u += worth(o)
	}
	return u
}

// answer hears the difference of the two options through noise, as the model has it.
func (t *taste) answer(q turn, offered prefer.Answers) prefer.Answer {
	a := prefer.Answer{Choice: prefer.First, Swapped: q.swapped}
	g := t.utility(q.First) - t.utility(q.Second) + t.rng.NormFloat64()
	switch {
	case math.Abs(g) < cannotTell && !offered.Forced:
		a.Choice = prefer.Tie
	case g < 0:
		a.Choice = prefer.Second
	}
	return a
}

const compared = 2000 // random options that a pick is compared with

// nearness says how near a pick came to the favourite.
func (t *taste) nearness(pick prefer.Option) string {
	if len(t.items) > 0 {
		rank := 1
		for _, item := range t.items {
			if t.utility(prefer.ItemOption(item.ID)) > t.utility(pick) {
				rank++
			}
		}
		if rank == 1 {
			return fmt.Sprintf("the pick is the favourite, of %d", len(t.items))
		}
		return fmt.Sprintf("the pick is number %d of %d by the hidden taste", rank, len(t.items))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	worse := 0
	for range compared {
		if t.utility(randomOption(t.space, rng)) < t.utility(pick) {
			worse++
		}
	}
	// Pr(the favourite wins) = Φ(gap), the gap being in units of the noise.
	wins := 0.5 * math.Erfc(-(t.utility(t.best)-t.utility(pick))/math.Sqrt2)
	return fmt.Sprintf("the pick is better than %.1f %% of all options; in a blind test the favourite itself would win %.0f times in 100",
		100*float64(worse)/compared, 100*wins)
}

// randomOption draws every parameter at random, constraints not considered.
func randomOption(s prefer.Space, rng *rand.Rand) prefer.Option {
	o := prefer.Option{}
	for _, p := range s.Parameters {
		o[p.Name] = valueAt(p, rng.Float64())
	}
	return o
}

// valueAt returns the value of a parameter at a place of its range from 0 to 1; of choices the one whose share
// of it that is.
func valueAt(p prefer.Parameter, at float64) prefer.Value {
	switch p.Type {
	case "bool":
		return prefer.ValueOf(at >= 0.5)
	case "categorical", "ordinal":
		return p.Choices[min(int(at*float64(len(p.Choices))), len(p.Choices)-1)]
	}
	v := p.Low + at*(p.High-p.Low)
	if p.Log {
		v = p.Low * math.Pow(p.High/p.Low, at)
	}
	if p.Type == "int" {
		step := math.Max(p.Step, 1)
		v = p.Low + step*math.Round((v-p.Low)/step)
		if v > p.High {
			v -= step
		}
	}
	return prefer.ValueOf(v)
}
