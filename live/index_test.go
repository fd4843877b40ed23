package live

import (
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestSides: of every two questions of a rater one is exchanged, whatever the seed, and neither comes
// first as a rule.
func TestSides(t *testing.T) {
	firsts := 0
	for seed := range uint64(400) {
		b := index{seed: seed}
		b.add(prefer.Event{Seq: 1})
		for block := range 3 {
			var swapped [2]bool
			for i := range swapped {
				q := &entry{question: prefer.Question{Rater: "ann", ID: prefer.QuestionID(fmt.Sprint(block, i))}}
				b.side(q)
				swapped[i] = q.swapped
			}
			if swapped[0] == swapped[1] {
				t.Fatalf("seed %d, block %d: %v", seed, block, swapped)
			}
			if swapped[0] {
				firsts++
			}
		}
	}
	if firsts < 520 || firsts > 680 { // 1200 fair coins: ±4.6 standard deviations
		t.Errorf("%d of 1200 blocks begin with an exchange", firsts)
	}
}
