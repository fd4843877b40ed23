package work

import (
	"context"
	"math"
	"runtime"
	"testing"
	"time"
)

// TestProcessors: who waits comes first, the background gets a turn now and then, and one who gives up takes nothing along.
func TestProcessors(t *testing.T) {
	s := &Processors{free: 2}
	ctx := t.Context()
	for range 2 {
		if !s.Take(ctx, false) {
			t.Fatal("two processors were not there")
		}
	}
	gone, stop := context.WithCancel(ctx)
	stop()
	if s.Take(gone, false) || s.Take(gone, true) || len(s.first)+len(s.later) != 0 {
		t.Error("who gave up got one, or still waits")
	}
	got := make(chan string)
	wait := func(background bool, name string, ready func() bool) {
		go func() { s.Take(ctx, background); got <- name }()
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
	wait(true, "background", func() bool { return len(s.later) == 1 })
	for i := range backgroundShare {
		wait(false, "rater", func() bool { return len(s.first) == i+1 })
	}
	for i := range backgroundShare {
		s.Give()
		want := "rater"
		if i == backgroundShare-1 {
			want = "background"
		}
		if name := <-got; name != want {
			t.Errorf("turn %d went to %s, want %s", i, name, want)
		}
	}
	s.Give() // the last rater
	<-got
	s.Give()
	s.Give()
	if s.free != 2 {
		t.Errorf("%d processors are free at the end, want 2", s.free)
	}
}

// TestProcessorsJudge: the next verdict of a crowd waits for many times what the last one took, and longer under pressure.
func TestProcessorsJudge(t *testing.T) {
	p := &Processors{}
	rest := func() float64 { return float64(time.Until(p.judge)) / float64(time.Hour) }
	if !p.MayJudge() {
		t.Error("the first verdict has nothing to wait for")
	}
	p.Judged(time.Now().Add(-time.Hour))
	if p.MayJudge() || math.Abs(rest()-judgeRest) > 0.5 {
		t.Errorf("after a verdict of an hour the next is in %g, want %d", rest(), judgeRest)
	}
	p.TooLate()
	p.Judged(time.Now().Add(-time.Hour))
	if math.Abs(rest()-pressedRest) > 0.5 {
		t.Errorf("under pressure the next is in %g hours, want %d", rest(), pressedRest)
	}
}
