package people

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// made returns studies whose numbers are known: two populations in two arms, with one and with three statements.
func made() []Study {
	study := func(number int, arm string, values ...Value) Study {
		return Study{key{Cell{Population: "kindred", Space: "2", People: 4, Number: number}, "kg", arm}, append(values, Value{cost, 0, 1, 2})}
	}
	return []Study{
		study(0, "separate", Value{everybody.wrong, 20, 1, 1}, Value{newcomer.missed, 0, 1, 1}, Value{newcomer.missed, 2, 1, 0.4}, Value{newcomer.missed, 20, 1, 0.05}),
		study(1, "separate", Value{everybody.wrong, 20, 3, 0}, Value{newcomer.missed, 0, 1, 0.8}, Value{newcomer.missed, 2, 1, 0.2}, Value{newcomer.missed, 20, 1, 0.05}),
		study(0, "shared", Value{everybody.wrong, 20, 2, 2}, Value{newcomer.missed, 0, 1, 0.06}),
		study(1, "shared", Value{newcomer.missed, 0, 1, 0.1}),
	}
}

// TestTable: a share is of all statements, not a mean of studies' shares; a difference is on the populations that both arms
// have; a newcomer's need is where the line between two looks crosses a tenth.
func TestTable(t *testing.T) {
	table, err := NewTable(made(), []int{20}, "")
	if err != nil {
		t.Fatal(err)
	}
	g := group{"kindred", 4, 0}
	for _, c := range []struct {
		arm, versus, measure string
		answers, of, studies int
		want                 float64
	}{
		{"separate", "", everybody.wrong, 20, 4, 2, 0.25},
		{"shared", "", everybody.wrong, 20, 2, 1, 1},
		{"shared", "separate", everybody.wrong, 20, 2, 1, 0},
		{"separate", "", newcomer.missed, 2, 2, 2, 0.3},
		{"shared", "separate", newcomer.missed, 0, 2, 2, -0.82},
	} {
		r, ok := table.find(g, c.arm, c.versus, c.measure, c.answers)
		if !ok || math.Abs(r.Value-c.want) > 1e-12 || r.Of != c.of || r.Studies != c.studies || r.Lower > r.Value || r.Upper < r.Value {
			t.Errorf("%s against %q, %s: %+v, want %g of %d in %d studies", c.arm, c.versus, c.measure, r, c.want, c.of, c.studies)
		}
	}
	// From 0.3 after 2 answers to 0.05 after 20: 0.1 is four fifths of the way.
	if n := table.Needs; len(n) != 2 || n[0].Answers == nil || math.Abs(*n[0].Answers-16.4) > 1e-12 || n[1].Answers == nil || *n[1].Answers != 0 {
		t.Errorf("needs %+v", n)
	}
	var b bytes.Buffer
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"**kindred: 4 people, 0 of them careless**", "after so many answers: separate 16.4, shared 0.0.", "| kindred | 4 | 0 | shared | 0 | 2 | -0.820 ["} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if _, err := NewTable(made(), []int{20}, "other"); err == nil || !strings.Contains(err.Error(), `"other"`) {
		t.Errorf("%v", err)
	}
}
