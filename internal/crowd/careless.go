package crowd

import (
	"math"
	"slices"
	"time"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/normal"
)

// A rater is called careless by one number, the log of how much likelier their answers are of a rater who does not look than of one
// who answers by taste (docs/guides/people.md has how the rule did with simulated people):
//
//	Odds = log p(sides | careless) − log p(choices | taste) − log p(catch | taste) + quick
//
// Careless: left with probability θ, whatever is shown, θ being ½ or anything, at even odds:
//
//	p = ½ 2^{−n} + ½ B(k + ½, n − k + ½)/B(½, ½)     for k of n preferences on the left.
//
// Taste is that of the model, or one in twenty times one that no model foresees, of which all that can be told is that the rater says the
// same again: a of r pairs that came twice, with a probability of Beta(4, 1), and else a coin,
//
//	p = 0.95 p(choices | model) + 0.05 · 2^{r − n} · 4 B(a + 4, r − a + 1).
//
// Where raters have utilities of their own, p(choices | model) is the evidence of the rater's answers, and the probability of each check given those (a catch
// question of an older log, which does not have the right answer). Where they share one, it is given the answers of the others, or by a taste of the rater's
// own, at odds of 4:1, with a noise of a half, once or twice the study's. So a rater with another taste than the others is not called careless. Whatever the
// taste, a rater who looks answers a catch question right with a probability of caughtRight, and one who does not with one half. Quick is how much likelier the
// median response time is, against that of the others, of a rater who does not look; it is too small to accuse by itself. With few answers all terms are small.
const (
	CarelessAnswers = 8    // preferences: fewer say nothing
	carelessPrior   = 0.25 // share of careless raters, before any answer
	carelessOdds    = 1.6  // from which on a rater is called careless: five to one
	unforeseen      = 0.05 // probability of a taste that no model foresees
	caughtRight     = 0.97 // probability that a rater who looks answers a catch question right
	sameTaste       = 0.8  // probability that a rater of a shared study has the others' taste
	quickMost       = 1    // the most that quickness says
	ownLeverage     = 0.1  // share of the answers of one rater from which on the posterior is computed without them, …
	relearned       = 300  // … up to so many answers: with more it would take seconds
)

// raterNoises are the noises of raters who answer by taste, relative to the study's.
var raterNoises = []float64{0.5, 1, 2}

// Preference is an answer that takes a side.
type Preference struct {
	A, B  []float64
	First bool // the first option was taken
	Check bool // the model has not learned from it
}

// RaterRecord is what counts of a rater's answers.
type RaterRecord struct {
	Choices         []Preference  // but those to catch questions
	Right, Caught   int           // catch questions that were answered right, of all
	Left, Sided     int           // preferences for the left side, of all that have sides
	Response, Usual time.Duration // median response time, and that of the others; 0 if not known
}

// Enough reports whether there are enough answers to judge by.
func (r RaterRecord) Enough() bool { return len(r.Choices)+r.Caught >= CarelessAnswers }

// Suspicion has the terms of the odds that a rater is careless.
type Suspicion struct{ Choices, Catch, Sides, Quick float64 }

func (s Suspicion) Odds() float64 { return s.Choices + s.Catch + s.Sides + s.Quick }

// Careless reports whether they are high enough to call the rater careless.
func (s Suspicion) Careless() bool { return s.Odds() >= carelessOdds }

// Probability returns the probability that a rater with these log odds is careless.
func Probability(odds float64) float64 {
	return 1 / (1 + (1-carelessPrior)/carelessPrior*math.Exp(-odds))
}

// sideOdds returns the log of how much likelier k of n on the left are of a rater who does not look than of a fair coin.
func sideOdds(k, n int) float64 {
	return logSum(math.Log(0.5), math.Log(0.5)+shareOdds(k, n-k, 0.5, 0.5))
}

// shareOdds returns the log of how much likelier k heads and m tails are of a coin whose share of heads is Beta(a, b) than of a fair one:
//
//	2^{k + m} B(k + a, m + b)/B(a, b).
func shareOdds(k, m int, a, b float64) float64 {
	logBeta := func(a, b float64) float64 { return lgamma(a) + lgamma(b) - lgamma(a+b) }
	return float64(k+m)*math.Ln2 + logBeta(float64(k)+a, float64(m)+b) - logBeta(a, b)
}

// catchOdds returns the log of how much likelier so many right answers to catch questions are of a coin than of a rater who looks.
func catchOdds(right, of int) float64 {
	return float64(of)*math.Log(0.5) - float64(right)*math.Log(caughtRight) - float64(of-right)*math.Log(1-caughtRight)
}

// quickOdds returns the log of how much likelier a median response time is of a rater who does not look, where others take usual: with
// x = log(own/usual), N(0, ½²) of raters who look, and of those who do not either that or N(−3/2, (3/5)²).
func quickOdds(own, usual time.Duration) float64 {
	if own <= 0 || usual <= 0 {
		return 0
	}
	x := math.Log(float64(own) / float64(usual))
	ratio := normal.LogPDF((x+1.5)/0.6) - math.Log(0.6) - normal.LogPDF(x/0.5) + math.Log(0.5)
	return math.Min(quickMost, logSum(math.Log(0.5), math.Log(0.5)+ratio))
}

// UsualResponses returns for each rater the median of the others' median response times; nothing where fewer than two others have one.
func UsualResponses(medians map[string]time.Duration) map[string]time.Duration {
	out := map[string]time.Duration{}
	for name := range medians {
		var others []time.Duration
		for other, t := range medians {
			if other != name && t > 0 {
				others = append(others, t)
			}
		}
		if len(others) > 1 {
			out[name] = Median(others)
		}
	}
	return out
}

