package prefer

import (
	"context"
	"fmt"
	"maps"
	"math"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/space"
)

// blindPair says what a blind duel is of: the study's pick against a rival. Nobody who answers can tell which is which.
type blindPair struct {
	Pick  Choice `json:"pick"`  // the side of the pick, First or Second
	Rival string `json:"rival"` // how the other option was chosen
}

const (
	rivalStrong = "strong" // the rival of the verdict, the next of a list, another peak of the utility, or the best that was shown elsewhere
	rivalRandom = "random" // drawn evenly from all options
)

func (b *blindPair) validate() error {
	switch {
	case b == nil:
		return nil
	case b.Pick != First && b.Pick != Second:
		return fmt.Errorf("blind.pick = %q, want first or second", b.Pick)
	case b.Rival != rivalStrong && b.Rival != rivalRandom:
		return fmt.Errorf("blind.rival = %q, want strong or random", b.Rival)
	}
	return nil
}

// isBlind reports whether a question is a blind duel; there may be none, as with an observed duel.
func (q *asked) isBlind() bool { return q != nil && q.Blind != nil }

// blindDuel is a blind duel as it is at one moment.
type blindDuel struct {
	*blindPair
	pick, rival []float64
	rater       string
	said        Choice // empty while it is open
}

func (q *asked) blind() blindDuel {
	d := blindDuel{blindPair: q.Blind, pick: q.a, rival: q.b, rater: q.Rater}
	if q.Blind.Pick == Second {
		d.pick, d.rival = q.b, q.a
	}
	if q.answer != nil {
		d.said = q.answer.answer.Choice
	}
	return d
}

// moved returns how far a pick may be from an earlier one and be the same to a person.
func (cfg *Config) moved(c *coding.Coding) float64 {
	if c.List != nil {
		return coding.SameOption
	}
	return math.Max(cfg.Separation, coding.SameOption)
}

// blindPick returns the pick of a view, and what is known about it. A study in which nobody has preferred anything has none.
func (s *Study) blindPick(ctx context.Context, v view) (Best, *learn.Fit, error) {
	if undecided(v.Own(v.rater).Duels) {
		return Best{}, nil, notFound("no_pick", "nobody has preferred anything so far, answer some questions first")
	}
	return s.pick(ctx, v)
}

// askBlind asks a blind duel of the pick, or returns the one that is open. The study learns nothing from it: its next question is what it would be without.
func (s *Study) askBlind(ctx context.Context, r Request) (Question, error) {
	if r.Hold != nil || len(r.Fixed) > len(s.cfg.Space.Context(r.Fixed)) || r.Repeat != "" || r.Catch != nil {
		return Question{}, coding.Refuse("option", "Request.Blind leaves no choice of options, so it goes without Hold, Repeat and Catch, and Fixed has contexts alone")
	}
	for {
		v, err := s.look(ctx, Look{r.Rater, r.Fixed})
		if err != nil {
			return Question{}, err
		}
		best, fit, err := s.blindPick(ctx, v)
		if err != nil {
			return Question{}, err
		}
		d, err := s.cfg.nextBlind(ctx, v, r.Rater, best, fit.Belief)
		if err != nil {
			return Question{}, err
		}
		s.mu.Lock()
		q, ok, err := s.keepBlind(ctx, v, r, best.Option, d)
		s.mu.Unlock()
		if ok || err != nil {
			return q, err
		}
	}
}

// nextBlind returns the next duel of the pick for a rater. Its rivals are strong and random by turns, as long as there are any the rater has not had; the
// strong ones are that of the verdict, then others by their means. The rival is nil if there is none left.
func (cfg *Config) nextBlind(ctx context.Context, v view, rater string, best Best, belief learn.Belief) (d blindDuel, err error) {
	if d.pick, err = v.code.Unit(best.Option); err != nil {
		return d, err
	}
	near, had := cfg.moved(v.code), [][]float64{d.pick}
	for _, past := range v.blind {
		if past.rater == rater && v.code.Gap(past.pick, d.pick) <= near {
			had = append(had, past.rival)
		}
	}
	var strong [][]float64
	if u, err := v.code.Unit(best.Rival); best.Rival != nil && err == nil {
		strong = append(strong, u)
	}
	strong = append(strong, pairs.Rivals(ctx, v.code, d.pick, v.shown, belief, near, cfg.Seed, cfg.Search.Workers)...)
	first, random := pairs.Rival(v.code, had, strong, near, splitmix.At(cfg.Seed^0xd1ce, uint64(len(v.blind))))
	if d.blindPair, d.rival = (&blindPair{First, rivalRandom}), random; random == nil || first != nil && len(had)%2 == 1 {
		d.Rival, d.rival = rivalStrong, first
	}
	if splitmix.At(cfg.Seed^0xb11d, uint64(len(v.blind)))&1 == 1 {
		d.Pick = Second
	}
	return d, nil
}

