package crowd

import (
	"math/rand/v2"
	"testing"
)

// TestFollowByChance: of 2000 raters who answer by a coin, whatever is shown, at most 2 % are said to follow the order at one look, and
// at most 9 % at any of ninety looks.
func TestFollowByChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const people = 2000
	ever, last := 0, 0
	for range people {
		var c Sides
		once := false
		for c.Of < 100 {
			c = c.Add(rng.IntN(2) == 1)
			once = once || c.Follow()
		}
		if once {
			ever++
		}
		if c.Follow() {
			last++
		}
	}
	if ever == 0 || ever > people*9/100 || last > people*2/100 {
		t.Errorf("of %d raters who do not follow the order %d were said to at some look, %d at the last", people, ever, last)
	}
}
