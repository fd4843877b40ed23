package prefer

import (
	"context"
	"errors"
	"math"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/space"
)

const (
	patience          = 2  // answers in a row after which a study must be settled: a single high reading is often luck
	displeasedAnswers = 15 // fewer may not have come to what would please
)

// Best returns the option with the highest expected utility to a rater and how sure that pick is; in a shared study it is the same for every rater. With
// Look.Fixed it is the best of the options with these values: under a context, or with a parameter as somebody wants it.
func (s *Study) Best(ctx context.Context, l Look) (Best, error) {
	v, err := s.look(ctx, l)
	if err != nil {
		return Best{}, err
	}
	best, err := s.picked(ctx, v)
	return v.named(best), err
}

// Verdict says whether the study is done, and with what.
//
// How far it can be trusted was simulated (docs/results/statements.md): the rank of the pick is about what it says, on smooth tastes and on those with many narrow
// peaks. Best.Confidence, that nothing is noticeably better, is true less often than it says on the latter, so it is not claimed.
//
// It is about a rater's utility; in a shared study about everybody's, whichever rater is named, but for the budget, which is
// each rater's own. With Look.Fixed it is about the best option with these values. Under a context Answers and Given count the answers that
// were given there, while what it says rests on all; the budget is that of each context.
func (s *Study) Verdict(ctx context.Context, l Look) (Verdict, error) {
	v, err := s.look(ctx, l)
	if err != nil {
		return Verdict{}, err
	}
	out, err := s.verdictOn(ctx, v)
	if err != nil {
		return Verdict{}, err
	}
	return out.For(v.given, v.budget), nil
}

// verdictOn is the verdict on a view, whatever the budget, without the Value of going on.
func (s *Study) verdictOn(ctx context.Context, v view) (Verdict, error) {
	best, err := s.picked(ctx, v)
	if err != nil {
		return Verdict{}, err
	}
	out := Verdict{Kind: KeepGoing, Best: v.named(best), TenMore: best.tenMore(), Answers: v.answers, Raters: v.voices, Calibration: v.calibration}
	if out.Surprise, err = s.surprise(ctx, v); err != nil {
		return Verdict{}, err
	}
	if v.PerRater {
		out.Others = v.Duels.Len() - v.Own(v.rater).Duels.Len()
	}
	if t := v.code.Table(); t != nil {
		out.Unseen, out.Items = t.Unseen(v.shown, v.code.Dim), len(t.Back)
	}
	if len(v.blind)+len(v.takes) > 0 {
		x, err := v.code.Unit(best.Option)
		if err != nil {
			return Verdict{}, err
		}
		out.Blind = new(v.checked(best.Option, x, s.cfg.moved(v.code)))
	}
	var enough bool
	if v.answers >= s.cfg.Initial && (out.Blind == nil || out.Blind.Kind != blindFails) {
		if enough, err = s.decided(ctx, v, best.Option); err != nil {
			return Verdict{}, err
		}
		if enough = enough && best.Top >= s.cfg.Confidence; !enough {
			if enough, out.Untried, err = s.isSettled(ctx, v, best); err != nil {
				return Verdict{}, err
			}
		}
	}
	if out.Kind = s.cfg.ending(v, best, enough); out.Kind == KeepGoing {
		out.Left, out.Late = s.cfg.left(v.code, v.answers)
		if n := len(out.Untried); n > 0 {
			out.Left[0], out.Left[1] = n, max(n, out.Left[1])
		}
	}
	s.cfg.distrustOrder(&out, v)
	return out, nil
}

// ending returns the kind of a verdict, whatever the budget.
func (cfg *Config) ending(v view, best Best, enough bool) VerdictKind {
	switch {
	case v.answers >= max(displeasedAnswers, cfg.Initial) && best.Displeased >= cfg.Confidence && best.Taken < 0.5:
		return NothingPleases
	case enough:
		return Settled
	}
	return KeepGoing
}

// isSettled reports whether the last picks were all settled and nothing near the best is untried, which it returns else.
func (s *Study) isSettled(ctx context.Context, v view, best Best) (bool, [][2]space.Option, error) {
	before, err := best, error(nil)
	for back := 0; back < patience && back < v.Own(v.rater).Duels.Len(); back++ {
		if back > 0 {
			if before, err = s.picked(ctx, v.withoutLast(back)); err != nil {
				return false, nil, err
			}
		}
		if !s.cfg.settled(v.code, before) {
			return false, nil, nil
		}
	}
	untried, err := s.cfg.untried(v, best)
	return untried == nil, untried, err
}

// distrustOrder keeps a verdict from being an ending where most of the answers behind it are of raters who follow the order, and says so. Verdict.For adds
// the ending of a budget.
func (cfg *Config) distrustOrder(out *Verdict, v view) {
	out.FollowsOrder = 2*v.ordered > v.answers
	if out.FollowsOrder && out.Kind.Done() {
		out.Kind = KeepGoing
		out.Left, out.Late = cfg.left(v.code, v.answers)
	}
}

// surprise returns how much likelier, in logs, the rater's own answers are by chance than by the model; 0 where that cannot be computed.
func (s *Study) surprise(ctx context.Context, v view) (float64, error) {
	if len(s.cfg.BeliefModels) == 0 {
		return 0, nil
	}
	fit, err := s.beliefFits.Get(ctx, v.Own(v.rater))
	if err != nil {
		return 0, errors.Join(err, ended(ctx))
	}
	return fit.Surprise(s.cfg.BeliefModels), nil
}

// left predicts how many more answers a study takes, whatever the budget: what simulated studies of as many parameters took that had not ended after as many
// answers (docs/results/statements.md). Their numbers are roughly log-normal, so the middle half of those beyond n answers is
//
//	N = m·exp(s·Φ⁻¹(F + (1 − F)·{¼, ¾})),   F = Φ(log(n/m)/s).
//
// It is a function of the number of answers alone and shrinks with each, until the study has outlasted three of four:
// then late is set, which is why it may grow.
func (cfg *Config) left(code *coding.Coding, answers int) (_ [2]int, late bool) {
	d := float64(coding.Dimension(cfg.Space) - len(cfg.Space.Contexts())) // items without features count as 1
	m, spread := typicalAnswers*math.Pow(d, typicalGrowth), typicalSpread
	if t := code.Table(); t != nil && code.Named() {
		m = typicalList * math.Sqrt(float64(len(t.Back)))
		if d--; d > 0 {
			m += typicalAnswers * math.Pow(d, typicalGrowth)
		}
	}
	past := 0.0
	if answers > 0 {
		past = normal.CDF(math.Log(float64(answers)/m) / spread)
	}
	at := func(q float64) int {
		return max(1, int(math.Ceil(m*math.Exp(spread*normal.Quantile(past+(1-past)*q))))-answers)
	}
	return [2]int{at(0.25), min(at(0.75), maxLeft)}, past > 0.75
}

// The median number of answers to an ending in one dimension, how it grows with the dimension, and the spread of its log.
const (
	typicalAnswers = 10.0
	typicalGrowth  = 0.5
	typicalSpread  = 0.4
	typicalList    = 4.2
	maxLeft        = 999
)
