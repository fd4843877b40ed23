package prefer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
)

// Best is the study's pick.
type Best struct {
	Option Option `json:"option"`

	// Mean and SD are the pick's utility and its uncertainty, in units of the noise.
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`

	// Confidence is the probability that no option is better by more than a rater would notice, or more
	// than Config.Tolerance.
	Confidence float64 `json:"confidence"`

	// Rival is the strongest option far from the pick, and RivalClose the probability that it, or
	// another far one, is as good to the eye. Nil if no draw of the utility knew one.
	Rival      Option  `json:"rival,omitempty"`
	RivalClose float64 `json:"rival_close"`
}

// VerdictKind is where a study stands.
type VerdictKind string

const (
	// KeepGoing: more answers are worth it.
	KeepGoing VerdictKind = "keep_going"
	// ClearWinner: the pick is as good as anything, and nothing far from it is.
	ClearWinner VerdictKind = "clear_winner"
	// PracticalTie: the pick is as good as anything, and so, to the eye, is something else.
	PracticalTie VerdictKind = "practical_tie"
)

// Verdict says whether to go on, and how sure that is.
type Verdict struct {
	Kind VerdictKind `json:"kind"`
	Best Best        `json:"best"`

	// Value is what the next question is expected to add to the utility of the pick, in units of the
	// noise: the knowledge gradient minus the best mean.
	Value float64 `json:"value"`

	// Left is a rough range for the number of questions until a verdict: about half of all simulated
	// studies were within. Both are 0 when done.
	Left Range `json:"left"`

	// Sentence says it in English. It is made of the other fields, which are complete.
	Sentence string `json:"sentence"`
}

// Range is a range of whole numbers, both ends included. In JSON it is [low, high].
type Range struct{ Low, High int }

// MarshalJSON writes [low, high].
func (r Range) MarshalJSON() ([]byte, error) { return json.Marshal([2]int{r.Low, r.High}) }

// UnmarshalJSON reads [low, high].
func (r *Range) UnmarshalJSON(data []byte) error {
	var ends [2]int
	if err := json.Unmarshal(data, &ends); err != nil {
		return err
	}
	*r = Range{ends[0], ends[1]}
	return nil
}

const (
	patience    = 2   // answers in a row after which the pick must have been sure enough
	worthAsking = 0.1 // a question worth more than this part of a just-noticeable difference is asked
	tieShare    = 0.5 // a rival as good to the eye in more than this part of the draws makes a tie
)

// tolerance returns the difference that matters, in units of the noise.
func (c Config) tolerance(p *gp.Posterior) float64 {
	if c.Tolerance > 0 {
		return c.Tolerance
	}
	return jnd(p)
}

// jnd returns the just-noticeable difference in units of the noise: δ where ties are offered, the 75 %
// point of the rater's noise elsewhere.
func jnd(p *gp.Posterior) float64 {
	if p.Answers().Ties {
		return p.Hyper().Cuts[0]
	}
	return forcedJND
}

const forcedJND = 0.6744897501960817 // Φ⁻¹(0.75)

// Best returns the option with the highest expected utility to a rater and how sure that pick is; in a shared study it
// is everybody's, whoever is named.
func (s *Study) Best(ctx context.Context, rater string) (Best, error) {
	v, err := s.look(ctx, rater)
	if err != nil {
		return Best{}, err
	}
	b, _, err := s.pick(ctx, v)
	return b, err
}

// pick is a Best and what it depends on besides the fit and the study.
type pick struct {
	code  *coding
	shown []float64
	best  Best
}

// pick computes Best for a view, or remembers it: whoever wants a verdict has often looked at the best before.
func (s *Study) pick(ctx context.Context, v view) (Best, *gp.Posterior, error) {
	fit, err := s.fits.get(ctx, v.evidence, v.code.scales)
	if err != nil {
		return Best{}, nil, err
	}
	post := fit.post
	fit.mu.Lock()
	defer fit.mu.Unlock()
	if last := fit.picked; last.code == v.code && slices.Equal(last.shown, v.shown) {
		return last.best.clone(), post, nil
	}
	peaks := s.recommend(ctx, fit, v)
	if err := ended(ctx); err != nil {
		return Best{}, nil, err
	}
	sd := post.Noise()
	at := sure(post, v.code, peaks, v.shown, s.cfg.tolerance(post)*sd, s.cfg.Seed)
	b := Best{
		Option: v.code.option(peaks[0].X), Mean: peaks[0].Mean / sd,
		SD:         math.Sqrt(math.Max(0, post.Variance(peaks[0].X))) / sd,
		Confidence: at.within, RivalClose: at.rival,
	}
	if at.other != nil {
		b.Rival = v.code.option(at.other)
	}
	fit.picked = pick{v.code, v.shown, b}
	return b.clone(), post, nil
}

func (b Best) clone() Best {
	b.Option, b.Rival = b.Option.clone(), b.Rival.clone()
	return b
}

// Verdict says whether the study is done: when the pick has been sure enough (Config.Confidence) after
// each of the last two answers and the next question is worth little; a single high reading is often
// luck.
//
// How far its confidence can be trusted was simulated (docs/verdict.md): it is right about as often as it
// says where the utility is what the model takes it for, and far less often on landscapes of many
// narrow peaks, which a few dozen answers cannot tell from smooth ones. Its sentence says so.
//
// It is about a rater's utility; in a shared study about everybody's, whoever is named.
func (s *Study) Verdict(ctx context.Context, rater string) (Verdict, error) {
	v, err := s.look(ctx, rater)
	if err != nil {
		return Verdict{}, err
	}
	best, post, err := s.pick(ctx, v)
	if err != nil {
		return Verdict{}, err
	}
	out := Verdict{Kind: KeepGoing, Best: best}
	if !undecided(v.duels) {
		c, err := acquisition.Ask(ctx, "kg", acquisition.Task{Posterior: post, Shown: v.shown, Domain: v.code.domain(),
			Seed: s.cfg.Seed, Noise: s.cfg.LookAhead, Search: s.cfg.Search})
		if err := errors.Join(err, ended(ctx)); err != nil {
			return Verdict{}, err
		}
		out.Value = math.Max(0, c.Value) / post.Noise()
	}
	done := v.duels.Len() >= max(patience, s.cfg.Initial) && best.Confidence >= s.cfg.Confidence &&
		out.Value <= worthAsking*s.cfg.tolerance(post)
	for back := 1; done && back < patience; back++ {
		before, _, err := s.pick(ctx, v.without(back))
		if err != nil {
			return Verdict{}, err
		}
		done = before.Confidence >= s.cfg.Confidence
	}
	switch {
	case !done:
		out.Left = left(best.Confidence, s.cfg.Confidence, s.cfg.Space.dim(), !s.cfg.Answers.Forced)
		out.Sentence = fmt.Sprintf("keep going: %.0f %% sure so far, about %d to %d more questions", 100*best.Confidence, out.Left.Low, out.Left.High)
	case best.RivalClose > tieShare:
		out.Kind = PracticalTie
		out.Sentence = fmt.Sprintf("done: if taste is as smooth as it looks, %.0f %% sure that nothing is noticeably better, though %v may be as good", 100*best.Confidence, best.Rival)
	default:
		out.Kind = ClearWinner
		out.Sentence = fmt.Sprintf("done: this one; if taste is as smooth as it looks, %.0f %% sure that nothing is noticeably better", 100*best.Confidence)
	}
	if n := v.code.items.unseen(v.shown); n > 0 && done && len(v.code.axes) == 0 {
		out.Sentence += fmt.Sprintf("; %d of %d items were never shown", n, len(v.code.items.back))
	}
	return out, nil
}

// left predicts how many questions are left, roughly. In those simulations that reached a verdict the doubt
// 1 − confidence fell by a factor e every 16 to 32 answers (medians of utilities drawn from the prior in
// two dimensions and of the paper's problems in two to seven; quartiles at about 0.65 and 1.5 of that); in
// one dimension every 2.4 with two outcomes and every 11 with ties.
func left(confidence, target float64, d int, ties bool) Range {
	tau := 20.0
	switch {
	case d == 1 && ties:
		tau = 11
	case d == 1:
		tau = 2.4
	}
	n := tau * math.Max(0, math.Log((1-confidence)/(1-target)))
	scale := func(f float64) int { return int(math.Round(math.Min(patience+f*n, maxLeft))) }
	return Range{scale(0.65), scale(1.5)}
}

// maxLeft is as far as left looks ahead.
const maxLeft = 999
