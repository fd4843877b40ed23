package prefer

import "strings"

// A rater follows the order if the side on which an option is shown explains their choices: of at least orderAnswers preferences k of n are for
// what was shown first, and the 99 % interval of Wilson for the share behind them does not contain one half. The interval is the score test solved for the
// share, so this is
//
//	|2k − n| > z √n,   Φ(z) = 0.995.
//
// Ties, both bad and skips take no side. Only sides drawn at random count: a coin of the study's seed decides which option of a question is
// its First. Observed duels have none, since an import puts the winner first; those of a catch question are its author's.
const (
	orderAnswers = 10
	orderZ       = 2.5758293035489004
)

// sideCount counts a rater's preferences by what was shown.
type sideCount struct{ first, of int }

// add counts an answer, if it takes a side that was drawn.
func (c *sideCount) add(t *told) {
	k, _ := t.answer.Choice.info()
	if k.Side == 0 || t.question == nil || t.question.Catch {
		return
	}
	c.of++
	if (k.Side > 0) != t.answer.Swapped {
		c.first++
	}
}

// follows reports whether these are the answers of somebody who follows the order.
func (c sideCount) follows() bool {
	if c.of < orderAnswers {
		return false
	}
	off, n := float64(2*c.first-c.of), float64(c.of)
	return off*off > orderZ*orderZ*n
}

// followers returns those who follow the order, by name: "ann#2" of old logs is ann with a second question.
func (st *state) followers() map[string]bool {
	counts := map[string]*sideCount{}
	for _, t := range st.answers {
		if t.undone || t.question.isBlind() || t.question.isPractice() {
			continue
		}
		name, _, _ := strings.Cut(t.rater, "#")
		if counts[name] == nil {
			counts[name] = &sideCount{}
		}
		counts[name].add(t)
	}
	out := map[string]bool{}
	for name, c := range counts {
		out[name] = c.follows()
	}
	return out
}

// mistrust keeps a verdict from being an ending where most of the answers behind it are of raters who follow the order, and says so. What remains an ending
// is that the answers look like chance, which claims nothing about the options; Verdict.For adds that of a budget.
func (s *Study) mistrust(out *Verdict, v view) {
	out.FollowsOrder = 2*v.ordered > v.answers
	if out.FollowsOrder && out.Kind.Done() && out.Kind != Chance {
		out.Kind = KeepGoing
		out.Left, out.Late = s.left(v.code, v.answers)
	}
}
