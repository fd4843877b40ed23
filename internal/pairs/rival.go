package pairs

import (
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
)

const (
	rivalApart  = 0.5 // lengthscales, of at most half the range: a strong rival this far from the pick is another option
	rivalStrong = 16  // strong rivals that are looked at
	rivalPoints = 64  // options everywhere that are looked at
)

// Rivals returns the strong rivals of a pick by their means, strongest first: the next of a list, or of other peaks of the mean, options shown and options
// everywhere those far from the pick; where none is far, near ones. Up to near an option is the pick itself.
func Rivals(ctx context.Context, c *coding.Coding, pick, shown []float64, law learn.Belief, near float64, seed uint64, workers int) [][]float64 {
	var x []float64
	for _, p := range acquisition.Recommend(ctx, c.Domain(ctx), law, shown, nil, seed, workers) {
		x = append(x, p.X...)
	}
	apart := near
	if c.List == nil {
		x = slices.Concat(x, shown, c.Points(rivalPoints, seed))
		apart = math.Max(near, Close)
	}
	ls := law.Hyper().Kernel.Lengthscale
	var far, other []float64
	for u := range slices.Chunk(x, c.Dim) {
		if c.Gap(u, pick) <= near {
			continue
		}
		other = append(other, u...)
		for j := range u {
			if math.Abs(u[j]-pick[j]) > rivalApart*math.Min(ls[j], 0.5) {
				far = append(far, u...)
				break
			}
		}
	}
	if c.List != nil || len(far) == 0 {
		far = other
	}
	return slices.Collect(slices.Chunk(acquisition.Top(law, far, rivalStrong, apart), c.Dim))
}

// Rival returns the first of the strong rivals, and of options drawn evenly, that a rater has not had; nil where there is none.
func Rival(c *coding.Coding, had, strong [][]float64, near float64, seed uint64) (first, random []float64) {
	fresh := func(x [][]float64) []float64 {
		for _, u := range x {
			if !slices.ContainsFunc(had, func(h []float64) bool { return c.Gap(h, u) <= near }) {
				return u
			}
		}
		return nil
	}
	return fresh(strong), fresh(c.Even(rivalPoints, seed))
}
