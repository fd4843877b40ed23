package compare

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/bench"
)

// Group is a setting in which series are compared.
type Group struct {
	Problem string
	Noise   float64 // target error rate; 0: answers without noise
}

// String returns "branin2 at 10 % noise" or "branin2 without noise".
func (g Group) String() string {
	if g.Noise == 0 {
		return g.Problem + " without noise"
	}
	return g.Problem + " at " + percent(g.Noise) + " noise"
}

func compareGroups(a, b Group) int {
	return cmp.Or(strings.Compare(a.Problem, b.Problem), cmp.Compare(a.Noise, b.Noise))
}

// Series is who searched: a method under a setup of bench, or of another stack.
type Series struct{ Setup, Method string }

// String returns "kg, default initial=4d".
func (s Series) String() string { return s.Method + ", " + s.Setup }

func compareSeries(a, b Series) int {
	return cmp.Or(strings.Compare(a.Setup, b.Setup), strings.Compare(a.Method, b.Method))
}

// Table is an index of rows. The zero value is empty and ready. It is not safe for concurrent use.
type Table struct {
	groups map[Group]map[Series]map[uint64]*Run
	draws  Draws
	spans  map[string]float64 // f* − mean f of problems; 0: not known
}

// Load reads results files into one table. Rows without a setup take the name of their file, less its
// directory and ".jsonl".
func Load(paths ...string) (*Table, error) {
	t := &Table{}
	for _, path := range paths {
		if err := t.load(path); err != nil {
			return nil, fmt.Errorf("report: %s: %w", path, err)
		}
	}
	return t, nil
}

func (t *Table) load(path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return bench.ReadRows(f, strings.TrimSuffix(filepath.Base(path), ".jsonl"), t.Add)
}

// maxCount bounds answers and iter: they are kept in 32 bits.
const maxCount = 1 << 24

// Add takes a row in. The same row again is fine; a row that contradicts an earlier one is an error, and
// so is a gap or noise that is not a number.
func (t *Table) Add(r bench.Row) error {
	g, s := Group{r.Problem, r.Noise}, Series{r.Setup, r.Method}
	bad := func(err error) error { return fmt.Errorf("report: %v, %v, seed %d: %w", g, s, r.Seed, err) }
	switch {
	case math.IsNaN(r.Noise) || math.IsInf(r.Noise, 0):
		return bad(fmt.Errorf("noise %g, want a number", r.Noise))
	case math.IsNaN(r.Gap) || math.IsInf(r.Gap, 0):
		return bad(fmt.Errorf("gap %g at %d answers, want a number", r.Gap, r.Answers))
	case r.Answers < 0 || r.Answers > maxCount:
		return bad(fmt.Errorf("answers %d, want 0 to %d", r.Answers, maxCount))
	case r.Iter < -maxCount || r.Iter > maxCount:
		return bad(fmt.Errorf("iter %d, want %d to %d", r.Iter, -maxCount, maxCount))
	}
	if t.groups == nil {
		t.groups = map[Group]map[Series]map[uint64]*Run{}
	}
	if t.groups[g] == nil {
		t.groups[g] = map[Series]map[uint64]*Run{}
	}
	runs := t.groups[g][s]
	if runs == nil {
		runs = map[uint64]*Run{}
		t.groups[g][s] = runs
	}
	if runs[r.Seed] == nil {
		runs[r.Seed] = &Run{}
	}
	if err := runs[r.Seed].add(newPoint(r)); err != nil {
		return bad(err)
	}
	return nil
}

// Groups lists the settings, by problem and noise.
func (t *Table) Groups() []Group { return slices.SortedFunc(maps.Keys(t.groups), compareGroups) }

// Series lists who searched in the groups, by setup and method.
func (t *Table) Series(groups ...Group) []Series {
	all := map[Series]bool{}
	for _, g := range groups {
		for s := range t.groups[g] {
			all[s] = true
		}
	}
	return slices.SortedFunc(maps.Keys(all), compareSeries)
}

// Seeds lists the seeds of a series in a group, in increasing order.
func (t *Table) Seeds(g Group, s Series) []uint64 { return slices.Sorted(maps.Keys(t.groups[g][s])) }

// Run returns one run, nil if there is none. A nil run has no gap anywhere.
func (t *Table) Run(g Group, s Series, seed uint64) *Run { return t.groups[g][s][seed] }

// Initial returns the number of initial pairs of a series in a group, and whether all its runs agree.
func (t *Table) Initial(g Group, s Series) (pairs int, known bool) {
	for _, r := range t.groups[g][s] {
		n, ok := r.Initial()
		if !ok || known && n != pairs {
			return 0, false
		}
		pairs, known = n, true
	}
	return pairs, known
}

// Positions lists where some of the series have rows in a group, in order: by answers, then by iter for stacks
// that do not count answers.
func (t *Table) Positions(g Group, series ...Series) []Position {
	all := map[Position]bool{}
	for _, s := range series {
		for _, r := range t.groups[g][s] {
			for _, p := range r.points {
				if p.answers > 0 {
					all[Position{Answers, int(p.answers)}] = true
				} else {
					all[Position{Iter, int(p.iter)}] = true
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b Position) int {
		return cmp.Or(cmp.Compare(a.Axis, b.Axis), cmp.Compare(a.At, b.At))
	})
}

// common lists the seeds with which every series has a gap at a position, in increasing order.
func (t *Table) common(g Group, p Position, series ...Series) []uint64 {
	return slices.DeleteFunc(t.Seeds(g, series[0]), func(seed uint64) bool {
		return slices.ContainsFunc(series, func(s Series) bool { return math.IsNaN(t.Run(g, s, seed).Gap(p)) })
	})
}

// gaps returns the gaps of a series with the given seeds at a position.
func (t *Table) gaps(g Group, s Series, p Position, seeds []uint64) []float64 {
	out := make([]float64, len(seeds))
	for i, seed := range seeds {
		out[i] = t.Run(g, s, seed).Gap(p)
	}
	return out
}
