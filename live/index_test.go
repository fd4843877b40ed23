package live

import (
	"fmt"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

// TestSides: of every two questions of a rater one is exchanged, whatever the seed, and neither comes
// first as a rule.
func TestSides(t *testing.T) {
	firsts := 0
	for seed := range uint64(400) {
		x := newIndex(prefer.Config{Seed: seed})
		for block := range 3 {
			var swapped [2]bool
			for i := range swapped {
				q := prefer.Question{Rater: "ann", ID: prefer.QuestionID(fmt.Sprint(block, i))}
				x.show(q, 0, time.Time{})
				swapped[i] = x.questions[q.ID].swapped
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

// TestSituationClock: who was asked at an hour that lies ahead, because a clock was set back or another server's is ahead, is not looking for an hour; a little
// ahead is now.
func TestSituationClock(t *testing.T) {
	h := newRoom(t, nil)
	h.ask("bob")
	asked := h.open().Study.Events(0)[1].Time
	for off, want := range map[time.Duration]int{0: 1, 30 * time.Second: 1, -30 * time.Second: 1, time.Hour: 0, -time.Hour: 0} {
		if at := h.open().situation("ann", asked.Add(off)); at.others != want {
			t.Errorf("%v after bob was asked %d others look, want %d", off, at.others, want)
		}
	}
}
