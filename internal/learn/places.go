package learn

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
)

// Size of the Monte Carlo behind places.
const (
	PlacesMost     = 400  // points that are drawn, and so things that have places
	placesDraws    = 400  // of the utility
	placesBeyond   = 0.05 // of the chance lies beyond either end of a range of places
	placesSettings = 24   // settings of an item that is crossed with parameters, beside its best
)

// Places returns the range of places that draws of the utility give each of some rows, in this order, and how probably each is better than the next. An item
// that is crossed with parameters is as good as the best of its row and the same item at other settings: its best setting is not known either, and more may be
// better than expected of an item that was shown less.
func Places(u Belief, code *coding.Coding, rows []float64, order []int) (ranges [][2]int, above []float64) {
	var x, others []float64
	var of []int // the place in order of each point of x
	if code.List == nil {
		others = code.Points(min(placesSettings, PlacesMost/max(1, len(order))-1), 0x7e57)
	}
	for k, i := range order {
		row := rows[i*code.Dim : (i+1)*code.Dim]
		x, of = append(x, row...), append(of, k)
		for at := range slices.Chunk(others, code.Dim) {
			if copy(at, row[:code.Table().Dim]); code.Contains(at) {
				x, of = append(x, at...), append(of, k)
			}
		}
	}
	n := len(order)
	ranges, above = make([][2]int, n), make([]float64, n)
	seen, best := make([][]int, n), make([]float64, n)
	count := 0.0
	u.Draw(x, placesDraws, rand.New(rand.NewPCG(0, 0x4a2c)), func(u []float64) {
		count++
		for i := range best {
			best[i] = math.Inf(-1)
		}
		for i, k := range of {
			best[k] = math.Max(best[k], u[i])
		}
		for place, i := range coding.ByScore(best) {
			seen[i] = append(seen[i], place+1)
		}
		for i := range n - 1 {
			if best[i] > best[i+1] {
				above[i]++
			}
		}
	})
	for i := range ranges {
		slices.Sort(seen[i])
		end := int(placesBeyond * count)
		ranges[i] = [2]int{seen[i][end], seen[i][len(seen[i])-1-end]}
		above[i] /= count
	}
	return ranges, above
}

// ByMean returns the numbers of rows by expected utility, and at most so many of the rows in that order, one after the other.
func ByMean(u Belief, rows []float64, most int) (order []int, x []float64) {
	mean := make([]float64, len(rows)/u.Dim())
	u.Means(mean, rows, 1)
	order = coding.ByScore(mean)
	for _, i := range order[:min(len(order), most)] {
		x = append(x, rows[i*u.Dim():(i+1)*u.Dim()]...)
	}
	return order, x
}

// fewDraws is how often the utility is drawn to judge a set of items: ±1 % at 90 %. fewDrawn is how many items are, by mean.
const fewDraws, fewDrawn = 1000, 400

// BestFew returns the numbers of rows by expected utility, how probably the first k are the best k, and for each of these how probably each of the others is
// better. There may be fewer rows than k.
func BestFew(u Belief, rows []float64, k int) (order []int, sure float64, better [][]float64) {
	order, x := ByMean(u, rows, fewDrawn)
	k, n := min(k, len(order)), len(x)/u.Dim()
	better = make([][]float64, k)
	for i := range better {
		better[i] = make([]float64, n-k)
	}
	u.Draw(x, fewDraws, rand.New(rand.NewPCG(0, 0x4a2c)), func(f []float64) {
		if k == n || slices.Min(f[:k]) > slices.Max(f[k:]) {
			sure += 1.0 / fewDraws
		}
		for i := range better {
			for j, other := range f[k:] {
				if other > f[i] {
					better[i][j] += 1.0 / fewDraws
				}
			}
		}
	})
	return order, sure, better
}
