package learn

import (
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
)

// Places returns the range of places of each of the points among them that so many draws of the utility have, but for a share beyond either end, and how
// probably each is better than the next.
func Places(u Belief, x []float64, draws int, beyond float64) (ranges [][2]int, above []float64) {
	n := len(x) / u.Dim()
	ranges, above = make([][2]int, n), make([]float64, n)
	seen := make([][]int, n)
	count := 0.0
	u.Draw(x, draws, rand.New(rand.NewPCG(0, 0x4a2c)), func(u []float64) {
		count++
		for place, i := range coding.ByScore(u) {
			seen[i] = append(seen[i], place+1)
		}
		for i := range n - 1 {
			if u[i] > u[i+1] {
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
