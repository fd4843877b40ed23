package prefer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// Belief is what a study believes at one moment. It does not change when the study goes on. Utilities
// are in units of the noise of an answer: a difference of 1 is recognised 84 times in a hundred.
type Belief struct {
	Answers  int      // duels it rests on
	Axes     []string // parameters that are no contexts, or features of items: what Slice knows
	Warnings []error  // what a careful reader should know about the fit, and about the study

	code    *coding.Coding
	utility learn.Belief
	shown   []float64
	search  func(context.Context) []acquisition.Peak

	contradictions func() map[AnswerID]float64

	mu   sync.Mutex
	best []float64 // x̂ in the unit cube, searched for when first wanted
}

// Find searches for the best option, as Best, Slice, Importance and Ranking do when they first want it, and gives up when ctx ends: for
// callers that may not wait for it.
func (b *Belief) Find(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.best != nil {
		return nil
	}
	peaks := b.search(ctx)
	if err := ended(ctx); err != nil {
		return err
	}
	b.best = peaks[0].X
	return nil
}

// favour returns x̂.
func (b *Belief) favour() []float64 {
	_ = b.Find(context.Background()) // which never ends
	return b.best
}

// Best returns the option with the highest expected utility.
func (b *Belief) Best() space.Option { return b.code.Option(b.favour()) }

// Utility returns the mean and standard deviation of an option's utility.
func (b *Belief) Utility(o space.Option) (mean, sd float64, err error) {
	x, err := b.code.Unit(o)
	if err != nil {
		return 0, 0, err
	}
	mean, sd = b.utility.At(x)
	return mean, sd, nil
}

// Below returns how far an option's utility lies below that of the best one, with the standard deviation of that difference.
func (b *Belief) Below(o space.Option) (mean, sd float64, err error) {
	x, err := b.code.Unit(o)
	if err != nil {
		return 0, 0, err
	}
	mean, sd = b.lossAt(x)
	return mean, sd, nil
}

// lossAt returns how far f lies at x below what it is at the best option, in units of the noise, and how uncertain that is.
func (b *Belief) lossAt(x []float64) (mean, sd float64) {
	mean, v := b.utility.Sum(slices.Concat(b.favour(), x), []float64{1, -1})
	return mean / b.utility.Noise(), math.Sqrt(v) / b.utility.Noise()
}

// Prefers returns the probability that a rater who must choose takes the first option.
func (b *Belief) Prefers(first, second space.Option) (float64, error) {
	u, v, err := b.code.Pair(first, second)
	if err != nil {
		return 0, err
	}
	return b.utility.Probability(u, v, 1, -1, true), nil
}

// units returns the coordinates of options, row by row.
func (b *Belief) units(options []space.Option) ([]float64, error) {
	var x []float64
	for i, o := range options {
		at, err := b.code.Unit(o)
		if err != nil {
			return nil, fmt.Errorf("option %d: %w", i, err)
		}
		x = append(x, at...)
	}
	return x, nil
}

// Joint returns the means of the utilities of options and their covariances, row by row: those of f at several places at once, where Utility
// has one. The diagonal has the squares of the standard deviations there. It costs the square of the number of options.
func (b *Belief) Joint(options []space.Option) (mean, cov []float64, err error) {
	x, err := b.units(options)
	if err != nil {
		return nil, nil, err
	}
	mean, cov = b.utility.Joint(x)
	return mean, cov, nil
}

// Samples draws the utilities of options jointly, count times; each row has one draw, in the order of the options. The same seed has the same draws,
// and of more of them the first are the same. A belief that is in doubt about its hyper-parameters draws these, too: draws are of a mixture of
// normal laws whose mean and covariance are those of Joint.
func (b *Belief) Samples(options []space.Option, count int, seed uint64) ([][]float64, error) {
	if count < 1 {
		return nil, fmt.Errorf("prefer: %d samples, want at least 1", count)
	}
	x, err := b.units(options)
	if err != nil {
		return nil, err
	}
	return b.utility.Samples(x, count, seed), nil
}

// Contradictions returns the answers that contradict the rest of those about the utility, each with the probability of what was said given all other
// answers; in a study per rater those of its rater. It is for looking again, not for leaving out: of answers that are all true as many contradict the rest as the model expects.
//
// Without answer i the difference d_i of its options has the law N(m₋, v₋), the cavity (gp.Posterior.Cavity), by which model k gives the answer
// the probability p_k. Of its weight w_k a model loses what the answer had given it, w_k/p_k in proportion, so that
//
//	Pr(answer | others) = Σ_k (w_k/p_k) p_k / Σ_k (w_k/p_k) = 1/Σ_k (w_k/p_k).
//
// Hyper-parameters stay as all answers have them. Other inferences than EP have sites too, by which the same is an approximation. What was said of
// options alone ("both bad"), skips and checks contradict nothing.
func (b *Belief) Contradictions() map[AnswerID]float64 { return b.contradictions() }
