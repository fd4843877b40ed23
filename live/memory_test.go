package live

import (
	"context"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
)

// TestMemoryWiring: a study in memory keeps its clock and a method of one's own when it is opened again.
func TestMemoryWiring(t *testing.T) {
	then := time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
	cfg := coffee
	cfg.Now, cfg.Method, cfg.Initial = func() time.Time { return then }, "mine", 1
	cfg.Chooser = func(ctx context.Context, task acquisition.Task) (acquisition.Choice, error) {
		return acquisition.Ask(ctx, "random", task)
	}
	s, err := New(Config{Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	if err := s.Create(t.Context(), "coffee", cfg, Settings{}); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		q, err := s.Ask(t.Context(), "coffee", Ask{Rater: "ann"})
		if err != nil {
			t.Fatal(err)
		}
		if i == 3 && q.Asked.Method != "mine" {
			t.Errorf("question %d is chosen by %q", i, q.Asked.Method)
		}
		if _, err := s.Tell(t.Context(), "coffee", Tell{Question: q.Asked.ID, Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List(t.Context())
	if err != nil || len(list) != 1 || !list[0].Changed.Equal(then) || list[0].Answers != 4 {
		t.Errorf("the list is %+v, %v", list, err)
	}
}
