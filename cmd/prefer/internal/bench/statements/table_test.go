package statements

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/normal"
)

func TestMedianCountsThoseThatNeverEnd(t *testing.T) {
	for _, c := range []struct {
		ended []int
		want  int
	}{{[]int{9, 0, 5}, 9}, {[]int{0, 0, 5}, 0}, {[]int{4, 6, 0, 0}, 0}, {[]int{8, 4, 6, 0}, 8}, {[]int{3}, 3}} {
		var studies []Study
		for _, n := range c.ended {
			studies = append(studies, Study{Ended: n, Ending: "x"})
		}
		if got := newEnds(Group{}, studies).Median; got != c.want {
			t.Errorf("median of %v is %d, want %d", c.ended, got, c.want)
		}
	}
}

func TestTruth(t *testing.T) {
	all := func(Statement) bool { return true }
	number := 0
	said := func(held ...float64) (s Study) {
		number++
		s.Taste = number
		for _, h := range held {
			s.Statements = append(s.Statements, Statement{Kind: "k", Said: 0.8, Held: h, Bits: 0.5})
		}
		return s
	}
	got := truthOf([]Study{said(1), said(0), said(1), said(1)}, all)
	low, high := normal.Wilson(3, 4)
	if got.Studies != 4 || got.Statements != 4 || math.Abs(got.Said-0.8) > 1e-15 || got.Held != 0.75 || got.Bits != 0.5 || got.Low != low || got.High != high {
		t.Errorf("independent ones: %+v, want %g to %g", got, low, high)
	}
	// Ten statements of one study that are all alike are one.
	got = truthOf([]Study{said(1, 1, 1, 1, 1), said(0, 0, 0, 0, 0), said(1, 1, 1, 1, 1), said(1, 1, 1, 1, 1)}, all)
	if got.Statements != 20 || got.Low != low || got.High != high {
		t.Errorf("alike in a study: %+v, want %g to %g", got, low, high)
	}
	got = truthOf([]Study{said(0.5, 0.7), said(0.9)}, all)
	// mean 0.7; sums off by (1.2 − 1.4)/3 and 0.2/3
	if half := 1.96 * math.Sqrt(2) * 0.2 / 3; math.Abs(got.Held-0.7) > 1e-15 || math.Abs(got.Low-(0.7-half)) > 1e-12 {
		t.Errorf("shares: %+v, want 0.7 ± %g", got, half)
	}
}

func TestTableKeepsGroupsAndMarksApart(t *testing.T) {
	studies := []Study{
		{Space: "1", Smooth: true, Rater: "exact", Ended: 4, Ending: "clear_winner", Statements: []Statement{
			{Kind: "confidence", Answers: 10, Mark: 10, Said: 0.5, Held: 1}, {Kind: "ending clear_winner", Answers: 4, Said: 0.95, Held: 0}}},
		{Space: "1", Smooth: true, Rater: "exact", Ended: 7, Ending: "clear_winner", Statements: []Statement{
			{Kind: "confidence", Answers: 10, Mark: 10, Said: 0.7, Held: 1}, {Kind: "ending clear_winner", Answers: 7, Said: 0.91, Held: 1},
			{Kind: "confidence", Answers: 20, Mark: 20, Said: 0.8, Held: 0}}},
		{Space: "1", Rater: "exact", Statements: []Statement{{Kind: "confidence", Answers: 10, Mark: 10, Said: 0.9, Held: 0}}},
	}
	table := NewTable(studies)
	want := []Row{
		{Kind: "confidence", Mark: 10, Group: Group{"1", "smooth", "exact"}, Truth: Truth{Said: 0.6, Held: 1, Statements: 2}},
		{Kind: "confidence", Mark: 10, Group: Group{"1", "rugged", "exact"}, Truth: Truth{Said: 0.9, Held: 0, Statements: 1}},
		{Kind: "confidence", Mark: 20, Group: Group{"1", "smooth", "exact"}, Truth: Truth{Said: 0.8, Held: 0, Statements: 1}},
		{Kind: "ending clear_winner", Group: Group{"1", "smooth", "exact"}, Truth: Truth{Said: 0.93, Held: 0.5, Statements: 2}},
	}
	if len(table.Rows) != len(want) || len(table.Endings) != 2 || table.Endings[0].Median != 7 {
		t.Fatalf("%+v", table)
	}
	for i, w := range want {
		g := table.Rows[i]
		if g.Kind != w.Kind || g.Mark != w.Mark || g.Group != w.Group || math.Abs(g.Said-w.Said) > 1e-12 || g.Held != w.Held || g.Statements != w.Statements {
			t.Errorf("row %d is %+v, want %+v", i, g, w)
		}
	}
	short := map[[2]string]Truth{}
	for _, r := range table.Overall {
		short[[2]string{r.Kind, r.Family}] = r.Truth
	}
	if got := short[[2]string{"confidence", "smooth"}]; len(short) != 3 || got.Statements != 3 || math.Abs(got.Held-2.0/3) > 1e-12 {
		t.Errorf("overall: %+v", short)
	}
	var b bytes.Buffer
	if err := table.Write(&b); err != nil || !strings.Contains(b.String(), "0.930, 0.500 (2)") || !strings.Contains(b.String(), "0.800, 0.000 (1)") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
