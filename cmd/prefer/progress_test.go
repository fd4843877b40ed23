package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/internal/bench"
)

// TestProgress: nothing in the first second, then a line a minute, or a bar five times a second on a terminal.
func TestProgress(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var b strings.Builder
		now := time.Unix(0, 0)
		p := newProgress(&b, "report", func() time.Time { return now })
		p.terminal = terminal
		p.show(0, "0 of 10 steps")
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

// TestSweepProgress: 10 questions were there, then one comes every 15 s. A line a minute, and time left by the pace of
// this run alone.
func TestSweepProgress(t *testing.T) {
	var out strings.Builder
	at := time.Unix(0, 0)
	show, end := sweepProgress(&out, "paper", func() time.Time { return at })
	p := bench.Progress{Cells: 4, CellsDone: 1, Rows: 40, RowsDone: 10}
	show(p)
	for range 10 {
		at = at.Add(15 * time.Second)
		p.RowsDone++
		show(p)
	}
	p.CellsDone++
	show(p)
	end()
	want := []string{
		"paper: 1 of 4 cells are there already",
		"paper: 1 of 4 cells, 14 of 40 questions, 35 %, 6.5 min left",
		"paper: 1 of 4 cells, 18 of 40 questions, 45 %, 5.5 min left",
		"paper: 2 of 4 cells, 10 questions in 2.5 min",
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(out.String()), "\n")); diff != "" {
		t.Error(diff)
	}
}

// TestProgressOnTerminal: one line, rewritten, and not after every question.
func TestProgressOnTerminal(t *testing.T) {
	var out strings.Builder
	at := time.Unix(0, 0)
	p := newProgress(&out, "default", func() time.Time { return at })
	p.terminal = true
	for n := range 101 {
		p.show(float64(n)/100, "cells")
		at = at.Add(50 * time.Millisecond)
	}
	p.end()
	lines := strings.Split(out.String(), "\r\x1b[K")
	if len(lines) != 1+21+1 || strings.Contains(out.String(), "\n") { // from 1 s to 5 s, and the end
		t.Errorf("%d versions of the line, want 21 and the last", len(lines)-1)
	}
	if got, want := lines[1], "████░░░░░░░░░░░░░░░░░░░░ default: cells, 20 %"; got != want { // too early for a guess
		t.Errorf("first %q, want %q", got, want)
	}
	if got, want := lines[11], "██████████████░░░░░░░░░░ default: cells, 60 %, 2.0 s left"; got != want {
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
		if got := formatDuration(d); got != want {
			t.Errorf("formatDuration(%v) = %q, want %q", d, got, want)
		}
	}
}
