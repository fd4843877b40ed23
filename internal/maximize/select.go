package maximize

import (
	"math"
	"slices"
)

// selectStarts picks count of the rows of raw (n × d) to climb from: the best value first, ties by the lowest index, passing over a row closer than spread to
// one already picked. Two starts in one basin find one maximum; the second is better spent elsewhere. If fewer than count are left that way, the rows passed
// over fill up, best first. Rows without a finite value come last.
//
// Distance is the largest coordinate difference, in units of the box's width: 0.05 means that some coordinate differs
// by a twentieth of its range. A variable that is fixed does not count, and one without bounds has width 1.
func selectStarts(raw, values, lo, hi []float64, count int, spread float64) []int {
	d := len(lo)
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case better(values[a], values[b]):
			return -1
		case better(values[b], values[a]):
			return 1
		}
		return 0
	})

	count = min(count, len(order))
	picked := make([]int, 0, count)
	var passed []int
	for _, i := range order {
		if len(picked) == count {
			break
		}
		near := slices.ContainsFunc(picked, func(p int) bool {
			return distance(raw[i*d:][:d], raw[p*d:][:d], lo, hi) < spread
		})
		if near {
			passed = append(passed, i)
		} else {
			picked = append(picked, i)
		}
	}
	return append(picked, passed[:min(len(passed), count-len(picked))]...)
}

// distance returns max |aⱼ − bⱼ| / (hiⱼ − loⱼ), as selectStarts describes.
func distance(a, b, lo, hi []float64) float64 {
	var far float64
	for j := range a {
		width := hi[j] - lo[j]
		switch {
		case width == 0:
			continue
		case math.IsInf(width, 1):
			width = 1
		}
		far = max(far, math.Abs(a[j]-b[j])/width)
	}
	return far
}
