package exchange

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestEarlier: answers of each rater in turn, ties and strengths as the new study has them; what it cannot say is skipped.
func TestEarlier(t *testing.T) {
	box := space.Box(space.Float("x", 0, 1), space.Float("y", 0, 1))
	old, err := prefer.New(t.Context(), prefer.Config{Space: box, Initial: 99, Answers: prefer.Answers{Grades: 2}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		q, err := old.Ask(t.Context(), prefer.Request{Rater: []string{"ann", "bob", "cat"}[i%3]})
		if err != nil {
			t.Fatal(err)
		}
		a := []prefer.Answer{{Choice: prefer.First, Strength: 2}, {Choice: prefer.Tie}, {Choice: prefer.BothBad}, {Choice: prefer.Second}}[i/3]
		if _, err := old.Tell(t.Context(), q.ID, a); err != nil {
			t.Fatal(err)
		}
	}
	if err := old.Change(t.Context(), prefer.Change{Exclude: []string{"bob"}}); err != nil {
		t.Fatal(err)
	}
	duels, skipped, err := Earlier(old, prefer.Config{Space: box, Answers: prefer.Answers{Grades: 1}})
	if err != nil || skipped != 0 || len(duels) != 6 || duels[0].Rater != "1" || duels[5].Rater != "2" || duels[0].Answer.Strength != 1 {
		t.Errorf("%d answers, %d skipped, %v: %+v", len(duels), skipped, err, duels)
	}
	if _, skipped, err := Earlier(old, prefer.Config{Space: box, Answers: prefer.Answers{Forced: true}}); err != nil || skipped != 2 {
		t.Errorf("ties for a study without: %d skipped, %v", skipped, err)
	}
	if _, _, err := Earlier(old, prefer.Config{Space: space.Box(space.Float("z", 0, 1))}); err == nil || !strings.Contains(err.Error(), `"z"`) {
		t.Errorf("answers about other parameters: %v", err)
	}
}

// TestEarlierFairly: everybody is heard as much as the others, evenly over what they said.
func TestEarlierFairly(t *testing.T) {
	said := map[string][]prefer.Duel{}
	for r, n := range map[string]int{"few": 10, "many": 200, "more": 300} {
		for i := range n {
			said[r] = append(said[r], prefer.Duel{Rater: r, Answer: prefer.Answer{Strength: i}})
		}
	}
	got := fairly([]string{"many", "few", "more"}, said)
	if len(got[0]) != 40 || len(got[1]) != 10 || len(got[2]) != 40 {
		t.Fatalf("%d, %d and %d answers are taken", len(got[0]), len(got[1]), len(got[2]))
	}
	if a, b := got[0][0].Answer.Strength, got[0][39].Answer.Strength; a != 2 || b != 197 {
		t.Errorf("of 200 the first taken is %d, the last %d", a, b)
	}
}
