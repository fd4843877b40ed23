package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/prefer-bo/prefer/bench"
)

// meter shows how far a sweep is: a line that is rewritten on a terminal, a line a minute elsewhere.
type meter struct {
	w        io.Writer
	what     string
	now      func() time.Time
	terminal bool

	start, last time.Time      // of the sweep, of the last line
	first, at   bench.Progress // where the sweep began, where it is
}

func newMeter(w io.Writer, what string, now func() time.Time) *meter {
	m := &meter{w: w, what: what, now: now}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		m.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return m
}

// begin takes the state of the file before the sweep.
func (m *meter) begin(p bench.Progress) {
	m.start = m.now()
	m.last, m.first, m.at = m.start, p, p
	if p.CellsDone > 0 {
		fmt.Fprintf(m.w, "%s: %d of %d cells are there already\n", m.what, p.CellsDone, p.Cells)
	}
}

// show is called with every row, and speaks from time to time.
func (m *meter) show(p bench.Progress) {
	if m.start.IsZero() {
		m.begin(p)
		return
	}
	m.at = p
	now, every := m.now(), time.Minute
	if m.terminal {
		every = 200 * time.Millisecond
	}
	if now.Sub(m.last) >= every {
		m.last = now
		m.line(now)
	}
}

// settled is how long a sweep runs before its pace says anything.
const settled = 2 * time.Second

func (m *meter) line(now time.Time) {
	p := m.at
	text := fmt.Sprintf("%s: %d of %d cells, %.1f %% of the questions", m.what, p.CellsDone, p.Cells, 100*float64(p.RowsDone)/float64(max(1, p.Rows)))
	ran := now.Sub(m.start)
	if done := p.RowsDone - m.first.RowsDone; done > 0 && ran >= settled {
		text += ", " + spoken(time.Duration(float64(ran)/float64(done)*float64(p.Rows-p.RowsDone))) + " left"
	}
	if m.terminal {
		fmt.Fprintf(m.w, "\r\x1b[K%s", text)
	} else {
		fmt.Fprintln(m.w, text)
	}
}

// end says what the sweep has done. One that found all its cells has said so at the beginning.
func (m *meter) end() {
	done := m.at.RowsDone - m.first.RowsDone
	if done == 0 && m.at.CellsDone == m.first.CellsDone {
		return
	}
	if m.terminal {
		fmt.Fprint(m.w, "\r\x1b[K")
	}
	fmt.Fprintf(m.w, "%s: %d of %d cells, %d questions in %s\n", m.what, m.at.CellsDone, m.at.Cells, done, spoken(m.now().Sub(m.start)))
}
