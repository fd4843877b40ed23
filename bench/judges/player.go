package judges

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/prefer-bo/prefer/space"
)

// player asks for pairs and names the best in the end.
type player interface {
	// next returns the pair to be shown.
	next(ctx context.Context) (a, b int, err error)
	// told says whether a was taken, and whether b was shown first.
	told(ctx context.Context, tookA, swapped bool) error
	// pick is what it would name as the best, and how sure it is of that, 0 if it does not say.
	pick(ctx context.Context) (best int, sure float64, err error)
}

// Players are who asks. Those with a number ask the judge so often for one comparison, and go by the majority.
var Players = []string{"prefer", "round-robin", "elo", "double-thompson", "merge-sort", "merge-sort-3"}

func newPlayer(ctx context.Context, name string, items []space.Item, seed uint64) (player, error) {
	r, n := rand.New(rand.NewPCG(seed, 0x1d6e)), len(items)
	switch name {
	case "prefer":
		return newStudy(ctx, items, seed)
	case "round-robin":
		return newRobin(r, n), nil
	case "elo":
		return newElo(r, n), nil
	case "double-thompson":
		return newThompson(r, n), nil
	case "merge-sort":
		return newSorting(r, n, 1), nil
	case "merge-sort-3":
		return newSorting(r, n, 3), nil
	}
	return nil, fmt.Errorf("judges: player %q, want one of %v", name, Players)
}

// most returns the place of the largest value, one of several by chance.
func most(r *rand.Rand, values []float64) int {
	best, ties := 0, 0
	for i, v := range values {
		switch {
		case i == 0 || v > values[best]:
			best, ties = i, 1
		case v == values[best]:
			if ties++; r.IntN(ties) == 0 {
				best = i
			}
		}
	}
	return best
}
