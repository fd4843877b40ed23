package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/internal/terminal"
)

// Progress shows how far work of more than a second is: a bar on a terminal, a line a minute elsewhere.
type Progress struct {
	w        io.Writer
	what     string
	now      func() time.Time
	terminal bool

	Start, last time.Time // of the work, of what was shown last
	first       float64   // share that was done at the start
	begun       bool
	drawn       bool // there is a bar
}

func NewProgress(w io.Writer, what string, now func() time.Time) *Progress {
	start := now()
	return &Progress{w: w, what: what, now: now, terminal: terminal.Is(w), Start: start, last: start}
}

// settled is how long something runs before its pace says anything.
const settled = 2 * time.Second

// Show may be called often and prints from time to time. The time left is estimated from the pace since its first call.
func (p *Progress) Show(share float64, detail string) {
	if !p.begun {
		p.first, p.begun = share, true
	}
	now, every := p.now(), time.Minute
	if p.terminal {
		every = 200 * time.Millisecond
	}
	ran := now.Sub(p.Start)
	if now.Sub(p.last) < every || ran < time.Second {
		return
	}
	p.last = now
	text := fmt.Sprintf("%s: %s, %.0f %%", p.what, detail, 100*share)
	if done := share - p.first; done > 0 && ran >= settled {
		text += ", " + FormatDuration(time.Duration(float64(ran)/done*(1-share))) + " left"
	}
	if !p.terminal {
		fmt.Fprintln(p.w, text)
		return
	}
	const cells = 24
	full := int(share * cells)
	fmt.Fprintf(p.w, "\r\x1b[K%s%s %s", strings.Repeat("█", full), strings.Repeat("░", cells-full), text)
	p.drawn = true
}

// Count shows a number of things that are done, like "3 of 20 studies".
func (p *Progress) Count(things string) func(done, of int) {
	return func(done, of int) { p.Show(float64(done)/float64(of), fmt.Sprintf("%d of %d %s", done, of, things)) }
}

// End wipes the bar away.
func (p *Progress) End() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

// FormatDuration writes a duration as people say an estimate: "40 s", "3.5 min", "12 h".
func FormatDuration(d time.Duration) string {
	v, unit := d.Seconds(), " s"
	switch {
	case v >= 36*3600:
		v, unit = v/(24*3600), " d"
	case v >= 90*60:
		v, unit = v/3600, " h"
	case v >= 90:
		v, unit = v/60, " min"
	}
	places := 0
	if v < 9.95 {
		places = 1
	}
	return strconv.FormatFloat(v, 'f', places, 64) + unit
}
