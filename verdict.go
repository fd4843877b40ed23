package prefer

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// Best is the study's pick.
type Best struct {
	Option space.Option `json:"option"`

	// Mean and SD are the pick's utility and its uncertainty, in units of the noise.
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`

	// Confidence is the probability that no option is better by more than Config.Tolerance.
	Confidence float64 `json:"confidence"`

	// Beats is the share of all options that the pick is expected to be better than; Top is the probability that it is
	// among the best TopShare of them: 1 %, or of a list a twentieth, rounded up to whole items.
	Beats    float64 `json:"beats"`
	Top      float64 `json:"top"`
	TopShare float64 `json:"top_share"`

	// Rival is the option far from the pick that is most probably as good, within the tolerance, and RivalClose how
	// probably it is; in a list it is the runner-up of the ranking. Nil if no draw of the utility knew one.
	Rival      space.Option `json:"rival,omitempty"`
	RivalClose float64      `json:"rival_close"`

	// Taken is the probability that the first person who has called options bad, or has said what they would take, would take the
	// pick, and Displeased that they would take less than a tenth of all options. 0 where nobody has.
	Taken      float64 `json:"taken,omitempty"`
	Displeased float64 `json:"displeased,omitempty"`
}

// VerdictKind is where a study stands.
type VerdictKind string

// Endings, and KeepGoing, which is none. There may be more kinds in time: what is not KeepGoing is an ending.
const (
	// KeepGoing: still learning, and more answers are worth it.
	KeepGoing VerdictKind = "keep_going"
	// ClearWinner: nothing is better than the pick by more than the tolerance, and nothing far from it is as good.
	ClearWinner VerdictKind = "clear_winner"
	// PracticalTie: nothing is better than the pick by more than the tolerance, and something else is as good.
	PracticalTie VerdictKind = "practical_tie"
	// GoodEnough: the pick is among the best few, Best.TopShare of all.
	GoodEnough VerdictKind = "good_enough"
	// NothingPleases: the person would take hardly any of the options.
	NothingPleases VerdictKind = "nothing_pleases"
	// Chance: the answers look like chance, and say nothing about the options.
	Chance VerdictKind = "chance"
	// BudgetReached: the person has given as many answers as they were to give.
	BudgetReached VerdictKind = "budget_reached"
)

// Done reports whether the kind is an ending.
func (k VerdictKind) Done() bool { return k != KeepGoing && k != "" }

// Sure reports whether the kind is an ending of a study that knows: any but one that was stopped.
func (k VerdictKind) Sure() bool { return k.Done() && k != BudgetReached }

// Picks reports whether there is a pick to speak of: not where nothing pleases, or where the answers look like chance.
func (k VerdictKind) Picks() bool { return k != NothingPleases && k != Chance }

// Verdict says whether to go on, and how sure that is.
type Verdict struct {
	Kind VerdictKind `json:"kind"`
	Best Best        `json:"best"`

	// Answers is the number of answers it rests on, Given how many of them count against the rater's Budget, which is
	// 0 where there is none. Skips and checks are no answers. Under a context they are those that were given there.
	Answers int `json:"answers"`
	Given   int `json:"given"`
	Budget  int `json:"budget,omitempty"`

	// Raters is how many people gave the answers; with several, who share one utility, the pick is the team's.
	Raters int `json:"raters"`

	// Others is the number of answers of other people with tastes of their own, here and in an earlier study, that it rests on beside.
	Others int `json:"others,omitempty"`

	// Value is 0: Study.Worth computes what the next question is expected to add. REST fills it in.
	Value float64 `json:"value"`

	// Left is a range for the number of questions until an ending. Both are 0 when done.
	Left [2]int `json:"left"`

	// Late says that the study has outlasted three of four like it, which is why Left no longer shrinks.
	Late bool `json:"late,omitempty"`

	// Surprise is the log of how much likelier the answers are if they are chance, and no taste at all, than if there is one.
	Surprise float64 `json:"surprise"`

	// FollowsOrder says that more than half of the answers are of raters who follow the order in which options are shown (careless.go has the rule). They
	// do not say what is better: nothing but a budget, or answers that look like chance, ends such a study.
	FollowsOrder bool `json:"follows_order,omitempty"`

	// Unseen of the Items of a list were never shown; of one that is crossed with parameters, at any setting.
	Unseen int `json:"unseen,omitempty"`
	Items  int `json:"items,omitempty"`

	// Untried are the values of a parameter, two and two, between which nothing was shown although the pick lies beside: the study goes on for no other
	// reason. Only studies of one or two ordered parameters have them.
	Untried [][2]space.Option `json:"untried,omitempty"`

	// Calibration is how the study's forecasts fared.
	Calibration Calibration `json:"foretold"`

	// Blind is the blind check of the pick, nil if there was none. One that fails is the end of no study.
	Blind *BlindCheck `json:"blind,omitempty"`

	// Sentence says it in English. It is made of the other fields, which are complete.
	Sentence string `json:"sentence"`

	open *goingOn // before For applied a budget; nil if none was applied
}

// patience costs 1.6 answers in the mean, 1 in the median: 16 smooth tastes of one and two parameters with ordinary raters ended after
// 4 to 36 answers by a single reading and after 5 to 37 by two, all truly either way. It guards those whose confidence jumps.
//
// tieShare decides only what an ending is called: above one half the rival is likelier as good as not. Said in 16 endings with a mean
// of 0.77 it was true in 0.56 (docs/statements.md); a higher line would be said too rarely to be counted.
const (
	patience          = 2   // answers in a row after which a study must have known its favourite: a single high reading is often luck
	tieShare          = 0.5 // a rival as good in more than this part of the draws makes a tie
	displeasedAnswers = 15  // fewer may not have come to what would please
	chanceAnswers     = 24  // fewer answers can look like chance by chance
	chanceOdds        = 2.3 // log of how much likelier chance must be than taste: ten to one
	chanceAxes        = 3   // parameters: of more, two dozen answers look like chance whoever gives them
)

// Best returns the option with the highest expected utility to a rater and how sure that pick is; in a shared study it is the same for every rater. With
// Look.Fixed it is the best of the options with these values: under a context, or with a parameter as somebody wants it.
func (s *Study) Best(ctx context.Context, l Look) (Best, error) {
	v, err := s.look(ctx, l)
	if err != nil {
		return Best{}, err
	}
	return s.picked(ctx, v)
}

// known reports whether a study of this confidence knows its favourite, or one of the best.
func (b Best) known(confidence float64) bool {
	return b.Confidence >= confidence || b.Top >= surely(confidence)
}

// surely returns what a confidence in one of the best must be: in rehearsals it was true in 17 of 22 studies at 0.92.
func surely(confidence float64) float64 { return (1 + confidence) / 2 }

// pick is a Best and what it depends on besides the fit and the study.
type pick struct {
	code  *coding.Coding
	rater string // where each has their own utility
	shown []float64
	best  Best
}

func (p pick) of(v view) bool {
	return p.about(v) && p.code.All() == v.code.All() && slices.Equal(p.shown, v.shown)
}

// about reports whether it is a pick for the rater of a view, under the same conditions.
func (p pick) about(v view) bool {
	return (p.rater == v.rater || !v.PerRater) && p.code.Fixed.String() == v.code.Fixed.String()
}

// picks are the last ones computed from a fit.
type picks struct {
	mu   sync.Mutex // guards what follows
	last []pick
}

// keptPicks is how many picks a fit keeps: for the people who look at the same time, and under each context.
const keptPicks = 64

// keep adds a pick in place of the former one like it. The caller holds mu.
func (p *picks) keep(v view, b Best) {
	p.last = slices.DeleteFunc(p.last, func(last pick) bool { return last.about(v) })
	p.last = append(p.last[max(0, len(p.last)+1-keptPicks):], pick{v.code, v.rater, v.shown, b})
}

// picked returns Best for a view; where a snapshot has it nothing is fitted.
func (s *Study) picked(ctx context.Context, v view) (Best, error) {
	if b, ok := s.savedPick(v); ok {
		return b.clone(), nil
	}
	b, _, err := s.pick(ctx, v)
	return b, err
}

// pick computes Best for a view, or remembers it: whoever wants a verdict has often looked at the best before.
func (s *Study) pick(ctx context.Context, v view) (Best, *learn.Fit, error) {
	fit, err := s.beliefModel(ctx, v)
	if err != nil {
		return Best{}, nil, err
	}
	kept := fit.Attachment.(*picks)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if i := slices.IndexFunc(kept.last, func(p pick) bool { return p.of(v) }); i >= 0 {
		return kept.last[i].best.clone(), fit, nil
	}
	if b, ok := s.savedPick(v); ok {
		kept.keep(v, b)
		return b.clone(), fit, nil
	}
	peaks := s.cfg.recommend(ctx, fit, v)
	if err := ended(ctx); err != nil {
		return Best{}, nil, err
	}
	at := learn.Assess(fit.Belief, v.code, s.cfg.Seed, s.cfg.tolerance(), peaks, v.shown, v.LevelRater(v.rater))
	b := Best{Option: v.code.Option(peaks[0].X), Confidence: at.Within, Beats: at.Beats, Top: at.Best, TopShare: learn.Enough(v.code), RivalClose: at.Rival}
	b.Mean, b.SD = fit.Belief.At(peaks[0].X)
	if at.Other != nil {
		b.Rival = v.code.Option(at.Other)
	}
	if v.LevelRater(v.rater) >= 0 {
		b.Taken, b.Displeased = at.Take, at.Nothing
	}
	kept.keep(v, b)
	return b.clone(), fit, nil
}

func (b Best) clone() Best {
	b.Option, b.Rival = maps.Clone(b.Option), maps.Clone(b.Rival)
	return b
}

// Verdict says whether the study is done, and with what.
//
// How far it can be trusted was simulated (docs/statements.md): it is right about as often as it says where taste is
// smooth, and less often on landscapes of many narrow peaks, which a few dozen answers cannot tell from smooth ones.
//
// It is about a rater's utility; in a shared study about everybody's, whoever is named, but for the budget, which is
// each rater's own. With Look.Fixed it is about the best option with these values. Under a context Answers and Given count the answers that
// were given there, while what it says rests on all; the budget is that of each context.
func (s *Study) Verdict(ctx context.Context, l Look) (Verdict, error) {
	v, err := s.look(ctx, l)
	if err != nil {
		return Verdict{}, err
	}
	out, err := s.stands(ctx, v)
	if err != nil {
		return Verdict{}, err
	}
	return out.For(v.given, v.budget), nil
}

// goingOn is a verdict before a budget ends it.
type goingOn struct {
	kind VerdictKind
	left [2]int
	late bool
}

// For returns the verdict as it is for a rater who is to give so many answers, 0 for no end, and has given some of them.
func (v Verdict) For(given, budget int) Verdict {
	v.Given, v.Budget = given, budget
	if v.open != nil {
		v.Kind, v.Left, v.Late, v.open = v.open.kind, v.open.left, v.open.late, nil
	}
	if left := budget - given; budget > 0 && v.Kind == KeepGoing {
		v.open = &goingOn{v.Kind, v.Left, v.Late}
		v.Left = [2]int{min(v.Left[0], left), min(v.Left[1], left)}
		if left <= 0 {
			v.Kind, v.Left, v.Late = BudgetReached, [2]int{}, false
			if v.Best.Displeased > 0.5 && v.Best.Taken < 0.5 && !v.FollowsOrder { // better said than that the pick is better than others
				v.Kind = NothingPleases
			}
		}
	}
	v.Sentence = v.sentence()
	return v
}

// stands is the verdict on a view, whatever the budget, without the Value of going on.
func (s *Study) stands(ctx context.Context, v view) (Verdict, error) {
	best, fit, err := s.pick(ctx, v)
	if err != nil {
		return Verdict{}, err
	}
	out := Verdict{Kind: KeepGoing, Best: best, Answers: v.answers, Raters: v.voices, Calibration: v.calibration}
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
		checked, err := v.checkPick(best.Option, s.cfg.moved(v.code))
		if err != nil {
			return Verdict{}, err
		}
		out.Blind = &checked
	}
	var enough, decided bool
	if v.answers >= s.cfg.Initial && (out.Blind == nil || out.Blind.Kind != "fails") {
		if decided, err = v.decided(fit.Belief, best.Option); err != nil {
			return Verdict{}, err
		}
		if enough, out.Untried, err = s.enough(ctx, v, best); err != nil {
			return Verdict{}, err
		}
	}
	if out.Kind = s.cfg.ending(v, out, enough, decided); out.Kind == KeepGoing {
		out.Left, out.Late = s.cfg.left(v.code, v.answers)
		if n := len(out.Untried); n > 0 {
			out.Left[0], out.Left[1] = n, max(n, out.Left[1])
		}
	}
	s.cfg.mistrust(&out, v)
	return out, nil
}

// ending returns the kind of a verdict, whatever the budget.
func (cfg *Config) ending(v view, out Verdict, enough, decided bool) VerdictKind {
	best := out.Best
	switch {
	case v.answers >= max(chanceAnswers, cfg.Initial) && out.Surprise >= chanceOdds && v.code.List == nil && len(v.code.Axes) <= chanceAxes:
		return Chance
	case v.answers >= max(displeasedAnswers, cfg.Initial) && best.Displeased >= cfg.Confidence && best.Taken < 0.5:
		return NothingPleases
	case enough && best.Confidence >= cfg.Confidence && best.RivalClose > tieShare && best.Rival != nil:
		return PracticalTie
	case enough && best.Confidence >= cfg.Confidence:
		return ClearWinner
	case enough:
		return GoodEnough
	case decided && best.Top >= cfg.Confidence: // no question is worth the margin that surely asks for
		return GoodEnough
	}
	return KeepGoing
}

// enough reports whether the last picks were all known to be good and nothing near the best is untried, which it returns else.
func (s *Study) enough(ctx context.Context, v view, best Best) (bool, [][2]space.Option, error) {
	before, err := best, error(nil)
	for back := 0; back < patience && back < v.Own(v.rater).Duels.Len(); back++ {
		if back > 0 {
			if before, err = s.picked(ctx, v.before(back)); err != nil {
				return false, nil, err
			}
		}
		if !before.known(s.cfg.Confidence) {
			return false, nil, nil
		}
	}
	untried, err := s.cfg.untried(v, best)
	return untried == nil, untried, err
}
