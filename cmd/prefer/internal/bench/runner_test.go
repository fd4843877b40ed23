package bench

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRows: a cell by itself has the rows it has in a sweep.
func TestRows(t *testing.T) {
	s := tiny()
	var got []Row
	for _, c := range s.Cells {
		rater, err := s.Rater(c)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Rows(context.Background(), c, rater)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			r.FitSeconds, r.AskSeconds, r.RecommendSeconds, r.CPUSeconds = 0, 0, 0, 0
			got = append(got, r)
		}
	}
	byCell := map[Cell][]Row{}
	for _, r := range result(t, s) {
		byCell[r.Key().Cell] = append(byCell[r.Key().Cell], r)
	}
	var want []Row
	for _, c := range s.Cells {
		want = append(want, byCell[c]...)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
		t.Errorf("%d rows differ from those of the sweep:\n%s", len(got), diff)
	}
}

func TestRowsStop(t *testing.T) {
	s, why := tiny(), errors.New("enough")
	ctx, stop := context.WithCancelCause(context.Background())
	stop(why)
	rater, err := s.Rater(s.Cells[0])
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := s.Rows(ctx, s.Cells[0], rater); !errors.Is(err, why) || rows != nil {
		t.Errorf("a stopped cell has %d rows and error %v, want none and %v", len(rows), err, why)
	}
	if _, err := s.Rater(Cell{Problem: "nowhere2"}); err == nil {
		t.Error("a problem that does not exist has a rater")
	}
}
