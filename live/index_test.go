package live

import (
	"fmt"
	"maps"
	"reflect"
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

// TestSituationClock: a rater who was asked at an hour that lies ahead, because a clock was set back or another server's is ahead, is not looking for an hour; a little
// ahead is now.
func TestSituationClock(t *testing.T) {
	h := newTestStudies(t, nil)
	h.ask("bob")
	asked := h.open().Study.Events(0)[1].Time
	for off, want := range map[time.Duration]int{0: 1, 30 * time.Second: 1, -30 * time.Second: 1, time.Hour: 0, -time.Hour: 0} {
		if at := h.open().situation("ann", asked.Add(off)); at.others != want {
			t.Errorf("%v after bob was asked %d others look, want %d", off, at.others, want)
		}
	}
}

// TestIndexLocks: an answer with the next question locks the index at most twice and reads no event again.
func TestIndexLocks(t *testing.T) {
	h := newTestStudies(t, nil)
	q := h.ask("ann")
	for range 6 {
		r := h.open()
		r.mu.Lock()
		locks, taken := r.index.locks, r.index.taken
		r.mu.Unlock()
		before := r.Study.Events(0)
		told, err := h.Tell(t.Context(), "coffee", Tell{Question: prefer.QuestionID(q.ID), Rater: "ann", Answer: prefer.Answer{Choice: prefer.First}, Next: true})
		if err != nil || told.Next == nil {
			t.Fatalf("%+v, %v", told, err)
		}
		r.mu.Lock()
		locks, taken = r.index.locks-locks, r.index.taken-taken
		r.mu.Unlock()
		if fresh := len(r.Study.Events(len(before))); locks > 2 || taken != fresh || fresh != 2 {
			t.Errorf("an answer with the next question locks the index %d times and reads %d events, of which %d are new; want 2, 2 and 2", locks, taken, fresh)
		}
		q = *told.Next
	}
}

// TestIndexIncremental: what the index adds up event by event is what it adds up at once, and what the study's history says.
func TestIndexIncremental(t *testing.T) {
	h := newTestStudies(t, nil)
	var ids []prefer.AnswerID
	for i, rater := range []string{"ann", "bob", "ann", "", "ann", "bob", "", "bob", "ann"} {
		choice := []prefer.Choice{prefer.First, prefer.Skip, prefer.BothBad, prefer.Second}[i%4]
		told, err := h.Tell(t.Context(), "coffee", Tell{Question: prefer.QuestionID(h.ask(rater).ID), Rater: rater, Owner: true, Answer: prefer.Answer{Choice: choice, Check: i == 4}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, prefer.AnswerID(told.Answer))
		for _, k := range map[int][]int{3: {3}, 6: {0}, 8: {7, 5}}[i] { // the last answer, an older one, two of bob's
			if _, err := h.Undo(t.Context(), "coffee", Undo{Answer: ids[k], Owner: true}); err != nil {
				t.Fatal(err)
			}
		}
		r := h.open()
		fresh := newIndex(r.Config)
		fresh.read(r.Study)
		r.look(func(x *index) {
			if !maps.Equal(x.taught, fresh.taught) || !maps.Equal(x.answered, fresh.answered) || x.standing != fresh.standing || !reflect.DeepEqual(x.said, fresh.said) || x.fresh != fresh.fresh {
				t.Errorf("after answer %d the index has %v, read at once %v", i, x.taught, fresh.taught)
			}
			said, counts, standing := map[string][]prefer.AnswerID{}, 0, 0
			for _, e := range r.Study.History() {
				if e.Undone {
					continue
				}
				said[e.Rater] = append(said[e.Rater], e.ID)
				standing++
				if e.Counts() {
					counts++
				}
			}
			if len(said) != len(x.said) || standing != x.standing || counts != x.count("", "").answers {
				t.Errorf("after answer %d the index has %d raters, %d answers, of which %d count; the history %d, %d and %d", i, len(x.said), x.standing, x.count("", "").answers, len(said), standing, counts)
			}
			for rater, ids := range said {
				for k, id := range ids {
					if x.said[rater][k].ID != id {
						t.Errorf("after answer %d, %q has said %v, want %v", i, rater, x.said[rater], ids)
					}
				}
			}
		})
	}
}
