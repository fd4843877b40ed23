package prefer

import (
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
)

// evidence is what is learned from: duels, and who gave their answers.
type evidence struct {
	duels   *gp.Duels
	raters  []string // by the numbers in duels.Rater, in the order of their first answer
	kin     bool     // these are answers of several tastes
	team    bool     // of which all raters of the study share one
	dropped int      // statements about options alone, for which there are too many answers
}

// BothBadKind says what "both bad" means to the model.
type BothBadKind string

const (
	// AtLevel: both options are below the level from which on the rater would take one, a latent of hers (docs/math.md).
	// Where answers are so many that inference is sparse it teaches nothing.
	AtLevel BothBadKind = "level"
	// AsTie: a tie (where ties are offered) and a lost duel of each option against the incumbent at the time of asking,
	// unless it is one of the pair.
	AsTie BothBadKind = "tie"
)

// learned collects the answers as the model sees them, those that teach about one rater's utility if only is not nil; undone
// and skipped ones and checks are left out, and those of raters whom nobody is to learn from.
func (s *state) learned(only *string) evidence {
	if ev := s.together(only); ev.kin {
		return ev
	}
	return s.unmixed(only)
}

// unmixed collects the answers of one taste: those of one rater if only is not nil, else everybody's who is not left out.
func (s *state) unmixed(only *string) evidence {
	ev := evidence{duels: &gp.Duels{Dim: s.code.Dim}}
	s.collect(&ev, func(t *told) bool { return s.heeds(t.rater, only) }, func(rater string) bool { return s.heeds(rater, only) })
	if ev.duels.Len() > denseLimit {
		return ev.preferences()
	}
	return ev
}

// collect adds what the answers teach for which use is true, and what raters would take for whom level is.
func (s *state) collect(ev *evidence, use func(*told) bool, level func(rater string) bool) {
	for _, t := range s.answers {
		if !t.counts() || !use(t) {
			continue
		}
		switch k, _ := t.answer.Choice.info(); {
		case k.Choice == BothBad && s.cfg.BothBad == AtLevel:
			ev.addLevel(t.a, false, t.rater)
			ev.addLevel(t.b, false, t.rater)
		case k.Choice == BothBad:
			if !s.cfg.Answers.Forced {
				ev.add(t.a, t.b, 0, t.rater)
			}
			if inc := t.question.incumbent; inc != nil && coding.Gap(inc, t.a) > coding.SameOption && coding.Gap(inc, t.b) > coding.SameOption {
				ev.add(inc, t.a, 1, t.rater)
				ev.add(inc, t.b, 1, t.rater)
			}
		default:
			ev.add(t.a, t.b, t.answer.outcome(), t.rater)
		}
	}
	if ev.duels.Level != nil { // what somebody would take matters where something was bad; else it would only move the pick
		for _, t := range s.takes {
			if level(t.rater) {
				ev.addLevel(t.a, t.take, t.rater)
			}
		}
	}
}

// add appends a duel of a rater.
func (ev *evidence) add(a, b []float64, o gp.Outcome, rater string) {
	if ev.team && !isEarlier(rater) {
		rater = team
	}
	r := slices.Index(ev.raters, rater)
	if r < 0 {
		r = len(ev.raters)
		ev.raters = append(ev.raters, rater)
	}
	d := ev.duels
	d.A, d.B = append(d.A, a...), append(d.B, b...)
	d.Outcome, d.Rater = append(d.Outcome, o), append(d.Rater, r)
	if d.Level != nil {
		d.Level = append(d.Level, false)
	}
}

// addLevel appends what a rater said about an option alone: that she would take it, or not.
func (ev *evidence) addLevel(x []float64, above bool, rater string) {
	o := gp.Outcome(-1)
	if above {
		o = 1
	}
	ev.add(x, x, o, rater)
	d := ev.duels
	if d.Level == nil {
		d.Level = make([]bool, d.Len())
	}
	d.Level[d.Len()-1] = true
}

// preferences returns the evidence without what was said about options alone.
func (ev evidence) preferences() evidence {
	d := ev.duels
	if d.Level == nil {
		return ev
	}
	out := evidence{duels: &gp.Duels{Dim: d.Dim}}
	for i, o := range d.Outcome {
		if d.Level[i] {
			out.dropped++
		} else {
			out.add(d.A[i*d.Dim:(i+1)*d.Dim], d.B[i*d.Dim:(i+1)*d.Dim], o, ev.raters[d.Rater[i]])
		}
	}
	return out
}

// displeased returns the number of the first rater whose level of acceptance the answers speak of, −1 if there is none; of several
// with a utility each, that of the one who is looked at.
func (v view) displeased() int {
	for i, is := range v.duels.Level {
		if is && (!v.kin || v.raters[v.duels.Rater[i]] == v.rater) {
			return v.duels.Rater[i]
		}
	}
	return -1
}

// head returns the first n duels.
func (ev evidence) head(n int) evidence {
	d := ev.duels
	ev.duels = &gp.Duels{Dim: d.Dim, A: d.A[:n*d.Dim], B: d.B[:n*d.Dim], Outcome: d.Outcome[:n]}
	if d.Rater != nil {
		ev.duels.Rater = d.Rater[:n]
	}
	if d.Level != nil {
		ev.duels.Level = d.Level[:n]
	}
	return ev
}

// shown returns the options of all questions and observed duels, those of one rater if only is not nil, row
// by row.
func (s *state) shown(only *string) []float64 {
	var x []float64
	for _, q := range s.order {
		if !q.isBlind() && !q.isPractice() && (only == nil || q.Rater == *only) {
			x = append(append(x, q.a...), q.b...)
		}
	}
	for _, t := range s.answers {
		if t.question == nil && !t.undone && (only == nil || t.rater == *only) {
			x = append(append(x, t.a...), t.b...)
		}
	}
	return x
}
