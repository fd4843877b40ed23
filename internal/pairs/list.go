package pairs

import (
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
)

// A person who sees the same thing in every other question feels stuck, whatever the question is worth. So in a list nobody is asked about an item
// that would then be in more than half of the last w questions, for any w from frequentWindow on, until every item was shown: from then on questions without
// the favourite decide nothing. So it is with items that are crossed with parameters, where the rule is what has others tried at all: a favourite can be
// set a little better for ever, and no single answer about a new item makes that the pick.
const (
	frequentWindow = 12
	frequentItems  = 6   // a shorter list cannot do without: of four items each is in half of the questions
	frequentTries  = 256 // options of items at settings among which two others are looked for
)

// Frequent returns the items, by their points, that a rater is not asked about next, having seen them too often; empty if there are none.
func Frequent(c *coding.Coding, past []Asked, rater string, shown []float64) map[string]bool {
	t := c.Table()
	if t == nil || len(t.Back) < frequentItems || c.Single() || c.List != nil && t.Unseen(shown, c.Dim) == 0 {
		return nil
	}
	count, out := map[string]int{}, map[string]bool{}
	check := func(key string, window int) {
		if 2*(count[key]+1) > window {
			out[key] = true
		}
	}
	window := 1 // that ends with the next question
	for _, q := range slices.Backward(past) {
		if q.Rater != rater {
			continue
		}
		window++
		keys := []string{coding.Bits(q.A[:t.Dim]), coding.Bits(q.B[:t.Dim])}
		for _, key := range slices.Compact(keys) { // one item at two settings is in one question
			if count[key]++; window > frequentWindow { // its share of a longer window is largest where it begins with the item
				check(key, window)
			}
		}
		if window == frequentWindow {
			for key := range count {
				check(key, window)
			}
		}
	}
	if window < frequentWindow { // the first questions are a part of the first window
		for key := range count {
			check(key, frequentWindow)
		}
	}
	return out
}

// Without returns the rules with these items left out, if another pair is worth asking.
func (r Rules) Without(items map[string]bool, c *coding.Coding) Rules {
	if len(items) == 0 || r.Hold != nil {
		return r
	}
	allowed, width := r.Allowed, c.Table().Dim
	may := func(x []float64) bool { return !items[coding.Bits(x[:width])] && (allowed == nil || allowed(x)) }
	options := c.Points(frequentTries, 0)
	if c.List != nil {
		options = c.List.Rows
	}
	var others [][]float64
	for x := range slices.Chunk(options, c.Dim) {
		if !may(x) {
			continue
		}
		if slices.ContainsFunc(others, func(y []float64) bool { return r.Accepts(x, y) }) {
			r.Allowed = may
			break
		}
		others = append(others, x)
	}
	return r
}

// Unseen reports whether the next pair of items without features is to be of two that nobody has seen, and has the rules allow no others:
// the favourite top is left out, and without it no single answer can make another item the pick, so that the method would see no value in new ones. The
// better of two new ones meets the favourite soon: that is how a tournament goes, and it takes about as many answers as to put the favourite against each.
// New items that have parameters meet at the favourite's setting.
func (r *Rules) Unseen(c *coding.Coding, top, shown []float64) bool {
	t := c.Table()
	if t == nil || !c.Named() || r.Allowed == nil || top == nil || r.Allowed(top) {
		return false
	}
	seen := map[string]bool{}
	for x := range slices.Chunk(shown, c.Dim) {
		seen[coding.Bits(x[:t.Dim])] = true
	}
	fixed, allowed := r.Fixed, r.Allowed
	set := func(x []float64) {
		copy(x[t.Dim:], top[t.Dim:])
		fixed(x)
	}
	fresh, last := 0, []float64(nil)
	for row := range slices.Chunk(t.Rows, t.Dim) {
		x := slices.Concat(row, top[t.Dim:])
		if set(x); !seen[coding.Bits(row)] && allowed(x) && c.Contains(x) {
			fresh, last = fresh+1, x
		}
	}
	if fresh == 1 && c.List == nil {
		r.Hold = last // the method chooses what it meets
	}
	if fresh < 2 {
		return false
	}
	r.Fixed, r.Allowed = set, func(x []float64) bool { return !seen[coding.Bits(x[:t.Dim])] && allowed(x) }
	return true
}

// settingsEvery is the number of questions of which one is about everything, where items are crossed with parameters. The others are about every item
// at the setting that suits it best: which item is best. Left alone, a knowledge gradient that looks one answer ahead would set the favourite a little
// better for ever: every such answer is worth something, while no single one makes another item the pick.
const settingsEvery = 3

// Domain returns where the question of that number is looked for: among the items at their best settings if two may be asked about, else everywhere.
func (r Rules) Domain(all *acquisition.Domain, c *coding.Coding, number int, law acquisition.Utility, best, shown []float64) *acquisition.Domain {
	if c.Table() == nil || c.List != nil || number%settingsEvery == settingsEvery-1 || r.Hold != nil || best == nil {
		return all
	}
	rows := c.ItemsAtBest(law, best, shown, r.Fixed)
	may := 0
	for x := range slices.Chunk(rows, c.Dim) {
		if r.Allowed == nil || r.Allowed(x) {
			may++
		}
	}
	if may < 2 {
		return all
	}
	return &acquisition.Domain{List: rows, Dim: c.Dim}
}

// openOrder is the probability that an item is better than the pick from which on the order of the two is open. Such a pair is asked again. Otherwise a list of
// noisy answers could not be decided: the two leaders would meet once, whatever came of it.
const openOrder = 0.02

// settled returns which of the past pairs of items are not asked again: all but those of the pick with the item that is likeliest to be better, and with others
// whose order is open, and those whose answer is doubtful. Recent pairs are not asked again in any case.
func settled(c *coding.Coding, law learn.Belief, past, answered, doubtful, recent []Asked) []Asked {
	top := law.Top(c.List.Rows)
	var met []Asked
	var rivals []float64 // of the pick, in the pairs of met, row by row
	for _, q := range answered {
		switch {
		case slices.Equal(q.A, top):
			met, rivals = append(met, q), append(rivals, q.B...)
		case slices.Equal(q.B, top):
			met, rivals = append(met, q), append(rivals, q.A...)
		}
	}
	open, better := slices.Clone(doubtful), law.ProbabilityBetter(rivals, top)
	for i, p := range better {
		if p > openOrder || p == slices.Max(better) {
			open = append(open, met[i])
		}
	}
	return slices.DeleteFunc(slices.Clone(past), func(q Asked) bool {
		return Clash(c, open, q.A, q.B, Same) && !Clash(c, recent, q.A, q.B, Same)
	})
}

// Decided reports whether no item of a list has an open order with the pick.
func Decided(c *coding.Coding, law learn.Belief, pick []float64) bool {
	for i, p := range law.ProbabilityBetter(c.List.Rows, pick) {
		if p > openOrder && !slices.Equal(c.List.Point(i), pick) {
			return false
		}
	}
	return true
}

// Boundary returns one of the best count items of a list and one of the others, whose order is the most doubtful of those that may be asked again; nil if there
// are none.
func (r Rules) Boundary(c *coding.Coding, law learn.Belief, count int) (a, b []float64) {
	order, _, better := learn.BestFew(law, c.List.Rows, count)
	doubt := 0.0
	for i, others := range better {
		for j, p := range others {
			if x, y := c.List.Point(order[i]), c.List.Point(order[len(better)+j]); p > doubt && (r.Again == nil || r.Again(x, y)) {
				a, b, doubt = x, y, p
			}
		}
	}
	return a, b
}
