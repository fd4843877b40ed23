package play

import (
	"errors"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

func TestPair(t *testing.T) {
	q := prefer.Question{First: prefer.ItemOption("a"), Second: prefer.ItemOption("b")}
	likesA := func(prefer.Question) prefer.Answer { return prefer.Answer{Choice: prefer.First, Strength: 1} }
	for swapped, want := range map[bool][3]string{false: {"a", "b", "1+"}, true: {"b", "a", "2+"}} {
		p := pair{Question: q, swapped: swapped}
		first, second := p.options()
		if got := [3]string{first.Item(), second.Item(), describeChoice(autoAnswer(p, likesA))}; got != want {
			t.Errorf("swapped %t: %v, want %v", swapped, got, want)
		}
	}
}

// openRoom returns a room in memory with one study.
func openRoom(t *testing.T, cfg prefer.Config) *live.Studies {
	t.Helper()
	room, err := live.New(live.Config{Budget: -1, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { room.Close(t.Context()) }) //nolint:errcheck // in memory
	if err := room.Create(t.Context(), "tea", cfg, live.Settings{}); err != nil {
		t.Fatal(err)
	}
	return room
}

// Sessions at the same time lose nothing, and undo takes back one's own answers only.
func TestSessionsTogether(t *testing.T) {
	room := openRoom(t, prefer.Config{Space: prefer.Box(prefer.Float("x", 0, 1)), Method: "random"})
	ctx := t.Context()
	sessions := map[string]*Session{"ada": {Room: room, Study: "tea", Rater: "ada"}, "bob": {Room: room, Study: "tea", Rater: "bob"}}
	for range 5 {
		for _, s := range sessions {
			q, err := s.ask(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.tell(ctx, q.ID, prefer.Answer{Choice: prefer.First}); err != nil {
				t.Fatal(err)
			}
			if err := s.tell(ctx, q.ID, prefer.Answer{Choice: prefer.First}); !errors.Is(err, answeredElsewhere) {
				t.Fatalf("told twice: %v", err)
			}
		}
	}
	for range 5 {
		if err := sessions["ada"].undo(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := sessions["ada"].undo(ctx); !errors.Is(err, nothingToUndo) {
		t.Errorf("undo of nothing: %v", err)
	}
	for rater, want := range map[string]int{"ada": 0, "bob": 5} {
		if n, err := sessions[rater].Kept(ctx); n != want || err != nil {
			t.Errorf("%s has %d answers, %v, want %d", rater, n, err, want)
		}
	}
	if q, err := sessions["ada"].ask(ctx); err != nil || q.number != 1 {
		t.Errorf("ada is back at question %d, %v, want 1", q.number, err)
	}
}