// keepBlind appends a blind duel unless one of the pick is open; ok is false if questions were asked, or items joined or left, since the view. The
// caller holds mu.
func (s *Study) keepBlind(ctx context.Context, v view, r Request, best space.Option, d blindDuel) (_ Question, ok bool, err error) {
	if err := ended(ctx); err != nil {
		return Question{}, false, err
	}
	if len(s.state.order) != v.asked || s.state.list != v.code.All() {
		return Question{}, false, nil
	}
	same := s.cfg.moved(v.code)
	for _, q := range s.state.open[r.Rater] {
		if !r.Another && q.isBlind() && !s.state.withdrawn(q) && maps.Equal(q.Fixed, r.Fixed) && v.code.Gap(q.blind().pick, d.pick) <= same {
			return s.state.pose(q.Question), true, nil
		}
	}
	if d.rival == nil {
		return Question{}, false, notFound("no_rival", "every other option has been put against the pick")
	}
	q := Question{ID: s.state.nextQuestion(), Rater: r.Rater, Method: methodBlind, Blind: d.blindPair, Fixed: maps.Clone(r.Fixed), First: best, Second: v.code.Option(d.rival)}
	if d.Pick == Second {
		q.First, q.Second = q.Second, q.First
	}
	if err := s.append(ctx, Event{Kind: kindAsked, Asked: &q}); err != nil {
		return Question{}, false, err
	}
	return s.state.pose(q), true, nil
}

// BlindCheck is what blind duels say about the study's pick. It rests on no model: it counts.
type BlindCheck struct {
	// Kind is "unchecked" if there were no duels of this pick, "holds" if the pick is taken more often than its rivals (Low > 1/2), "fails" if they are taken
	// more often (High < 1/2), and "undecided" if there were too few, or rivals are as good.
	Kind string       `json:"kind"`
	Pick space.Option `json:"pick"`

	// Tally counts all duels of the pick but skips: Won, Lost and Tied (can't tell, both bad) Of so many, and Low and High, the 95 % interval of
	// Wilson for the share of wins, in which a tie is half a win. Strong and Random count those against either kind of rival.
	crowd.Tally
	Strong crowd.Tally `json:"strong"`
	Random crowd.Tally `json:"random"`

	// Stale counts the duels of an earlier pick, further from this one than Config.Separation: they say nothing about it.
	Stale int `json:"stale"`

	// Take and Decline count the raters who said that they would take the pick, and that they would not; see Study.Accept.
	Take    int `json:"take"`
	Decline int `json:"decline"`

	// Sentence says it in English. It is made of the other fields, which are complete.
	Sentence string `json:"sentence"`
}

// Blind says how a rater's pick did in the blind duels that were asked with Request.Blind; in a shared study it is
// everybody's pick and everybody's duels, whichever rater is named. A study that has no pick yet is refused ("no_pick").
//
// The interval is about duels against rivals chosen like these, and honest for a number of them that was fixed before: who
// goes on until it holds will be told that it holds.
func (s *Study) Blind(ctx context.Context, l Look) (BlindCheck, error) {
	v, err := s.look(ctx, l)
	if err != nil {
		return BlindCheck{}, err
	}
	best, _, err := s.blindPick(ctx, v)
	if err != nil {
		return BlindCheck{}, err
	}
	return v.checkPick(best.Option, s.cfg.moved(v.code))
}

// checkPick counts the blind duels of a pick, and of those that are not further away than near.
func (v view) checkPick(best space.Option, near float64) (BlindCheck, error) {
	pick, err := v.code.Unit(best)
	if err != nil {
		return BlindCheck{}, err
	}
	out := v.checked(pick, near)
	out.Pick = best
	return out, nil
}

// checked is checkPick for a point.
func (v view) checked(pick []float64, near float64) BlindCheck {
	var out BlindCheck
	for _, d := range v.blind {
		k, _ := d.said.info()
		switch {
		case d.said == "" || d.said == Skip:
		case v.code.Gap(d.pick, pick) > near:
			out.Stale++
		default:
			side, of := k.Side, &out.Random
			if d.Pick == Second {
				side = -side
			}
			if d.Rival == rivalStrong {
				of = &out.Strong
			}
			out.Count(side)
			of.Count(side)
		}
	}
	for _, t := range v.takes {
		switch {
		case v.code.Gap(t.a, pick) > near:
		case t.take:
			out.Take++
		default:
			out.Decline++
		}
	}
	for _, b := range []*crowd.Tally{&out.Tally, &out.Strong, &out.Random} {
		b.Interval()
	}
	switch {
	case out.Of == 0:
		out.Kind = "unchecked"
	case out.Low > 0.5:
		out.Kind = "holds"
	case out.High < 0.5:
		out.Kind = "fails"
	default:
		out.Kind = "undecided"
	}
	out.Sentence = sentence.Blind(out.Kind, out.Won, out.Of, out.Tied, out.Low, out.High).English()
	return out
}
