package prefer

import (
	"context"
	"errors"
	"math"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/space"
)

const (
	patience          = 2  // answers in a row after which a study must be settled: a single high reading is often luck
	stalled           = 10 // answers that did not improve the pick, after which a list that takes long ends
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
	if v.shortlist > 0 && v.code.List != nil {
		fit, err := s.beliefModel(ctx, v)
		if err != nil {
			return Verdict{}, err
		}
		var order []int
		order, out.ShortlistSure, _ = learn.BestFew(fit.Belief, v.code.List.Rows, v.shortlist)
		for _, i := range order[:min(len(order), v.shortlist)] {
			out.Shortlist = append(out.Shortlist, v.code.Option(v.code.List.Point(i)))
		}
	}
	var enough bool
	if v.answers >= s.cfg.Initial && (out.Blind == nil || out.Blind.Kind != blindFails) {
		if enough, err = s.isEnough(ctx, v, &out); err != nil {
			return Verdict{}, err
		}
	}
	switch {
	case v.answers >= max(displeasedAnswers, s.cfg.Initial) && best.Displeased >= s.cfg.Confidence && best.Taken < 0.5:
		out.Kind = NothingPleases
	case enough:
		out.Kind = Settled
	default:
		out.Left, out.Late = s.cfg.left(v.code, v.shortlist, v.answers)
		if n := len(out.Untried); n > 0 {
			out.Left[0], out.Left[1] = n, max(n, out.Left[1])
		}
	}
	s.cfg.distrustOrder(&out, v)
	return out, nil
}

// isEnough reports whether a study has found what it looks for: a shortlist, or a pick, when the last ones were all settled and nothing near it is untried.
// Among items that are much alike, answers with errors raise a pick's rank no further: a list that takes longer than promised ends when the last ones did not.
func (s *Study) isEnough(ctx context.Context, v view, out *Verdict) (bool, error) {
	if out.Shortlist != nil {
		return out.ShortlistSure >= s.cfg.Confidence, nil
	}
	decided, err := s.decided(ctx, v, out.Best.Option)
	if err != nil || decided && out.Best.Top >= s.cfg.Confidence {
		return err == nil, err
	}
	if promised, _ := s.cfg.left(v.code, 0, 0); v.code.List != nil && v.answers > promised[1] {
		before, err := s.picked(ctx, v.withoutLast(stalled))
		if err != nil || out.Best.Beats-before.Beats < s.cfg.worthwhile() {
			return err == nil, err
		}
	}
	for back := range min(patience, v.Own(v.rater).Duels.Len()) {
		before := out.Best
		if back > 0 {
			before, err = s.picked(ctx, v.withoutLast(back))
		}
		if err != nil || !s.cfg.settled(before) {
			return false, err
		}
	}
	out.Untried, err = s.cfg.untried(v, out.Best)
	return out.Untried == nil, err
}

// distrustOrder keeps a verdict from being an ending where most of the answers behind it are of raters who follow the order, and says so. Verdict.For adds
// the ending of a budget.
func (cfg *Config) distrustOrder(out *Verdict, v view) {
	out.FollowsOrder = 2*v.ordered > v.answers
	if out.FollowsOrder && out.Kind.Done() {
		out.Kind = KeepGoing
		out.Left, out.Late = cfg.left(v.code, v.shortlist, v.answers)
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

// left predicts how many more answers a study takes, whatever the budget: what simulated studies like it took that had not ended after as many answers
// (docs/results/statements.md). Their numbers are roughly log-normal, so eight of ten of those beyond n answers are in the range
//
//	N = m·exp(s·Φ⁻¹(F + (1 − F)·{0.1, 0.9})),   F = Φ(log(n/m)/s).
//
// It is a function of the number of answers alone and shrinks with each, until the study has outlasted nine of ten:
// then late is set, which is why it may grow.
func (cfg *Config) left(code *coding.Coding, shortlist, answers int) (_ [2]int, late bool) {
	m, spread := cfg.typical(code, shortlist)
	past := normal.CDF(math.Log(float64(answers)/m) / spread) // 0 of no answers
	at := func(q float64) float64 { return m*math.Exp(spread*normal.Quantile(past+(1-past)*q)) - float64(answers) }
	return [2]int{max(1, int(at(0.1))), min(max(1, int(math.Ceil(at(0.9)))), maxLeft)}, past > 0.9
}

// typical returns the median number of answers to an ending, and the spread of its log.
func (cfg *Config) typical(code *coding.Coding, shortlist int) (m, spread float64) {
	d := float64(coding.Dimension(cfg.Space) - len(cfg.Space.Contexts())) // items without features count as 1
	m = typicalAnswers * math.Pow(d, typicalGrowth)
	t := code.Table()
	if t == nil || !code.Named() && code.List == nil {
		return m, typicalSpread
	}
	list := typicalList * math.Sqrt(float64(len(t.Back)))
	switch {
	case shortlist > 0:
		return list * float64(1+shortlist) * math.Max(1, float64(len(t.Back))/shortlistItems), listSpread
	case !code.Named():
		return math.Min(list, typicalFeatures), listSpread
	case d > 1:
		list += typicalAnswers * math.Pow(d-1, typicalGrowth)
	}
	return list, listSpread
}

// The median number of answers to an ending in one dimension, how it grows, and the spread of its log; of lists the median over the root of their length, the
// most with features, the spread, and from how many items on a shortlist takes longer in proportion, since its last item and the next are closer.
const (
	typicalAnswers  = 10.0
	typicalGrowth   = 0.5
	typicalSpread   = 0.4
	typicalList     = 4.8
	typicalFeatures = 22.0
	listSpread      = 0.5
	shortlistItems  = 12.0
	maxLeft         = 999
)

// decided reports whether every item of a list was shown, and none has an open order with the pick: then no question is worth much.
func (s *Study) decided(ctx context.Context, v view, pick space.Option) (bool, error) {
	if t := v.code.List; t == nil || t.Unseen(v.shown, v.code.Dim) > 0 {
		return false, nil
	}
	fit, err := s.beliefModel(ctx, v)
	if err != nil {
		return false, err
	}
	x, err := v.code.Unit(pick)
	return err == nil && pairs.Decided(v.code, fit.Belief, x), err
}
