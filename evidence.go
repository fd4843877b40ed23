package prefer

import "github.com/prefer-bo/prefer/gp"

// evidence is what is learned from: duels, and who gave their answers.
type evidence struct {
	duels  *gp.Duels
	raters []string // by the numbers in duels.Rater, in the order of their first answer
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

// learned collects the answers as the model sees them, those of one rater if only is not nil; undone
// and skipped ones and checks are left out.
func (s *state) learned(only *string) evidence {
	ev := evidence{duels: &gp.Duels{Dim: s.code.dim}}
	d := ev.duels
	number := map[string]int{}
	for _, t := range s.answers {
		if t.undone || t.answer.Check || only != nil && t.rater != *only {
			continue
		}
		add := func(a, b []float64, o gp.Outcome) {
			r, ok := number[t.rater]
			if !ok {
				r = len(ev.raters)
				number[t.rater] = r
				ev.raters = append(ev.raters, t.rater)
			}
			d.A, d.B = append(d.A, a...), append(d.B, b...)
			d.Outcome, d.Rater = append(d.Outcome, o), append(d.Rater, r)
			if d.Level != nil {
				d.Level = append(d.Level, false)
			}
		}
		below := func(x []float64) {
			add(x, x, -1)
			if d.Level == nil {
				d.Level = make([]bool, len(d.Outcome))
			}
			d.Level[len(d.Outcome)-1] = true
		}
		switch k, _ := t.answer.Choice.info(); {
		case !k.Teaches:
		case k.Choice == BothBad && s.cfg.BothBad == AtLevel:
			if len(s.answers) <= denseLimit {
				below(t.a)
				below(t.b)
			}
		case k.Choice == BothBad:
			if !s.cfg.Answers.Forced {
				add(t.a, t.b, 0)
			}
			if inc := t.question.incumbent; inc != nil && gap(inc, t.a) > sameOption && gap(inc, t.b) > sameOption {
				add(inc, t.a, 1)
				add(inc, t.b, 1)
			}
		default:
			add(t.a, t.b, t.answer.outcome())
		}
	}
	return ev
}

// displeased returns the number of the first rater whose level of acceptance the answers speak of, −1 if there is none.
func (ev evidence) displeased() int {
	for i, is := range ev.duels.Level {
		if is {
			return ev.duels.Rater[i]
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
		if only == nil || q.Rater == *only {
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
