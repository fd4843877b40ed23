package cli

import (
	"strings"
	"testing"
	"time"
)

// TestProgress: nothing in the first second, then a line a minute, or a bar five times a second on a terminal.
func TestProgress(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var b strings.Builder
		now := time.Unix(0, 0)
		p := NewProgress(&b, "report", func() time.Time { return now })
		p.terminal = terminal
		p.Show(0, "0 of 10 steps")
		now = now.Add(900 * time.Millisecond)
		p.Show(0.2, "2 of 10 steps")
		if b.Len() > 0 {
			t.Errorf("it speaks within a second: %q", b.String())
		}
		now = now.Add(59_100 * time.Millisecond)
		p.Show(0.5, "5 of 10 steps")
		now = now.Add(100 * time.Millisecond)
		p.Show(0.6, "6 of 10 steps")
		p.End()
		want := "report: 5 of 10 steps, 50%, 60 s left\n"
		if terminal {
			want = "\r\x1b[K████████████░░░░░░░░░░░░ report: 5 of 10 steps, 50%, 60 s left\r\x1b[K"
		}
		if b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
}

// TestProgressOnTerminal: one line, rewritten, and not after every question.
func TestProgressOnTerminal(t *testing.T) {
	var out strings.Builder
	at := time.Unix(0, 0)
	p := NewProgress(&out, "default", func() time.Time { return at })
	p.terminal = true
	for n := range 101 {
		p.Show(float64(n)/100, "cells")
		at = at.Add(50 * time.Millisecond)
	}
	p.End()
	lines := strings.Split(out.String(), "\r\x1b[K")
	if len(lines) != 1+21+1 || strings.Contains(out.String(), "\n") { // from 1 s to 5 s, and the end
		t.Errorf("%d versions of the line, want 21 and the last", len(lines)-1)
	}
	if got, want := lines[1], "████░░░░░░░░░░░░░░░░░░░░ default: cells, 20%"; got != want { // too early for a guess
		t.Errorf("first %q, want %q", got, want)
	}
	if got, want := lines[11], "██████████████░░░░░░░░░░ default: cells, 60%, 2.0 s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSpoken(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                       "0.0 s",
		340 * time.Millisecond:  "0.3 s",
		9940 * time.Millisecond: "9.9 s",
		9960 * time.Millisecond: "10 s",
		89 * time.Second:        "89 s",
		90 * time.Second:        "1.5 min",
		40 * time.Minute:        "40 min",
		90 * time.Minute:        "1.5 h",
		30 * time.Hour:          "30 h",
		60 * time.Hour:          "2.5 d",
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("formatDuration(%v) = %q, want %q", d, got, want)
		}
	}
}
