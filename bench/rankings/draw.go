package rankings

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/normal"
)

// Law is how rankings come about: everything has its utility with noise of its own, and they are sorted by that.
type Law string

// The laws: normal noise (Thurstone 1927, case V), or that of Gumbel, where the best of those left is taken with a probability proportional to exp u
// (Plackett 1975, Luce 1959).
const (
	Thurstone    Law = "thurstone"
	PlackettLuce Law = "plackett-luce"
)

// Laws are all of them.
var Laws = []Law{Thurstone, PlackettLuce}

// rank returns places of u, best first, of the chosen ones. Noise of the normal law has variance 1/2 on each, so that it is 1 on a difference.
func (l Law) rank(r *rand.Rand, u []float64, chosen []int) []int {
	seen := make(map[int]float64, len(chosen))
	for _, i := range chosen {
		switch l {
		case Thurstone:
			seen[i] = u[i] + r.NormFloat64()/math.Sqrt2
		case PlackettLuce:
			seen[i] = u[i] - math.Log(r.ExpFloat64())
		default:
			panic(fmt.Sprintf("rankings: law %q", l))
		}
	}
	out := slices.Clone(chosen)
	slices.SortFunc(out, func(a, b int) int { return cmp.Compare(seen[b], seen[a]) })
	return out
}

// wins is the probability that what has the utility a comes before what has b, in a ranking of any length.
func (l Law) wins(a, b float64) float64 {
	if l == Thurstone {
		return normal.CDF(a - b)
	}
	return 1 / (1 + math.Exp(b-a))
}
