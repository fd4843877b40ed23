package server

import (
	"context"
	"runtime"
	"testing"
)

// TestSlots: who waits comes first, the crew gets a turn now and then, and one who gives up takes nothing along.
func TestSlots(t *testing.T) {
	s := &slots{free: 2}
	ctx := t.Context()
	for range 2 {
		if !s.take(ctx, false) {
			t.Fatal("two slots were not there")
		}
	}
	gone, stop := context.WithCancel(ctx)
	stop()
	if s.take(gone, false) || s.take(gone, true) || len(s.first)+len(s.later) != 0 {
		t.Error("who gave up got a slot, or still waits")
	}
	got := make(chan string)
	wait := func(background bool, name string, ready func() bool) {
		go func() { s.take(ctx, background); got <- name }()
		for {
			s.mu.Lock()
			ok := ready()
			s.mu.Unlock()
			if ok {
				return
			}
			runtime.Gosched()
		}
	}
	wait(true, "crew", func() bool { return len(s.later) == 1 })
	for i := range everySlot {
		wait(false, "rater", func() bool { return len(s.first) == i+1 })
	}
	for i := range everySlot {
		s.give()
		want := "rater"
		if i == everySlot-1 {
			want = "crew"
		}
		if name := <-got; name != want {
			t.Errorf("turn %d went to %s, want %s", i, name, want)
		}
	}
	s.give() // the last rater
	<-got
	s.give()
	s.give()
	if s.free != 2 {
		t.Errorf("%d slots are free at the end, want 2", s.free)
	}
}
