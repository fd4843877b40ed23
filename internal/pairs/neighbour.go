package pairs

import (
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// Questions are chosen with a noise that is fixed, so to the model the same pair a little shifted is new evidence. A person who never errs could be asked one
// question a dozen times, and the study could end at the end of a range without having shown anything next to it. Two rules prevent that:
//
//   - A near-repeat of a pair that the rater has answered is asked only if no other pair gains a tenth as much, or the answer contradicts the others.
//   - With one or two ordered parameters (numbers, ordinals, circles) no study ends with a favourite while nothing next to it was shown, on any side of it
//     that has room. The next question then tries what is missing.
//
// Distances are in the coordinates of the model, as parts of the range: on a log scale of its logarithm, on a circle of the shorter way.
const (
	neighbourReach = 0.1   // an option is next to the pick up to this distance, or one level away, …
	neighbourLeast = 0.05  // … and not nearer, for then it is the pick itself, unless the range ends there; …
	neighbourOther = 0.25  // … if it is no farther away than this in the other parameter
	neighbourTried = 0.075 // the distance at which a missing neighbour is tried; the pick may move a little by the answer

	repeatReach = 0.05 // both options of a near-repeat are this near to those of an answered pair, …
	repeatShare = 0.25 // … and within this part of the distance between the two
)

// Untried is a side of the pick on which no neighbour was shown: what would be one, and the values between which nothing was.
type Untried struct {
	Neighbour []float64
	Between   [2]space.Option
}

// FindUntried returns the sides of a pick on which nothing next to it was shown. A side that a constraint closes has no neighbour, nor has one on which
// the range ends nearer than the separation of two options that may be asked.
func FindUntried(c *coding.Coding, pick []float64, shown [][]float64, separation float64) (out []Untried) {
	free := c.Ordered()
	if free == nil || separation <= 0 || separation > neighbourTried {
		return nil
	}
	for i, a := range free {
		near := func(x []float64) bool {
			for j, b := range free {
				if j != i && b.Apart(pick, x) > neighbourOther {
					return false
				}
			}
			return c.Concerns(x)
		}
		for _, direction := range []float64{-1, 1} {
			y, next := a.Beyond(pick, neighbourTried, direction)
			if y == nil || !c.Contains(y) || a.Ahead(pick, y, direction) < separation {
				continue
			}
			least := math.Min(neighbourLeast, a.Ahead(pick, y, direction)) - coding.SameOption
			first, to := math.Inf(1), []float64(nil)
			for _, x := range shown {
				if d := a.Ahead(pick, x, direction); d >= least && d < first && near(x) { // what is nearer is the pick itself
					first, to = d, x
				}
			}
			if first > math.Max(neighbourReach, next)+coding.SameOption {
				out = append(out, Untried{y, a.Between(pick, to, direction)})
			}
		}
	}
	return out
}

// NearRepeat reports whether a pair is a near-repeat of one that was answered.
func NearRepeat(c *coding.Coding, answered []Asked, a, b []float64) bool {
	return Clash(c, answered, a, b, math.Min(repeatReach, repeatShare*c.Gap(a, b)))
}

// How many rivals are looked at, and how far from the pick.
const (
	rivalApart  = 0.5 // lengthscales, of at most half the range: a strong rival this far from the pick is another option
	rivalStrong = 16  // strong rivals that are looked at
	RivalPoints = 64  // options everywhere that are looked at
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
		x = slices.Concat(x, shown, c.Points(RivalPoints, seed))
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
	return slices.Collect(slices.Chunk(acquisition.Top(law, far, rivalStrong, apart, 0), c.Dim))
}

// Fresh returns the first of the points that is not, up to near, one of those that a rater has had; nil where there is none.
func Fresh(c *coding.Coding, x, had [][]float64, near float64) []float64 {
	for _, u := range x {
		if !slices.ContainsFunc(had, func(h []float64) bool { return c.Gap(h, u) <= near }) {
			return u
		}
	}
	return nil
}
