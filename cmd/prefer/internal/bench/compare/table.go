// Package compare turns the rows of results files into statistics and documents.
//
// A [Table] holds the rows. Its group is a setting, problem × noise; its series is a setup ×
// method; a run is one seed of a series in a group. Rows of another stack are a series like any other.
//
//	t, err := compare.Load("results.jsonl", "botorch.jsonl")
//	err = compare.Write("out", t, compare.Options{})
//
// # Where runs are compared
//
// A [Position] counts either all answers, initial pairs included ([Answers]: what a person had to do), or the questions after the initial pairs ([Iter]: what
// a method made of the same start). The two differ between series with initial designs of different size, so every table says which one it uses.
//
// # Statistics
//
// [Table.Summaries] gives median, quartiles, mean and the share of stuck runs; [Table.Compare] compares two
// series seed by seed; [Table.Against] compares one series with the best of several. Intervals are 95 % percentile bootstrap intervals, and a comparison that
// cannot tell two series apart says "~". All of it is a function of the rows alone, whatever their order.
//
// # Documents
//
// A [Document] is rendered as Markdown and as one HTML page that needs no other file. [New] makes the one
// about a table; a program with more to say appends sections of its own.
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
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/internal/xslices"
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

// Series is a method under a setup of bench, or of another program.
type Series struct{ Setup, Method string }

// String returns "kg, default initial=4d".
func (s Series) String() string { return s.Method + ", " + s.Setup }

// Table is an index of rows. The zero value is empty and ready. It is not safe for concurrent use.
type Table struct {
	groups map[Group]map[Series]map[uint64]*Run
	draws  Draws
	spans  map[string]float64 // f* − mean f of problems; 0: not known
}

// Load reads results files into one table. Rows without a setup take the name of their file, less its directory and ".jsonl".
func Load(paths ...string) (*Table, error) {
	t := &Table{}
	for _, path := range paths {
		f, err := os.Open(path)
		if err == nil {
			err = errors.Join(bench.ReadRows(f, strings.TrimSuffix(filepath.Base(path), ".jsonl"), t.Add), f.Close())
		}
		if err != nil {
			return nil, fmt.Errorf("report: %s: %w", path, err)
		}
	}
	return t, nil
}

// maxCount bounds answers and iter: they are kept in 32 bits.
const maxCount = 1 << 24

// Add takes a row in. The same row again is fine; a row that contradicts an earlier one is an error, and so is a gap or noise that is not a number.
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
	if t.groups[g][s] == nil {
		t.groups[g][s] = map[uint64]*Run{}
	}
	run := t.groups[g][s][r.Seed]
	if run == nil {
		run = &Run{}
		t.groups[g][s][r.Seed] = run
	}
	if err := run.add(point{int32(r.Answers), int32(r.Iter), r.Gap,
		float32(r.FitSeconds), float32(r.AskSeconds), float32(r.RecommendSeconds), float32(r.CPUSeconds)}); err != nil {
		return bad(err)
	}
	return nil
}

// Groups lists the settings, by problem and noise.
func (t *Table) Groups() []Group {
	return slices.SortedFunc(maps.Keys(t.groups), func(a, b Group) int {
		return cmp.Or(strings.Compare(a.Problem, b.Problem), cmp.Compare(a.Noise, b.Noise))
	})
}

// Series lists the series of the groups, by setup and method.
func (t *Table) Series(groups ...Group) []Series {
	all := map[Series]bool{}
	for _, g := range groups {
		for s := range t.groups[g] {
			all[s] = true
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b Series) int {
		return cmp.Or(strings.Compare(a.Setup, b.Setup), strings.Compare(a.Method, b.Method))
	})
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

// Positions lists where some of the series have rows in a group, in order: by answers, then by iter for stacks that do not count answers.
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
	return xslices.Map(seeds, func(seed uint64) float64 { return t.Run(g, s, seed).Gap(p) })
}

// Run is what one seed of a series did in one group.
type Run struct {
	points []point // by answers, or by iter where the stack does not count answers
}

// point is a row without what its run has in common: 32 bytes, so that half a million rows are 16 MB.
type point struct {
	answers, iter            int32 // answers 0: not known
	gap                      float64
	fit, ask, recommend, cpu float32 // seconds; 0: not known
}

// key is what the points of a run are ordered by. Its rows are states after an answer, so 0 answers mean that the stack does not count them.
func (p point) key() int32 { return cmp.Or(p.answers, p.iter) }

// add inserts a point. A second row at the same place, as resumed sweeps leave them, changes nothing if
// it has the same gap; the seconds of the first are kept.
func (r *Run) add(p point) error {
	if len(r.points) > 0 && (r.points[0].answers > 0) != (p.answers > 0) {
		return fmt.Errorf("rows with answers and rows without, at iter %d and %d", r.points[0].iter, p.iter)
	}
	i, found := slices.BinarySearchFunc(r.points, p.key(), func(q point, key int32) int { return int(q.key()) - int(key) })
	if found {
		switch q := r.points[i]; {
		case q.iter != p.iter:
			return fmt.Errorf("iter %d and %d at %d answers", q.iter, p.iter, p.answers)
		case q.gap != p.gap:
			return fmt.Errorf("gap %v and %v at %d answers (iter %d)", q.gap, p.gap, p.answers, p.iter)
		}
		return nil
	}
	if len(r.points) > 0 && p.answers > 0 && !(r.withoutIter() && p.iter == 0) {
		initial, known := r.Initial()
		if pairs := int(p.answers - p.iter); !known || pairs != initial {
			return fmt.Errorf("%d and %d initial pairs (answers − iter)", r.points[0].answers-r.points[0].iter, pairs)
		}
	}
	r.points = slices.Insert(r.points, i, p)
	return nil
}

// withoutIter reports whether all rows are at iter 0: there is one, or the stack counts answers alone.
func (r *Run) withoutIter() bool { return r.points[0].iter == 0 && r.points[len(r.points)-1].iter == 0 }

// Initial returns the number of initial pairs, answers − iter, and whether the rows tell.
func (r *Run) Initial() (pairs int, known bool) {
	if r == nil || len(r.points) == 0 || r.points[0].answers == 0 || len(r.points) > 1 && r.withoutIter() {
		return 0, false
	}
	return int(r.points[0].answers - r.points[0].iter), true
}

// Gap returns the gap at a position, NaN where the run has none.
func (r *Run) Gap(p Position) float64 {
	if i := r.find(p); i >= 0 {
		return r.points[i].gap
	}
	return math.NaN()
}

// find returns the index of the point at a position, −1 if there is none.
func (r *Run) find(p Position) int {
	if r == nil || p.Axis == Answers && p.At <= 0 {
		return -1
	}
	i, found := slices.BinarySearchFunc(r.points, p.At, func(q point, n int) int {
		if p.Axis == Answers {
			return int(q.answers) - n
		}
		return int(q.iter) - n
	})
	if !found {
		return -1
	}
	return i
}

// Axis is what a position counts.
type Axis int

const (
	Answers Axis = iota // all answers, initial pairs included
	Iter                // questions after the initial pairs; negative before their end
)

// Position is a place in a run.
type Position struct {
	Axis Axis
	At   int
}

// String returns "15 answers" or "question 10".
func (p Position) String() string {
	if p.Axis == Answers {
		return strconv.Itoa(p.At) + " answers"
	}
	return "question " + strconv.Itoa(p.At)
}

// positions returns a position at each count of an axis.
func positions(axis Axis, at []int) []Position {
	return xslices.Map(at, func(n int) Position { return Position{axis, n} })
}
