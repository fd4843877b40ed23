package statements

import (
	"fmt"
	"slices"
)

// Limit is what must hold of the statements of one kind.
type Limit struct {
	Kind   string
	Mark   int      // number of answers; 0 for any
	Family string   // smooth or rugged; empty for both
	Raters []string // none for all

	Held [2]float64 // least and most of what was true
	Over float64    // most by which Said may exceed Held; 0 for no limit
	Bits float64    // most; 0 for no limit
}

// Quick returns the plan of a minute: a few studies of one and two parameters, and people who say nothing about their taste.
func Quick() Plan {
	return Plan{Tastes: 3, Seed: 1, Spaces: []string{"1", "2"}, Families: []string{"smooth"}, Raters: []string{"exact", "ordinary", "ties"},
		Answers: 20, Marks: []int{10, 20}}
}

// Limits returns what must hold of the studies of Quick.
func Limits() []Limit {
	return []Limit{
		{Kind: "confidence", Held: [2]float64{0, 1}, Over: 0.2},
		{Kind: "better than one at random", Mark: 20, Held: [2]float64{0.8, 1}, Over: 0.1},
		{Kind: "forecast", Mark: 20, Held: [2]float64{0, 1}, Over: 0.1, Bits: 0.8},
	}
}

// Check returns an error that says how the limit is broken.
func (l Limit) Check(studies []Study) error {
	var some []Study
	for _, s := range studies {
		if (l.Family == "" || s.group().Family == l.Family) && (len(l.Raters) == 0 || slices.Contains(l.Raters, s.Rater)) {
			some = append(some, s)
		}
	}
	t := truthOf(some, func(s Statement) bool { return s.Kind == l.Kind && (l.Mark == 0 || s.Mark == l.Mark) })
	broken := func(what string, got, want float64) error {
		return fmt.Errorf("%s (answers %d, %s, %v): %s %.3f in %d statements, limit %g", l.Kind, l.Mark, l.Family, l.Raters, what, got, t.Statements, want)
	}
	switch {
	case t.Statements == 0:
		return broken("statements", 0, 1)
	case t.Held < l.Held[0]:
		return broken("true", t.Held, l.Held[0])
	case t.Held > l.Held[1]:
		return broken("true", t.Held, l.Held[1])
	case l.Over > 0 && t.Said-t.Held > l.Over:
		return broken("said more than was true by", t.Said-t.Held, l.Over)
	case l.Bits > 0 && t.Bits > l.Bits:
		return broken("bits", t.Bits, l.Bits)
	}
	return nil
}
