package learn

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
)

// Places returns the range of places that so many draws of the utility give each of several things, but for a share beyond either end, and how probably each is
// better than the next. Point i of x belongs to thing number of[i], which is as good as the best of its points.
func Places(u Belief, x []float64, of []int, draws int, beyond float64) (ranges [][2]int, above []float64) {
	n := of[len(of)-1] + 1
	ranges, above = make([][2]int, n), make([]float64, n)
	seen, best := make([][]int, n), make([]float64, n)
	count := 0.0
	u.Draw(x, draws, rand.New(rand.NewPCG(0, 0x4a2c)), func(u []float64) {
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
		end := int(beyond * count)
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
