package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer/bench"
)

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

func newPoint(r bench.Row) point {
	return point{
		answers: int32(r.Answers), iter: int32(r.Iter), gap: r.Gap,
		fit: float32(r.FitSeconds), ask: float32(r.AskSeconds), recommend: float32(r.RecommendSeconds), cpu: float32(r.CPUSeconds),
	}
}

// key is what the points of a run are ordered by. Its rows are states after an answer, so 0 answers
// mean that the stack does not count them.
func (p point) key() int32 {
	if p.answers > 0 {
		return p.answers
	}
	return p.iter
}

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
	if r == nil {
		return -1
	}
	at := func(q point) int { return int(q.iter) }
	if p.Axis == Answers {
		if p.At <= 0 {
			return -1
		}
		at = func(q point) int { return int(q.answers) }
	}
	i, found := slices.BinarySearchFunc(r.points, p.At, func(q point, n int) int { return at(q) - n })
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
	out := make([]Position, len(at))
	for i, n := range at {
		out[i] = Position{axis, n}
	}
	return out
}
