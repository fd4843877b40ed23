package trial

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

// TestEach: results come in the order of the cells whatever the jobs, progress counts from none to all, and a failure ends it.
func TestEach(t *testing.T) {
	cells := []int{5, 3, 9, 1}
	for _, jobs := range []int{1, 3} {
		var told []int
		got, err := Each(t.Context(), jobs, cells, func(played, of int) { told = append(told, 10*played+of) }, func(_ context.Context, c int) (int, error) { return 2 * c, nil })
		if err != nil || !slices.Equal(got, []int{10, 6, 18, 2}) || !slices.Equal(told, []int{4, 14, 24, 34, 44}) {
			t.Errorf("%d jobs: %v, %v, %v", jobs, got, told, err)
		}
	}
	broken := errors.New("broken")
	if _, err := Each(t.Context(), 2, cells, nil, func(context.Context, int) (int, error) { return 0, broken }); err != broken {
		t.Errorf("%v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	if _, err := Each(ctx, 2, cells, nil, func(context.Context, int) (int, error) { return 0, nil }); err != broken {
		t.Errorf("called off: %v, want %v", err, broken)
	}
}

type row struct {
	Name  string `json:"name"`
	Picks int    `json:"picks"`
}

func (r row) Key() string { return r.Name }
func (r row) Looks() int  { return r.Picks }
func (r row) Check() error {
	if r.Name == "" {
		return errors.New("has no name")
	}
	return nil
}

// TestRun: what the file has is not played again, unless it lacks looks, and a unit without anything to play does not begin.
func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	var played []string
	run := func(wanted int) (first, of int) {
		file, err := bench.OpenRows[string, row](path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		begin := func() (func(context.Context, string) (row, error), error) {
			return func(_ context.Context, k string) (row, error) {
				played = append(played, k)
				return row{k, wanted}, nil
			}, nil
		}
		units := []Unit[string, row]{{[]string{"a", "b"}, begin}, {[]string{"c"}, begin}}
		first = -1
		err = Run(t.Context(), 1, units, file, func(r row) bool { return r.Picks >= wanted }, func(n, all int) {
			if of = all; first < 0 {
				first = n
			}
		})
		if err != nil || len(file.All()) != 3 {
			t.Errorf("%v, %v", file.All(), err)
		}
		return first, of
	}
	for _, c := range []struct {
		wanted, first int
		played        []string
	}{{1, 0, []string{"a", "b", "c"}}, {1, 3, nil}, {2, 0, []string{"a", "b", "c"}}, {1, 3, nil}} {
		played = nil
		if first, of := run(c.wanted); first != c.first || of != 3 || !slices.Equal(played, c.played) {
			t.Errorf("%+v: %d of %d are there, %v played", c, first, of, played)
		}
	}
}
