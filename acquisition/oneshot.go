package acquisition

import (
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Evaluations of the short searches that decide which starts go on, and how often a better x̂ found on the way may restart the finalists.
const (
	sprintEvals = 10
	adoptions   = 3
)

// oneShot is what the cube and a mixed region share of the search: the one-shot knowledge gradient (§3.1) is
// maximised over the question and its fantasy points together.
//
// What is climbed is log(KG − μ*), not KG. The gain KG − μ* falls from a tenth to a thousandth of the spread of f within a study while KG itself stays near
// μ*, so a relative tolerance on KG stops at a tenth of what there is to gain; the logarithm makes the tolerance relative to the gain and the step sizes
// independent of it. Where the gain is not positive the objective is −∞ and the line search backs off.
type oneShot struct {
	t    Task
	in   *region
	kg   knowledge
	more int // times as many starts and finalists as Search says

	peaks  []Peak    // of the mean, x̂ first
	rivals []float64 // challengers, row by row
	c      *candidates
	rank   ranker
	ranks  []ranked          // pairs of candidates, best first
	near   []ranked          // those with both options near x̂
	starts []float64         // one-shot points
	all    []maximize.Result // where climbs ended, best first

	// mend makes something to climb from of a one-shot point that is none.
	mend func(x []float64)
}

func newOneShot(t Task, in *region) oneShot {
	return oneShot{t: t, in: in, kg: t.knowledge(), more: 1}
}

func (s *oneShot) recommend(ctx context.Context) {
	s.adopt(s.in.recommend(ctx, s.t.utility(), s.t.Shown, s.t.Previous, s.t.Seed, s.t.Search.Workers)...)
}

// adopt puts peaks before those known; the first is x̂.
func (s *oneShot) adopt(peaks ...Peak) {
	s.peaks = append(peaks, s.peaks...)
	s.kg.over(s.peaks[0])
}

// rankAll ranks the pairs of the candidates.
func (s *oneShot) rankAll(c *candidates) {
	s.c, s.rank = c, s.kg.ranking(c, s.t.utility())
	s.ranks, s.near = s.rank.pairs()
}

// begin makes starts of the best pairs that are not much alike.
func (s *oneShot) begin() {
	for _, pr := range s.c.starts(s.ranks, s.near, s.more*s.t.Search.Starts) {
		x := make([]float64, s.kg.points()*s.in.d)
		s.rank.start(x, pr)
		s.mend(x)
		s.starts = append(s.starts, x...)
	}
}

// ascent climbs question and fantasy points.
func (s *oneShot) ascent() ascent {
	a := ascent{in: s.in, limits: s.in.question(s.t), units: s.units(), pair: true, short: true}
	for range s.kg.points() - 2 {
		a.limits = append(a.limits, s.in.anywhere())
	}
	return a
}

// climb climbs from all starts for a little while and goes on with the best. A fantasy point that beats x̂ becomes x̂, and they go on once more.
func (s *oneShot) climb(ctx context.Context) {
	d, a, effort := s.in.d, s.ascent(), s.t.Search
	newObjective := func() maximize.Objective { return logObjective(s.kg.evaluator()) }
	s.all = a.from(ctx, newObjective, s.starts, maximize.Settings{MaxEvals: sprintEvals, GradTol: 1e-5, ValueTol: 1e-4}, 1, effort.Workers)
	for range adoptions {
		count := s.promote(s.more * effort.Finalists)
		var finalists []float64
		for _, r := range s.all[:count] {
			finalists = append(finalists, r.X...)
		}
		s.all = append(a.from(ctx, newObjective, finalists, maximize.Settings{MaxEvals: effort.Evals, GradTol: 1e-4, ValueTol: 1e-6}, exchangeRounds, effort.Workers), s.all[count:]...)
		slices.SortStableFunc(s.all, byValue)
		peak, found := s.betterPeak(ctx, s.all[0].X[2*d:])
		if !found {
			break
		}
		s.adopt(peak)
		for _, r := range s.all { // what gained something over the old x̂ need not over the new one
			s.mend(r.X)
		}
	}
}

// promote moves the climbs that go on to the front and returns how many they are: the best ones that ended on hills of their own, a third of them near x̂.
// Questions near x̂ have little at first and are slow to climb to what they have; those about something far away start where they end.
func (s *oneShot) promote(count int) int {
	d := s.in.d
	count = min(count, len(s.all))
	chosen, rest := make([]maximize.Result, 0, len(s.all)), s.all
	take := func(most int, ok func(x []float64) bool) {
		var left []maximize.Result
		for _, r := range rest {
			hill := slices.ContainsFunc(chosen, func(c maximize.Result) bool { return samePair(r.X, c.X, d, sameHill) })
			if len(chosen) < most && !hill && ok(r.X) {
				chosen = append(chosen, r)
			} else {
				left = append(left, r)
			}
		}
		rest = left
	}
	near := func(x []float64) bool { return s.c.within(x[:d], s.c.row(0), 1) && s.c.within(x[d:2*d], s.c.row(0), 1) }
	take(count/3, near)
	take(count, func([]float64) bool { return true })
	slices.SortStableFunc(chosen, byValue)
	s.all = append(chosen, rest...)
	return count
}

// betterPeak climbs the mean from fantasy points that beat x̂ and returns where it ends, if that is higher by more than rounding.
func (s *oneShot) betterPeak(ctx context.Context, fantasy []float64) (Peak, bool) {
	p, d, best := s.t.utility(), s.in.d, s.peaks[0]
	m := gp.NewMoments(1)
	slack := 1e-9 * math.Max(1, math.Abs(best.Mean))
	found := false
	for i := 0; i < len(fantasy); i += d {
		if p.MeanGradient(m, fantasy[i:i+d], nil) <= best.Mean+slack {
			continue
		}
		if up := Recommend(ctx, s.t.Domain, p, nil, fantasy[i:i+d], 0, 1)[0]; up.Mean > best.Mean+slack {
			best, found = up, true
		}
	}
	return best, found
}

// avoidedGain is the part of the gain of a question to be avoided that another one must have to be asked in its place, and avoidedTries the number of
// pairs of candidates that are looked at for it.
const (
	avoidedGain  = 0.1
	avoidedTries = 4
)

// best returns the best one-shot point whose question may be asked, and one to be avoided only if no other gains a tenth as much.
func (s *oneShot) best(ctx context.Context) []float64 {
	d, t := s.in.d, s.t
	x := s.acceptable(t)
	if t.Avoid == nil || !t.Avoid(x[:d], x[d:2*d]) || !t.accepts(x[:d], x[d:2*d]) {
		return x
	}
	eval := s.kg.evaluator()
	gain, other := eval.At(x, nil), t.avoiding()
	var questions [][]float64
	if y := choose(other, s.all, d); other.accepts(y[:d], y[d:2*d]) { // another climb ended elsewhere
		if eval.At(y, nil) >= avoidedGain*gain {
			return y
		}
		questions = append(questions, y[:2*d])
	}
	limits := s.in.question(t)
	for _, pr := range s.acceptedRanks(other) {
		if len(questions) == avoidedTries {
			break
		}
		if _, pair := s.c.acceptable(other, []ranked{pr}, limits); pair != nil {
			questions = append(questions, pair)
		}
	}
	// Those that are worth most by fantasy points among known rows come first, since climbs from there cost a hundred times as much.
	of, first := s.known(questions, slices.Concat(s.in.sample, s.in.dom.among(t.Shown))), make([]ranked, len(questions))
	for i := range first {
		of.need(2*i, 2*i+1)
		first[i] = ranked{i: i, score: of.gain(2*i, 2*i+1, nil)}
	}
	slices.SortStableFunc(first, byScore)
	ranks := s.ranks
	defer func() { s.ranks = ranks }()
	for _, r := range first {
		q := questions[r.i]
		if y, _ := s.after(q, s.ends(ctx, q)); eval.At(y, nil) >= avoidedGain*gain {
			return y
		}
	}
	return x
}

// acceptable returns the best one-shot point whose question the task accepts: where a climb ended, else that of a ranked pair, else the best of all.
func (s *oneShot) acceptable(t Task) []float64 {
	d := s.in.d
	x := choose(t, s.all, d)
	if !t.accepts(x[:d], x[d:2*d]) {
		limits := s.in.question(t)
		pr, pair := s.c.acceptable(t, s.ranks, limits)
		if pair == nil { // the best may all be much alike
			pr, pair = s.c.acceptable(t, s.acceptedRanks(t), limits)
		}
		if pair != nil {
			x = make([]float64, len(x))
			s.rank.start(x, pr)
			copy(x, pair)
			s.mend(x)
		}
	}
	return x
}

// acceptedRanks ranks the pairs of candidates that may be asked alone.
func (s *oneShot) acceptedRanks(t Task) []ranked {
	may := s.c.may
	defer func() { s.c.may = may }()
	s.c.may = func(i, j int) bool { return (may == nil || may(i, j)) && t.accepts(s.c.row(i), s.c.row(j)) }
	all, _ := s.rank.pairs()
	return all
}

func (s *oneShot) settle(ctx context.Context) Choice { return s.choice(ctx, s.best(ctx)) }

// choice spells out a one-shot point.
func (s *oneShot) choice(ctx context.Context, x []float64) Choice {
	d := s.in.d
	c := s.t.pair(ctx, x, s.all, s.peaks[0])
	c.Starts = s.begun(x, c.Others)
	for at := 2 * d; at < len(x); at += d {
		c.Fantasy = append(c.Fantasy, clone(x[at:at+d]))
	}
	c.Value = s.kg.evaluator().At(x, nil)
	return c
}

// pair is the choice of the question at the head of x, with the other hills that were climbed.
func (t Task) pair(ctx context.Context, x []float64, climbs []maximize.Result, best Peak) Choice {
	d, ends := len(t.Lower), xslices.Map(climbs, func(r maximize.Result) []float64 { return r.X })
	return Choice{A: clone(x[:d]), B: clone(x[d : 2*d]), Others: t.others(x, ends, sameHill), Best: best.X, Mean: best.Mean, Partial: ctx.Err() != nil}
}

// redeem gives the one-shot point x a gain over best, x̂, if it has none. Question (x₁, x₂) as it is, the gain is a sum over outcomes, and fantasy points at
// x̂ contribute 0 (the w of quadratic add up to 0). So each fantasy point whose part is not positive retreats half-way to x̂ until it is. A short enough move
// along the step of the quadratic model gains, for it is a direction of ascent; a long one overshoots where the mean falls more steeply than its curvature at
// x̂ tells. Where the step is no use the options themselves may be: what won is liked more. A point that gains nowhere on the way ends at x̂, so the gain is
// never negative.
func (k knowledge) redeem(x, best []float64) {
	e, d := k.evaluator(), len(best)
	if e.At(x, nil) > 0 {
		return
	}
	for at := 2 * d; at < len(x); at += d {
		trial := clone(x[:2*d])
		for range k.points() - 2 {
			trial = append(trial, best...)
		}
		part, most := trial[at:at+d], math.Inf(-1)
		var from []float64
		for _, y := range [][]float64{x[at : at+d], x[:d], x[d : 2*d]} {
			copy(part, y)
			if v := e.At(trial, nil); v > most {
				from, most = y, v
			}
		}
		copy(part, from)
		for n := 0; !(e.At(trial, nil) > 0); n++ {
			if n == bisections {
				copy(part, best)
				break
			}
			for j := range part {
				part[j] = along(best[j], part[j], 0.5)
			}
		}
		copy(x[at:at+d], part)
	}
}

// logObjective is the logarithm of a gain and its gradient; −∞ where there is no gain.
func logObjective(e *Evaluator) maximize.Objective {
	return func(x, grad []float64) float64 {
		g := e.At(x, grad)
		if !(g > 0) {
			return math.Inf(-1)
		}
		for i := range grad {
			grad[i] /= g
		}
		return math.Log(g)
	}
}

// choose returns the best result whose pair is acceptable, or the best one.
func choose(t Task, all []maximize.Result, d int) []float64 {
	for _, r := range all {
		if t.accepts(r.X[:d], r.X[d:2*d]) {
			return r.X
		}
	}
	return all[0].X
}

// acceptable returns the first of the ranked pairs that may be asked, and its question, within limits; a nil one if there is none. All climbs may have ended
// in one place that may not: what somebody else is looking at, or was skipped.
func (c *candidates) acceptable(t Task, ranks []ranked, in []limits) (ranked, []float64) {
	for _, pr := range ranks {
		x := slices.Concat(c.row(pr.i), c.row(pr.j))
		if clipAll(in, x); !slices.Equal(x[:c.d], x[c.d:]) && t.accepts(x[:c.d], x[c.d:]) {
			return pr, x
		}
	}
	return ranked{}, nil
}
