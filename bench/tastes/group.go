package tastes

import (
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/problem"
)

// groups lists the tastes that rows are about: all of them, then by kind, by shape, by number of parts and by family, where
// there are two or more of such.
func groups(studies []Study) []group {
	out := []group{{"all", func(Study) bool { return true }}}
	var shapes, families []string
	for shape := problem.Box; shape <= problem.PlainList; shape++ {
		shapes = append(shapes, shape.String())
	}
	for _, s := range studies {
		if !slices.Contains(families, s.Family) {
			families = append(families, s.Family)
		}
	}
	slices.Sort(families)
	for _, some := range [][]group{
		named([]string{"smooth", "rugged", "conjoint"}, func(s Study) string { return s.Kind }),
		named(shapes, func(s Study) string { return s.Shape }),
		named([]string{parts(1), parts(3), parts(5)}, func(s Study) string { return parts(s.Dim) }),
		named(families, func(s Study) string { return s.Family }),
	} {
		some = slices.DeleteFunc(some, func(g group) bool { return !slices.ContainsFunc(studies, g.has) })
		if len(some) > 1 {
			out = append(out, some...)
		}
	}
	return out
}

// group is some of the tastes.
type group struct {
	name string
	has  func(Study) bool
}

func named(names []string, of func(Study) string) []group {
	var out []group
	for _, n := range names {
		out = append(out, group{n, func(s Study) bool { return of(s) == n }})
	}
	return out
}

// parts says between which numbers a number of parts is.
func parts(d int) string {
	for _, ends := range [][2]int{{1, 2}, {3, 4}, {5, 8}} {
		if ends[0] <= d && d <= ends[1] {
			return fmt.Sprintf("%d to %d parts", ends[0], ends[1])
		}
	}
	return ""
}
