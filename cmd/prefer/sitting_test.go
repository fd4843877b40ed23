package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer"
)

// In every block of four questions two are swapped, and the order is not the same in all.
func TestSwappedSides(t *testing.T) {
	orders := map[string]int{}
	for seed := range uint64(50) {
		for block := range 20 {
			order, swapped := "", 0
			for i := range 4 {
				s := swappedSides(seed, "ada", 4*block+i+1)
				if s {
					swapped++
				}
				order += fmt.Sprintf("%t ", s)
			}
			if swapped != 2 {
				t.Fatalf("seed %d, block %d: %d of 4 are swapped", seed, block, swapped)
			}
			orders[order]++
		}
	}
	for order, n := range orders { // 1000 blocks of 6 orders: 167 ± 12 each
		if n < 100 || n > 240 {
			t.Errorf("order %s comes %d times in 1000", order, n)
		}
	}
	if len(orders) != 6 {
		t.Errorf("%d orders, want all 6", len(orders))
	}
}

func TestTurn(t *testing.T) {
	q := prefer.Question{First: prefer.ItemOption("a"), Second: prefer.ItemOption("b")}
	for swapped, want := range map[bool][4]string{
		false: {"a", "b", "first", "second"}, true: {"b", "a", "second", "first"},
	} {
		tn := turn{Question: q, swapped: swapped}
		first, second := tn.shown()
		got := [4]string{first.Item(), second.Item(), string(tn.answer(prefer.First, 0).Choice), string(tn.answer(prefer.Second, 0).Choice)}
		if got != want {
			t.Errorf("swapped %t: %v, want %v", swapped, got, want)
		}
		if a := tn.answer(prefer.Tie, 0); a.Choice != prefer.Tie || a.Swapped != swapped {
			t.Errorf("a tie is kept as %+v", a)
		}
		if got := spokenChoice(tn, tn.answer(prefer.Second, 1)); got != "2+" {
			t.Errorf("the second is spoken of as %q", got)
		}
	}
}

// shelf is a journal that several sittings write to.
type shelf struct {
	mu     sync.Mutex
	events []prefer.Event
}

func (s *shelf) Append(_ context.Context, after int, events ...prefer.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if after != len(s.events) {
		return prefer.ErrConflict
	}
	s.events = append(s.events, events...)
	return nil
}

func (s *shelf) open(ctx context.Context) (*prefer.Study, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return prefer.Open(ctx, s.events, prefer.OpenOptions{Journal: s})
}

// Sittings at the same time lose nothing, and undo takes back one's own answers only.
func TestSittingsTogether(t *testing.T) {
	var s shelf
	if _, err := prefer.New(t.Context(), prefer.Config{Space: prefer.Box(prefer.Float("x", 0, 1)), Method: "random", Journal: &s}); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	sittings := map[string]*sitting{}
	for _, rater := range []string{"ada", "bob"} {
		study, err := s.open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		sittings[rater] = &sitting{rater: rater, study: study, again: s.open}
	}
	for range 5 {
		for _, rater := range []string{"ada", "bob"} {
			tn, err := sittings[rater].next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := sittings[rater].tell(ctx, tn, tn.answer(prefer.First, 0)); err != nil {
				t.Fatal(err)
			}
			if err := sittings[rater].tell(ctx, tn, tn.answer(prefer.First, 0)); !errors.Is(err, elsewhere) {
				t.Fatalf("told twice: %v", err)
			}
		}
	}
	for range 5 {
		if err := sittings["ada"].undo(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := sittings["ada"].undo(ctx); !errors.Is(err, nothingToUndo) {
		t.Errorf("undo of nothing: %v", err)
	}
	study, err := s.open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	stand := map[string]int{"ada": len(sittings["ada"].standing(study)), "bob": len(sittings["bob"].standing(study))}
	if stand["ada"] != 0 || stand["bob"] != 5 {
		t.Errorf("answers that stand: %v, want none of ada's and 5 of bob's", stand)
	}
	if tn, err := sittings["ada"].next(ctx); err != nil || tn.number != 1 {
		t.Errorf("ada is back at question %d, %v, want 1", tn.number, err)
	}
}
