package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
)

// Streams are where data and talk go: data on out, talk on err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	JSON     bool // a program reads them
}

// WriteJSON writes a value for people and programs: indented, one final newline, no escapes for HTML.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Result prints what a command has found: a value for programs, or what write makes of it for people.
func (s Streams) Result(v any, write func(io.Writer) error) error {
	if s.JSON {
		return WriteJSON(s.Out, v)
	}
	return write(s.Out)
}

// Text prints what a command has found as a text for people.
func (s Streams) Text(v any, text string) error {
	return s.Result(v, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// Line prints what a command has found as one line for people.
func (s Streams) Line(v, text any) error { return s.Text(v, fmt.Sprintln(text)) }

// Notify tells people what a command has done, which is no data.
func (s Streams) Notify(v any, format string, args ...any) error {
	return s.Result(v, func(io.Writer) error {
		_, err := fmt.Fprintf(s.Err, format, args...)
		return err
	})
}

// NewTable returns a table whose columns end with tabs.
func NewTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// WriteTemplate writes a text for people by a template, in which tabs end the cells of tables.
func WriteTemplate(t *tabwriter.Writer, text string, funcs template.FuncMap, data any) error {
	page, err := template.New("").Funcs(funcs).Parse(text)
	if err == nil {
		err = page.Execute(t, data)
	}
	return errors.Join(err, t.Flush())
}

// Printable replaces control characters: what comes from a file must not steer the terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, text)
}

// Confirm asks on a terminal before something is erased for good, unless --yes is given. Without a terminal it is an error.
func (s Streams) Confirm(yes bool, question string) error {
	if yes {
		return nil
	}
	if !terminal.Is(s.In) {
		return Usagef("this cannot be undone: confirm with --yes")
	}
	fmt.Fprintf(s.Err, "%s? This cannot be undone. Type yes: ", Printable(question))
	line, err := bufio.NewReader(s.In).ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	if strings.TrimSpace(line) != "yes" {
		return errors.New("nothing was erased")
	}
	return nil
}

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
	text := fmt.Sprintf("%s: %s, %.0f%%", p.what, detail, 100*share)
	if done := share - p.first; done > 0 && ran >= 2*time.Second { // before that its pace says nothing
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
