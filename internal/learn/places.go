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
