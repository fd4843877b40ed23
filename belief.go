package prefer

import (
	"context"
	"fmt"
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

// Belief returns what the answers so far say about a rater's utility; in a shared study it is everybody's, whoever
// is named. Looking changes nothing: no later question depends on when or how often it is called.
// With Look.Fixed it is about options with these values: Best, Slice, Importance and Ranking are among them.
func (s *Study) Belief(ctx context.Context, l Look) (*Belief, error) {
	v, err := s.look(ctx, l)
	if err != nil {
		return nil, err
	}
	return s.believe(ctx, v)
}

// believe returns what a view says.
func (s *Study) believe(ctx context.Context, v view) (*Belief, error) {
	fit, err := s.beliefModel(ctx, v)
	if err != nil {
		return nil, err
	}
	warnings := append(s.cfg.warnings(), fit.Post.Warnings()...)
	if v.Dropped > 0 {
		warnings = append(warnings, fmt.Errorf("prefer: %d times a rater called an option bad, or said what they would take, which teaches nothing beyond %d answers", v.Dropped, learn.DenseLimit))
	}
	return &Belief{
		Answers: v.Own(v.rater).Duels.Len(), Axes: v.code.Names(), Warnings: warnings,
		code: v.code, utility: fit.Belief, shown: v.shown,
		search: func(ctx context.Context) []acquisition.Peak { return s.cfg.recommend(ctx, fit, v) },

		contradictions: func() map[AnswerID]float64 {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.state.contradictions(v, fit)
		},
	}, nil
}

// Find searches for the best option, as Best, Slice, Importance and Ranking do when they first want it, and gives up when ctx ends: for
// whoever may leave meanwhile.
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
	mean, sd = b.below(x)
	return mean, sd, nil
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

// contradictions returns the answers of a view that its fit does not bear out.
func (st *state) contradictions(v view, f *learn.Fit) map[AnswerID]float64 {
	out := map[AnswerID]float64{}
	if !f.HasSites() {
		return out
	}
	for _, t := range st.answers {
		if k, _ := t.answer.Choice.info(); !t.counts() || !k.Compares || v.PerRater && !v.Pooled && t.rater != v.rater {
			continue
		}
		i := f.Find(t.a, t.b, t.answer.outcome())
		if i < 0 { // left out of what is learned, or told since
			continue
		}
		if chance, contradicts := f.Contradicts(i, t.rater); contradicts {
			out[t.id] = chance
		}
	}
	return out
}
