package learn

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// Evidence is what a model learns from: duels, and the raters who answered them.
type Evidence struct {
	Duels    *gp.Duels
	Scales   []int    // gp.Model.Scales of their coordinates
	Raters   []string // by their numbers in Duels.Rater, in the order of their first answers
	PerRater bool     // every rater has a utility of their own, correlated with those of the others
	Pooled   bool     // all raters of the study are one rater; the others are those of an earlier study
}

func (ev *Evidence) Add(a, b []float64, o gp.Outcome, rater string) {
	r := slices.Index(ev.Raters, rater)
	if r < 0 {
		r = len(ev.Raters)
		ev.Raters = append(ev.Raters, rater)
	}
	d := ev.Duels
	d.A, d.B = append(d.A, a...), append(d.B, b...)
	d.Outcome, d.Rater = append(d.Outcome, o), append(d.Rater, r)
	if d.Level != nil {
		d.Level = append(d.Level, false)
	}
	if d.Side != nil {
		d.Side = append(d.Side, 0)
	}
}

// AddSided appends a duel with the side that a was shown on, as gp.Duels.Side has it.
func (ev *Evidence) AddSided(a, b []float64, o gp.Outcome, rater string, side int8) {
	ev.Add(a, b, o, rater)
	d := ev.Duels
	if side != 0 && d.Side == nil {
		d.Side = make([]int8, d.Len())
	}
	if side != 0 {
		d.Side[d.Len()-1] = side
	}
}

// AddLevel appends a statement about one option: the rater would take it, or would not.
func (ev *Evidence) AddLevel(x []float64, above bool, rater string) {
	o := gp.Outcome(-1)
	if above {
		o = 1
	}
	ev.Add(x, x, o, rater)
	d := ev.Duels
	if d.Level == nil {
		d.Level = make([]bool, d.Len())
	}
	d.Level[d.Len()-1] = true
}

// Preferences returns the evidence without statements about single options.
func (ev Evidence) Preferences() Evidence {
	if ev.Duels.Level == nil {
		return ev
	}
	return ev.only(func(i int) bool { return !ev.Duels.Level[i] })
}

// Own returns the rater's own answers, without those of other raters.
func (ev Evidence) Own(rater string) Evidence {
	if !ev.PerRater {
		return ev
	}
	return ev.only(func(i int) bool { return ev.Raters[ev.Duels.Rater[i]] == rater })
}

// only returns the duels that keep is true of, with the raters who answered them.
func (ev Evidence) only(keep func(i int) bool) Evidence {
	d := ev.Duels
	out := Evidence{Duels: &gp.Duels{Dim: d.Dim}, Scales: ev.Scales}
	for i, o := range d.Outcome {
		a, b, rater := d.A[i*d.Dim:(i+1)*d.Dim], d.B[i*d.Dim:(i+1)*d.Dim], ev.Raters[d.Rater[i]]
		switch {
		case !keep(i):
		case d.Level != nil && d.Level[i]:
			out.AddLevel(a, o > 0, rater)
		case d.Side != nil:
			out.AddSided(a, b, o, rater, d.Side[i])
		default:
			out.Add(a, b, o, rater)
		}
	}
	return out
}

// Without returns the evidence without rater number r.
func (ev Evidence) Without(r int) Evidence {
	return ev.only(func(i int) bool { return ev.Duels.Rater[i] != r })
}

func (ev Evidence) Head(n int) Evidence {
	d := ev.Duels
	ev.Duels = &gp.Duels{Dim: d.Dim, A: d.A[:n*d.Dim], B: d.B[:n*d.Dim], Outcome: d.Outcome[:n]}
	if d.Rater != nil {
		ev.Duels.Rater = d.Rater[:n]
	}
	if d.Level != nil {
		ev.Duels.Level = d.Level[:n]
	}
	if d.Side != nil {
		ev.Duels.Side = d.Side[:n]
	}
	return ev
}

// first returns the first n duels with their raters alone, so that raters who learn from the same answers share what is fitted to them.
func (ev Evidence) first(n int) Evidence {
	ev = ev.Head(n)
	if n > 0 && ev.Duels.Rater != nil { // numbered as they come
		ev.Raters = ev.Raters[:slices.Max(ev.Duels.Rater)+1]
	}
	return ev
}

func (ev Evidence) HasOthers(rater string) bool {
	return slices.ContainsFunc(ev.Raters, func(r string) bool { return r != rater })
}

// chosenMost is how many preferences say what a rater would take: the last ones, which are about the best options.
const chosenMost = 12

// Chosen returns what rater number r preferred to something else after they first said something about a single option, row by row; nothing for −1. Somebody
// who calls options bad and does not call these so would probably take the one they prefer.
func (ev Evidence) Chosen(r int) (rows []float64) {
	d, says := ev.Duels, false
	for i, o := range d.Outcome {
		switch {
		case r < 0 || d.Rater[i] != r || o == 0:
		case d.Level[i]:
			says = true
		case says && o > 0:
			rows = append(rows, d.A[i*d.Dim:(i+1)*d.Dim]...)
		case says:
			rows = append(rows, d.B[i*d.Dim:(i+1)*d.Dim]...)
		}
	}
	return rows[max(0, len(rows)-chosenMost*d.Dim):]
}

