package prefer

import (
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// A pair of items is asked again where its order matters and is open. Otherwise a list of noisy answers could not be decided: the two leaders would meet
// once, whatever came of it.
const (
	openOrder   = 0.02 // probability that an item is better than the pick from which on the order of the two is open
	repeatPause = 6    // questions of a rater before a pair comes again
)

// again returns the rule on pairs once the answers are learned from: near-repeats and items that have met may be asked again where the answer to
// the first was doubtful.
func (cfg *Config) again(v view, f *learn.Fit, rater string) func(a, b []float64) bool {
	switch {
	case cfg.Repeats:
	case v.code.List != nil:
		v.past = v.settled(f, rater)
	case !contradicted(f, rater):
		return cfg.unrepeated(v, rater)
	}
	return cfg.accept(v)
}

// settled returns the questions whose pairs of items are not asked again: all but those of the pick with the item that is likeliest to be better, and with
// others whose order is open, and those whose answer contradicts the rest. What a rater saw lately is not asked again in any case.
func (v view) settled(f *learn.Fit, rater string) []*asked {
	top := incumbent(f.Belief, v.code.List.Rows)
	var recent, met, open []*asked
	var rivals []float64 // of the pick, in the questions of met, row by row
	for _, q := range slices.Backward(v.past) {
		if q.Rater == rater && len(recent) < repeatPause {
			recent = append(recent, q)
		}
	}
	for _, t := range slices.Backward(v.said) {
		q := t.question
		switch {
		case slices.Equal(q.a, top):
			met, rivals = append(met, q), append(rivals, q.b...)
		case slices.Equal(q.b, top):
			met, rivals = append(met, q), append(rivals, q.a...)
		}
		if doubtful(f, t) {
			open = append(open, q)
		}
	}
	better := f.Belief.ProbabilityBetter(rivals, top)
	for i, p := range better {
		if p > openOrder || p == slices.Max(better) {
			open = append(open, met[i])
		}
	}
	return slices.DeleteFunc(slices.Clone(v.past), func(q *asked) bool {
		return clash(v.code, open, q.a, q.b, sameQuestion) && !clash(v.code, recent, q.a, q.b, sameQuestion)
	})
}

// contradicted reports whether an answer of a rater contradicts the rest, by the model that chooses questions. Such a rater makes
// mistakes, and a near-repeat of a question is worth asking.
func contradicted(f *learn.Fit, rater string) bool {
	if f.Pooled {
		rater = pooledRater
	}
	return f.ContradictsOthers(rater)
}

// doubtful reports whether an answer contradicts the rest.
func doubtful(f *learn.Fit, t *told) bool {
	if f.Duels.Len() > learn.DenseLimit || !f.HasSites() || t.answer.Choice == BothBad {
		return false
	}
	i := f.Find(t.a, t.b, t.answer.outcome())
	if i < 0 {
		return false
	}
	_, contradicts := f.Contradicts(i, t.rater)
	return contradicts
}

// decided reports whether every item of a list was shown, and none has an open order with the pick: then no question is worth much.
func (v view) decided(u learn.Belief, pick space.Option) (bool, error) {
	t := v.code.List
	if t == nil || t.Unseen(v.shown, v.code.Dim) > 0 {
		return false, nil
	}
	x, err := v.code.Unit(pick)
	if err != nil {
		return false, err
	}
	for i, p := range u.ProbabilityBetter(t.Rows, x) {
		if p > openOrder && !slices.Equal(t.Rows[i*v.code.Dim:(i+1)*v.code.Dim], x) {
			return false, nil
		}
	}
	return true, nil
}

// A person who sees the same thing in every other question feels stuck, whatever the question is worth. So in a list nobody is asked about an item
// that would then be in more than half of the last w questions, for any w from spareWindow on, until every item was shown: from then on questions without the
// favourite decide nothing. So it is with items that are crossed with parameters, where
// the rule is what has others tried at all: a favourite can be set a little better for ever, and no single answer about a new item makes that the pick.
const (
	spareWindow = 12
	spareItems  = 6   // a shorter list cannot do without: of four items each is in half of the questions
	spareTries  = 256 // options of items at settings among which two others are looked for
)

// spared returns the items, by their points, that a rater is not asked about next; nil if there are none.
func (v view) spared(rater string) map[string]bool {
	t := v.code.Table()
	if t == nil || len(t.Back) < spareItems || v.code.Single() || v.code.List != nil && t.Unseen(v.shown, v.code.Dim) == 0 {
		return nil
	}
	count := map[string]int{}
	var out map[string]bool
	spare := func(key string, window int) {
		if 2*(count[key]+1) > window {
			if out == nil {
				out = map[string]bool{}
			}
			out[key] = true
		}
	}
	window := 1 // that ends with the next question
	for i := len(v.past) - 1; i >= 0; i-- {
		if q := v.past[i]; q.Rater == rater {
			window++
			keys := []string{coding.Bits(q.a[:t.Dim]), coding.Bits(q.b[:t.Dim])}
			for _, key := range slices.Compact(keys) { // one item at two settings is in one question
				if count[key]++; window > spareWindow { // its share of a longer window is largest where it begins with the item
					spare(key, window)
				}
			}
			if window == spareWindow {
				for key := range count {
					spare(key, window)
				}
			}
		}
	}
	return out
}

// sparing returns the conditions of an ask with the items left out that a rater was asked about too often, if another pair is worth asking.
func (v view) sparing(r rules, rater string) rules {
	out := v.spared(rater)
	if len(out) == 0 || r.hold != nil {
		return r
	}
	allowed, width := r.allowed, v.code.Table().Dim
	may := func(x []float64) bool { return !out[coding.Bits(x[:width])] && (allowed == nil || allowed(x)) }
	options := v.code.Points(spareTries, 0)
	if v.code.List != nil {
		options = v.code.List.Rows
	}
	var others [][]float64
	for x := range slices.Chunk(options, v.code.Dim) {
		if !may(x) {
			continue
		}
		if slices.ContainsFunc(others, func(y []float64) bool { return r.accept == nil || r.accept(x, y) }) {
			r.allowed = may
			break
		}
		others = append(others, x)
	}
	return r
}

// screens reports whether the next pair of items without features is to be of two that nobody has seen, and has the rules allow no others:
// the favourite is spared, and without it no single answer can make another item the pick, so that the method would see no value in new ones. The better of two new
// ones meets the favourite soon: that is how a tournament goes, and it takes about as many answers as to put the favourite against each. New items that have
// parameters meet at the favourite's setting.
func (v view) screens(r *rules, law acquisition.Utility) bool {
	t, top := v.code.Table(), incumbent(law, v.shown)
	if t == nil || !v.code.Named() || r.allowed == nil || top == nil || r.allowed(top) {
		return false
	}
	seen := map[string]bool{}
	for x := range slices.Chunk(v.shown, v.code.Dim) {
		seen[coding.Bits(x[:t.Dim])] = true
	}
	fixed, allowed := r.fixed, r.allowed
	set := func(x []float64) {
		copy(x[t.Dim:], top[t.Dim:])
		fixed(x)
	}
	fresh, last := 0, []float64(nil)
	for row := range slices.Chunk(t.Rows, t.Dim) {
		x := slices.Concat(row, top[t.Dim:])
		if set(x); !seen[coding.Bits(row)] && allowed(x) && v.code.Contains(x) {
			fresh, last = fresh+1, x
		}
	}
	if fresh == 1 && v.code.List == nil {
		r.hold = last // the method chooses what it meets
	}
	if fresh < 2 {
		return false
	}
	r.fixed, r.allowed = set, func(x []float64) bool { return !seen[coding.Bits(x[:t.Dim])] && allowed(x) }
	return true
}
