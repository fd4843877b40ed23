package bench

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGridOfPaper(t *testing.T) {
	cells, err := Grid{}.Cells()
	if err != nil {
		t.Fatal(err)
	}
	if len(cells) != 6*2*4*20 {
		t.Errorf("%d cells, want 960", len(cells))
	}
	if first := (Cell{"quadratic2", 0.1, "kg", 0}); cells[0] != first {
		t.Errorf("first cell %v, want %v", cells[0], first)
	}
	if !slices.IsSortedFunc(cells, func(a, b Cell) int { return int(a.Seed) - int(b.Seed) }) {
		t.Error("cells are not in the order of their seeds")
	}
	sorted := slices.Clone(cells)
	slices.SortFunc(sorted, func(a, b Cell) int { return strings.Compare(a.String(), b.String()) })
	if len(slices.Compact(sorted)) != 960 {
		t.Error("a cell comes twice")
	}
}

func TestGridErrors(t *testing.T) {
	for want, g := range map[string]Grid{
		`method "gk"`:     {Methods: []string{"kg", "gk"}},
		`problem "brann"`: {Problems: []string{"brann"}},
	} {
		if _, err := g.Cells(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %s", err, want)
		}
	}
}

// TestShardsPartition: the parts are disjoint, together everything, and of the same size within one.
func TestShardsPartition(t *testing.T) {
	cells, err := Grid{Seeds: []uint64{1, 2}}.Cells()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2, 7, 96, 100} {
		seen := map[Cell]int{}
		for i := 1; i <= n; i++ {
			part, err := Shard(cells, i, n)
			if err != nil {
				t.Fatal(err)
			}
			if len(part) < len(cells)/n || len(part) > len(cells)/n+1 {
				t.Errorf("part %d/%d has %d of %d cells", i, n, len(part), len(cells))
			}
			for _, c := range part {
				seen[c]++
			}
		}
		for _, c := range cells {
			if seen[c] != 1 {
				t.Errorf("%v is in %d of %d parts", c, seen[c], n)
			}
		}
	}
	for _, bad := range [][2]int{{0, 2}, {3, 2}, {1, 0}, {-1, -1}} {
		if _, err := Shard(cells, bad[0], bad[1]); err == nil {
			t.Errorf("shard %d/%d is accepted", bad[0], bad[1])
		}
	}
}

func TestParseSeeds(t *testing.T) {
	for text, want := range map[string][]uint64{
		"0":                   {0},
		"3,7,5":               {3, 7, 5},
		"0-3":                 {0, 1, 2, 3},
		"9,1-3,2-4":           {9, 1, 2, 3, 4},
		"9223372036854775807": {1<<63 - 1},
	} {
		got, err := ParseSeeds(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	for _, text := range []string{"", ",", "1,", "a", "-1", "3-", "-", "3-1", "1.5", " 1", "0-100000", "0-99999,100000", "9223372036854775808", "0-9223372036854775807", "1-2-3"} {
		if got, err := ParseSeeds(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		} else if !strings.Contains(err.Error(), `"`+text+`"`) {
			t.Errorf("%q: the error does not name it: %v", text, err)
		}
	}
}

// FuzzSeeds: whatever is read is a list without repetitions, of a size that fits a machine.
func FuzzSeeds(f *testing.F) {
	for _, s := range []string{"0-19", "3,7,100-109", "5-4", "1,1,1", "99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seeds, err := ParseSeeds(text)
		if err != nil {
			return
		}
		if len(seeds) == 0 {
			t.Fatalf("%q is read as no seed", text)
		}
		sorted := slices.Sorted(slices.Values(seeds))
		if len(slices.Compact(sorted)) != len(seeds) {
			t.Fatalf("%q has a seed twice", text)
		}
	})
}
