package main

import (
	"strings"
	"testing"
	"time"
)

// TestPace: nothing in the first second, then a line a minute, or a bar five times a second on a terminal.
func TestPace(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var b strings.Builder
		now := time.Unix(0, 0)
		p := newPace(&b, "report", func() time.Time { return now })
		p.terminal = terminal
		p.show(0.1, "1 of 10 steps")
		now = now.Add(900 * time.Millisecond)
		p.show(0.2, "2 of 10 steps")
		if b.Len() > 0 {
			t.Errorf("it speaks within a second: %q", b.String())
		}
		now = now.Add(59_100 * time.Millisecond)
		p.show(0.5, "5 of 10 steps")
		now = now.Add(100 * time.Millisecond)
		p.show(0.6, "6 of 10 steps")
		p.end()
		want := "report: 5 of 10 steps, 50 %, 60 s left\n"
		if terminal {
			want = "\r\x1b[K████████████░░░░░░░░░░░░ report: 5 of 10 steps, 50 %, 60 s left\r\x1b[K"
		}
		if b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
}
