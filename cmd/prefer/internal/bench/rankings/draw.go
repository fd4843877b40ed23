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

// Breaking is a way to make pairs of a ranking.
type Breaking string

// All pairs; each with the next one; the first with each other, which is all that best-of-n says; or pairs without a common member, drawn without a look at
// who is where: those are independent of each other, and few.
const (
	All      Breaking = "all"
	Adjacent Breaking = "adjacent"
	First    Breaking = "first"
	Disjoint Breaking = "disjoint"
)

// Breakings are all of them.
var Breakings = []Breaking{All, Adjacent, First, Disjoint}

func ParseBreaking(name string) (Breaking, error) {
	if !slices.Contains(Breakings, Breaking(name)) {
		return "", fmt.Errorf("rankings: pairs %q, want one of %v", name, Breakings)
	}
	return Breaking(name), nil
}

// pairs returns pairs of items, the higher ranked first.
func (b Breaking) pairs(r *rand.Rand, ranking []int) (out [][2]int) {
	n := len(ranking)
	order := r.Perm(n) // drawn for every way, so that all meet the same rankings
	if b == Disjoint {
		for k := 0; k+1 < n; k += 2 {
			i, j := min(order[k], order[k+1]), max(order[k], order[k+1])
			out = append(out, [2]int{ranking[i], ranking[j]})
		}
		return out
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if b == All || b == Adjacent && j == i+1 || b == First && i == 0 {
				out = append(out, [2]int{ranking[i], ranking[j]})
			}
		}
	}
	return out
}
