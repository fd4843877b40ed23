package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// pace shows how far something is that takes longer than a second: a bar that is rewritten on a terminal, a line a
// minute elsewhere.
type pace struct {
	w           io.Writer
	what        string
	now         func() time.Time
	terminal    bool
	start, last time.Time
	spoke       bool
}

func newPace(w io.Writer, what string, now func() time.Time) *pace {
	f, ok := w.(*os.File)
	p := &pace{w: w, what: what, now: now, terminal: ok && term.IsTerminal(int(f.Fd())), start: now()}
	p.last = p.start
	return p
}

// show is called often, and speaks from time to time.
func (p *pace) show(share float64, detail string) {
	now := p.now()
	every := time.Minute
	if p.terminal {
		every = 200 * time.Millisecond
	}
	ran := now.Sub(p.start)
	if now.Sub(p.last) < every || ran < time.Second {
		return
	}
	p.last, p.spoke = now, true
	text := fmt.Sprintf("%s: %s, %.0f %%", p.what, detail, 100*share)
	if share > 0 && ran >= settled {
		text += ", " + spoken(time.Duration(float64(ran)/share*(1-share))) + " left"
	}
	if p.terminal {
		const cells = 24
		full := int(share * cells)
		fmt.Fprintf(p.w, "\r\x1b[K%s%s %s", strings.Repeat("█", full), strings.Repeat("░", cells-full), text)
	} else {
		fmt.Fprintln(p.w, text)
	}
}

// end wipes the bar away.
func (p *pace) end() {
	if p.terminal && p.spoke {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