func Median(times []time.Duration) time.Duration {
	slices.Sort(times)
	n := len(times)
	return (times[(n-1)/2] + times[n/2]) / 2
}

func logSum(x ...float64) float64 {
	top := slices.Max(x)
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// Suspect returns the terms of the odds of a rater with these answers, the zero value where there are too few. model is the log of how
// much likelier the choices are of a coin than by the model.
func Suspect(r RaterRecord, model float64) (s Suspicion) {
	if !r.Enough() {
		return s
	}
	s.Choices = -logSum(math.Log(1-unforeseen)-model, math.Log(unforeseen)-selfOdds(r.Choices))
	s.Catch = catchOdds(r.Right, r.Caught)
	s.Sides, s.Quick = sideOdds(r.Left, r.Sided), quickOdds(r.Response, r.Usual)
	return s
}

// selfOdds returns the log of how much likelier preferences are of a coin than of a rater who only says the same again.
func selfOdds(answers []Preference) float64 {
	pairs, same := 0, 0
	for i, p := range answers {
		for _, q := range answers[:i] {
			straight := coding.Gap(p.A, q.A) <= coding.SameOption && coding.Gap(p.B, q.B) <= coding.SameOption
			if !straight && (coding.Gap(p.A, q.B) > coding.SameOption || coding.Gap(p.B, q.A) > coding.SameOption) {
				continue
			}
			pairs++
			if (p.First == q.First) == straight {
				same++
			}
			break
		}
	}
	return -shareOdds(same, pairs-same, 4, 1)
}

func lgamma(x float64) float64 { v, _ := math.Lgamma(x); return v }

// CheckOdds adds to log odds how much likelier the checks among the answers are of a coin than by a model that has not learned from
// them; prob is the probability of an outcome by it.
func CheckOdds(odds float64, answers []Preference, prob func(a, b []float64, o gp.Outcome) float64) float64 {
	for _, c := range answers {
		if c.Check {
			o := gp.Outcome(-1)
			if c.First {
				o = 1
			}
			odds += math.Log(0.5) - math.Log(prob(c.A, c.B, o))
		}
	}
	return odds
}

// LearnWithout returns the posterior without the duels of rater number r; post, which has them, if they are few, or all so many that
// it would take seconds. others are the duels of the other raters.
func LearnWithout(m gp.Model, post *gp.Posterior, all, others *gp.Duels, r int) (*gp.Posterior, error) {
	if float64(all.Len()-others.Len()) < ownLeverage*float64(all.Len()) || all.Len() > relearned {
		return post, nil
	}
	hyper := post.Hyper()
	if len(hyper.Raters) > 0 {
		hyper.Raters = slices.Delete(slices.Clone(hyper.Raters), r, r+1)
	}
	return m.Condition(others, hyper, nil)
}

// SharedOdds returns the log of how much likelier preferences are of a coin than of a rater of a shared study, given a posterior by the answers of the others.
func SharedOdds(answers []Preference, post *gp.Posterior) float64 {
	n, d := len(answers), post.Dim()
	x := make([]float64, 0, 2*n*d)
	for _, c := range answers {
		x = append(append(x, c.A...), c.B...)
	}
	m := gp.NewMoments(2 * n)
	post.Moments(m, x)
	kernel := post.Hyper().Kernel
	prior := make([]float64, 4*n*n)
	for i := range 2 * n {
		for j := range i + 1 {
			prior[i*2*n+j] = kernel.At(x[i*d:(i+1)*d], x[j*d:(j+1)*d])
			prior[j*2*n+i] = prior[i*2*n+j]
		}
	}
	var terms []float64
	for _, k := range raterNoises {
		share := math.Log(1 / float64(len(raterNoises)))
		terms = append(terms, share+math.Log(sameTaste)+logProbability(answers, m.Mean, m.Cov, k*post.Noise()),
			share+math.Log(1-sameTaste)+logProbability(answers, make([]float64, 2*n), prior, k*post.Noise()))
	}
	return float64(n)*math.Log(0.5) - logSum(terms...)
}

// logProbability returns the log of the probability of preferences in the order given, with noise sigma, where the utilities of the options
// a_1, b_1, a_2, … have this mean and covariance. Each answer updates the law of the differences d by its first two moments (assumed density
// filtering, the first pass of EP; Minka 2001): for the sign s, v = Var d_i + σ², z = s E d_i/√v, λ = φ(z)/Φ(z),
//
//	log p += log Φ(z),   E d += s λ/√v · c,   Cov d −= λ(z + λ)/v · c cᵀ,   c = Cov(d, d_i).
func logProbability(answers []Preference, mean, cov []float64, sigma float64) (logp float64) {
	n := len(answers)
	m, c := make([]float64, n), make([]float64, n*n)
	at := func(i, j int) float64 { return cov[i*2*n+j] }
	for i := range n {
		m[i] = mean[2*i] - mean[2*i+1]
		for j := range n {
			c[i*n+j] = at(2*i, 2*j) - at(2*i, 2*j+1) - at(2*i+1, 2*j) + at(2*i+1, 2*j+1)
		}
	}
	row := make([]float64, n)
	for i, a := range answers {
		s := -1.0
		if a.First {
			s = 1
		}
		v := math.Max(0, c[i*n+i]) + sigma*sigma // rounding may leave −1e-16 of a pair that was asked before
		z := s * m[i] / math.Sqrt(v)
		lambda, shrink := normal.Mills(z), -normal.MillsPrime(z)
		logp += normal.LogCDF(z)
		copy(row, c[i*n:(i+1)*n])
		for j := range n {
			m[j] += s * lambda / math.Sqrt(v) * row[j]
			for k := range n {
				c[j*n+k] -= shrink / v * row[j] * row[k]
			}
		}
	}
	return logp
}