// LevelRater returns the number of the first rater with a statement about a single option, −1 if there is none. Where raters have
// utilities of their own only the rater named counts.
func (ev Evidence) LevelRater(rater string) int {
	for i, is := range ev.Duels.Level {
		if is && (!ev.PerRater || ev.Raters[ev.Duels.Rater[i]] == rater) {
			return ev.Duels.Rater[i]
		}
	}
	return -1
}

// find returns the number of the duel with these options and outcome, −1 if there is none; of several it is the first.
func (ev Evidence) find(a, b []float64, outcome gp.Outcome) int {
	d := ev.Duels
	for i, o := range d.Outcome {
		row := func(x []float64) []float64 { return x[i*d.Dim : (i+1)*d.Dim] }
		if o == outcome && (d.Level == nil || !d.Level[i]) && slices.Equal(row(d.A), a) && slices.Equal(row(d.B), b) {
			return i
		}
	}
	return -1
}

// Undecided reports whether all duels are ties, or there are none: then the posterior mean is flat, every
// option is the best one, and a method has nothing to improve on.
func (ev Evidence) Undecided() bool {
	return !slices.ContainsFunc(ev.Duels.Outcome, func(o gp.Outcome) bool { return o != 0 })
}

// TeachesSame reports whether a model learns the same from both.
func (ev Evidence) TeachesSame(o Evidence) bool {
	a, b := ev.Duels, o.Duels
	return ev.PerRater == o.PerRater && a.Dim == b.Dim && slices.Equal(a.Outcome, b.Outcome) && slices.Equal(a.Rater, b.Rater) && slices.Equal(a.Level, b.Level) && slices.Equal(a.Side, b.Side) &&
		slices.Equal(ev.Raters, o.Raters) &&
		slices.Equal(a.A, b.A) && slices.Equal(a.B, b.B)
}

// refit is a step of the schedule by which hyper-parameters are fitted: at every count of duels up to RefitAlways, and beyond at counts that grow by a
// constant factor. A fit to more than RefitAtOnce duels takes effect one step later, so that it can be computed while its answers come in.
type refit struct {
	since  int // the count of duels from which on it is in effect
	fitted int // how many of the first duels hyper-parameters are fitted to
	next   int // the count of duels at which the next step takes effect
}

// refitAt returns the step in effect after n duels.
func (ev Evidence) refitAt(n int) refit {
	always, growth, limit := RefitAlways, RefitGrowth, n
	if ev.PerRater {
		always, growth, limit = PerRaterAlways, PerRaterGrowth, CrowdLimit
	}
	step := func(at int) int {
		if at <= RefitAtOnce {
			return at / min(growth, RefitEarly)
		}
		return at / growth
	}
	if n < always {
		return refit{since: n, fitted: min(n, limit), next: n + 1}
	}
	r := refit{since: always, fitted: min(always, limit), next: always + step(always)}
	for r.next <= n {
		at := r.next
		if at > RefitAtOnce {
			at = r.since
		}
		if at <= limit {
			r.fitted = at
		}
		r.since, r.next = r.next, r.next+step(r.next)
	}
	return r
}

// HasSites reports whether the posterior has one site per duel: only then can a duel be taken out of it.
func (f *Fit) HasSites() bool { return len(f.Belief.Parts[0].Sites().Lambda) == f.Duels.Len() }

// contradictory is the share of the highest probability that an answer can have below which it contradicts the rest. The highest is 1 for a
// preference; for a tie it is that between two equal options.
const contradictory = 0.1

// Contradicts returns the probability of an answer given all others, and whether it is so low that the answer contradicts them; neither of one that was not
// learned from. Ask HasSites first.
func (f *Fit) Contradicts(t Answered) (chance float64, contradicts bool) {
	i := f.find(t.A, t.B, t.Outcome)
	if !t.Compares || i < 0 {
		return 0, false
	}
	p, most := f.leaveOneOut(i, t.Rater)
	return p, p < contradictory*most
}

// leaveOneOut returns how probable the side that duel i took is without it, and the highest probability that it can have.
func (f *Fit) leaveOneOut(i int, rater string) (p, most float64) {
	d, r, inverse := f.Duels, slices.Index(f.Raters, rater), 0.0
	for k, post := range f.Belief.Parts {
		mean, v := post.Cavity(d, i)
		var one, top float64
		for _, o := range post.Answers().Outcomes() {
			if Side(o) == Side(d.Outcome[i]) {
				iv := post.Hyper().Cuts.Interval(o, post.Noise())
				one += iv.Prob(mean, v, post.RaterNoise(r))
				top += iv.Prob(0, 0, post.RaterNoise(r))
			}
		}
		if Side(d.Outcome[i]) != 0 {
			top = 1
		}
		inverse += f.Belief.Weights[k] / math.Max(one, 1e-300)
		most += f.Belief.Weights[k] * top
	}
	return 1 / inverse, most
}

// Side returns 1, 0 or −1: which option an outcome prefers, however strongly.
func Side(o gp.Outcome) int { return min(max(int(o), -1), 1) }
