package rankings

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

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

// ParseBreaking reads the name of one.
func ParseBreaking(name string) (Breaking, error) {
	if !slices.Contains(Breakings, Breaking(name)) {
		return "", fmt.Errorf("rankings: pairs %q, want one of %v", name, Breakings)
	}
	return Breaking(name), nil
}

// pairs returns who came before whom.
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
