package experiments

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

// TestSweepProgress: 10 questions were there, then one comes every 15 s. A line a minute, and time left by the pace of
// this run alone.
func TestSweepProgress(t *testing.T) {
	var out strings.Builder
	at := time.Unix(0, 0)
	show, end := sweepProgress(&out, "paper", func() time.Time { return at })
	p := bench.Progress{Cells: 4, CellsDone: 1, Rows: 40, RowsDone: 10}
	show(p)
	for range 10 {
		at = at.Add(15 * time.Second)
		p.RowsDone++
		show(p)
	}
	p.CellsDone++
	show(p)
	end()
	want := []string{
		"paper: 1 of 4 cells are there already",
		"paper: 1 of 4 cells, 14 of 40 questions, 35%, 6.5 min left",
		"paper: 1 of 4 cells, 18 of 40 questions, 45%, 5.5 min left",
		"paper: 2 of 4 cells, 10 questions in 2.5 min",
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(out.String()), "\n")); diff != "" {
		t.Error(diff)
	}
}
