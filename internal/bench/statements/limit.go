package statements

import (
	"fmt"
	"slices"
	"strings"
)

// Limit is what must hold of the statements of one kind.
type Limit struct {
	Kinds  []string
	Mark   int      // number of answers; 0 for any
	Family string   // smooth or rugged; empty for both
	Raters []string // none for all

	Never bool    // no such statement may be made; otherwise there must be one
	Held  float64 // least of what must be true
	Over  float64 // most by which Said may exceed Held; 0 for no limit
	Bits  float64 // most; 0 for no limit
}

// Quick returns the plan of a minute: a few studies of one and two parameters, with people who tell about their taste and with
// people who do not.
func Quick() Plan {
	return Plan{Tastes: 4, Seed: 1, Spaces: []string{"1", "2"}, Families: []string{"smooth"}, Raters: slices.Concat(open, []string{alwaysBad, atRandom}),
		Answers: 20, Marks: []int{10, 20}}
}

// Limits returns what must hold of the studies of Quick. With so few they are wide: they catch what is broken, not what has
// become a little worse.
func Limits() []Limit {
	winner := []string{"ending clear_winner", "ending practical_tie", "ending good_enough"}
	return []Limit{
		{Kinds: winner, Raters: open, Held: 0.6, Over: 0.33}, // eight tastes, each three times
		{Kinds: winner, Raters: []string{alwaysBad}, Never: true},
		{Kinds: []string{"ending nothing_pleases"}, Raters: []string{alwaysBad}, Held: 1},
		{Kinds: []string{"ending nothing_pleases", "ending chance"}, Raters: open, Never: true},
		{Kinds: []string{"confidence"}, Raters: open, Held: 0.6, Over: 0.15},
		{Kinds: []string{"better than n of 100"}, Raters: open, Mark: 20, Held: 0.9, Over: 0.05},
		{Kinds: []string{"forecast"}, Raters: open, Mark: 20, Over: 0.05, Bits: 0.7},
		{Kinds: []string{"matters", "hardly matters", "direction"}, Raters: open, Mark: 20, Held: 0.85},
	}
}

// Raters of the quick plan.
const (
	alwaysBad = "always bad"
	atRandom  = "random"
)

var open = []string{"exact", "ordinary", "ties"}

// Check returns an error that says how the limit is broken.
func (l Limit) Check(studies []Study) error {
	var some []Study
	for _, s := range studies {
		if (l.Family == "" || s.group().Family == l.Family) && (len(l.Raters) == 0 || slices.Contains(l.Raters, s.Rater)) {
			some = append(some, s)
		}
	}
	t := truthOf(some, func(s Statement) bool { return slices.Contains(l.Kinds, s.Kind) && (l.Mark == 0 || s.Mark == l.Mark) })
	for _, c := range []struct {
		broken    bool
		what      string
		got, want float64
	}{
		{l.Never && t.Statements > 0, "never, but said", float64(t.Statements), 0},
		{!l.Never && t.Statements == 0, "said", 0, 1},
		{t.Statements > 0 && t.Held < l.Held, "true", t.Held, l.Held},
		{l.Over > 0 && t.Said-t.Held > l.Over, "said more than was true by", t.Said - t.Held, l.Over},
		{l.Bits > 0 && t.Bits > l.Bits, "bits", t.Bits, l.Bits},
	} {
		if c.broken {
			return fmt.Errorf("%s, %s: %s %.3f in %d statements, limit %g", strings.Join(l.Kinds, ", "), l.who(), c.what, c.got, t.Statements, c.want)
		}
	}
	return nil
}

// who says whose statements are meant.
func (l Limit) who() string {
	words := append([]string{l.Family}, l.Raters...)
	if l.Mark > 0 {
		words = append(words, fmt.Sprintf("after %d answers", l.Mark))
	}
	return strings.TrimSpace(strings.Join(words, " "))
}
