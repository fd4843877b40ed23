package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/bench"
)

// TestMeter: 10 questions were there, then one comes every 15 s. A line a minute, and time left by the
// pace of this run alone.
func TestMeter(t *testing.T) {
	var out strings.Builder
	at := time.Unix(0, 0)
	m := newMeter(&out, "paper", func() time.Time { return at })
	p := bench.Progress{Cells: 4, CellsDone: 1, Rows: 40, RowsDone: 10}
	m.show(p)
	for range 10 {
		at = at.Add(15 * time.Second)
		p.RowsDone++
		m.show(p)
	}
	p.CellsDone++
	m.show(p)
	m.end()
	want := []string{
		"paper: 1 of 4 cells are there already",
		"paper: 1 of 4 cells, 35.0 % of the questions, 6.5 min left",
		"paper: 1 of 4 cells, 45.0 % of the questions, 5.5 min left",
		"paper: 2 of 4 cells, 10 questions in 2.5 min",
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(out.String()), "\n")); diff != "" {
		t.Error(diff)
	}
}

// TestMeterOnTerminal: one line, rewritten, and not after every question.
func TestMeterOnTerminal(t *testing.T) {
	var out strings.Builder
	at := time.Unix(0, 0)
	m := newMeter(&out, "default", func() time.Time { return at })
	m.terminal = true
	p := bench.Progress{Cells: 1, Rows: 100}
	m.show(p)
	for range 100 {
		at = at.Add(50 * time.Millisecond)
		p.RowsDone++
		m.show(p)
	}
	p.CellsDone = 1
	m.show(p)
	m.end()
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\r\x1b[K")
	if len(lines) != 1+25+1 || strings.Contains(out.String()[:out.Len()-1], "\n") {
		t.Errorf("%d versions of the line, want 25 and the last", len(lines)-1)
	}
	if got, want := lines[1], "default: 0 of 1 cells, 4.0 % of the questions"; got != want { // too early for a guess
		t.Errorf("first %q, want %q", got, want)
	}
	if got, want := lines[10], "default: 0 of 1 cells, 40.0 % of the questions, 3.0 s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := lines[26], "default: 1 of 1 cells, 100 questions in 5.0 s"; got != want {
		t.Errorf("last %q, want %q", got, want)
	}
}
