package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/terminal"
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

// Printable replaces control characters: what comes from a file must not steer the terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, text)
}

// Confirm asks on a terminal whether something is to be erased for good, unless --yes has said so; elsewhere nobody could answer.
func (s Streams) Confirm(yes bool, question string) error {
	if yes {
		return nil
	}
	if !terminal.Is(s.In) {
		return Usagef("this erases for good: say --yes")
	}
	fmt.Fprintf(s.Err, "%s, for good? Type yes: ", Printable(question))
	line, err := bufio.NewReader(s.In).ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	if strings.TrimSpace(line) != "yes" {
		return errors.New("nothing was erased")
	}
	return nil
}
