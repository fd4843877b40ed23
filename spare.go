package prefer

import (
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
)

// A person who sees the same thing in every other question feels stuck, whatever the question is worth. So in a list nobody is asked about an item
// that would then be in more than half of her last w questions, for any w from spareWindow on, until every item was shown: from then on questions without the
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
