package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
	"golang.org/x/term"
)

// writeJSON writes a value for people and programs: indented, one final newline, no escapes for HTML.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// result prints what a command has found: a value for programs, or what write makes of it for people.
func (s streams) result(v any, write func(io.Writer) error) error {
	if s.json {
		return writeJSON(s.out, v)
	}
	return write(s.out)
}

// text prints what a command has found as a text for people.
func (s streams) text(v any, text string) error {
	return s.result(v, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// line prints what a command has found as one line for people.
func (s streams) line(v, text any) error { return s.text(v, fmt.Sprintln(text)) }

// talk tells people what a command has done, which is no data.
func (s streams) talk(v any, format string, args ...any) error {
	return s.result(v, func(io.Writer) error {
		_, err := fmt.Fprintf(s.err, format, args...)
		return err
	})
}

// english puts results into words.
var english say.Words

// newTable returns a table whose columns end with tabs.
func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// cards writes options of one study for people to read.
type cards struct {
	w          io.Writer
	parameters []string // in the order of the space
	items      map[string]space.Item
	bold       bool
}

func newCards(w io.Writer, study *prefer.Study) cards {
	c := cards{w: w, bold: colours(w), items: map[string]space.Item{}}
	for _, p := range study.Config().Space.Parameters {
		c.parameters = append(c.parameters, p.Name)
	}
	for _, it := range study.Items(true) {
		c.items[it.ID] = it
	}
	return c
}

// colours reports whether w is a terminal whose owner has nothing against colours.
func colours(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

func (c cards) heading(text string) {
	if c.bold {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	fmt.Fprintln(c.w, text)
}

// option writes one setting to a line, or an item with what there is to know about it.
func (c cards) option(o space.Option) {
	t := newTable(c.w)
	add := func(name, value string) {
		fmt.Fprintf(t, "  %s\t%s\n", printable(name), strings.NewReplacer("\t", " ", "\n", "\n\t").Replace(printable(value)))
	}
	if len(c.items) == 0 {
		for _, name := range c.parameters {
			add(name, short(o[name]))
		}
	}
	if it, ok := c.items[o.Item()]; ok {
		add("item", it.ID)
		if it.Text != "" {
			add("text", it.Text)
		}
		if it.Media != "" && it.Media != it.ID {
			add("media", it.Media)
		}
		for _, name := range c.parameters {
			add(name, short(o[name]))
		}
		for _, name := range slices.Sorted(maps.Keys(it.Features)) {
			add(name, short(it.Features[name]))
		}
	}
	t.Flush() //nolint:errcheck // as of the headings: a stream that is gone shows in what is written last
}

// line is an option in one line.
func (c cards) line(o space.Option) string {
	var parts []string
	if id := o.Item(); id != "" && len(c.items) > 0 {
		parts = append(parts, id)
	}
	for _, name := range c.parameters {
		parts = append(parts, name+" "+short(o[name]))
	}
	return printable(strings.Join(parts, ", "))
}

// short writes a value with the digits a person reads; whole numbers in full.
func short(v space.Value) string {
	switch x := v.Float(); {
	case math.IsNaN(v.Float()) || math.Abs(x) >= 1e15:
		return v.String()
	case x == math.Trunc(x):
		return strconv.FormatFloat(x, 'f', 0, 64)
	default:
		return strconv.FormatFloat(x, 'g', max(4, len(strconv.Itoa(int(math.Abs(x))))+1), 64)
	}
}

// printable replaces control characters: what comes from a file must not steer the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, text)
}
