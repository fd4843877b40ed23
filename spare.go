package prefer

import (
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
)

// A person who sees the same thing in every other question feels stuck, whatever the question is worth. So in a list nobody is asked about an item
// that would then be in more than half of her last w questions, for any w from spareWindow on.
const (
	spareWindow = 12
	spareItems  = 6 // a shorter list cannot do without: of four items each is in half of the questions
)

// spared returns the items, by their points, that a rater is not asked about next; nil if there are none.
func (v view) spared(rater string) map[string]bool {
	if v.code.items == nil || len(v.code.items.back) < spareItems {
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
			for _, x := range [][]float64{q.a, q.b} {
				key := bits(x)
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
	allowed := r.allowed
	may := func(x []float64) bool { return !out[bits(x)] && (allowed == nil || allowed(x)) }
	var others [][]float64
	for x := range slices.Chunk(v.code.items.rows, v.code.dim) {
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

// screens reports whether the next pair of a list without features is to be of two items that nobody has seen, and has the rules allow no others:
// the favourite is spared, and without it no single answer can make another item the pick, so that the method would see no value in new ones. The better of two new
// ones meets the favourite soon: that is how a tournament goes, and it takes about as many answers as to put the favourite against each.
func (v view) screens(r *rules, law acquisition.Utility) bool {
	top := incumbent(law, v.shown)
	if len(v.code.axes) > 0 || r.allowed == nil || top == nil || r.allowed(top) {
		return false
	}
	seen := map[string]bool{}
	for x := range slices.Chunk(v.shown, v.code.dim) {
		seen[bits(x)] = true
	}
	if len(v.code.items.back)-len(seen) < 2 {
		return false
	}
	allowed := r.allowed
	r.allowed = func(x []float64) bool { return !seen[bits(x)] && allowed(x) }
	return true
}
