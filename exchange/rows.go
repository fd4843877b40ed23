package exchange

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxColumns bounds the width of a table.
const maxColumns = 4096

// rows reads a table of comma-separated values (RFC 4180; bare line feeds are fine).
type rows struct {
	csv   *csv.Reader
	first []string // the first row: names, or data if the table has no header
	line  int      // where the current row starts
}

func newRows(r io.Reader) (*rows, error) {
	br, err := skipMark(r)
	if err != nil {
		return nil, err
	}
	t := &rows{}
	t.csv = csv.NewReader(&guard{r: br, consumed: func() int64 { return t.csv.InputOffset() }})
	if t.first, err = t.next(); err == io.EOF {
		return nil, errors.New("exchange: the table is empty")
	}
	if err != nil {
		return nil, err
	}
	switch n := len(t.first); {
	case n > maxColumns:
		return nil, fmt.Errorf("exchange: line %d has %d columns, want at most %d", t.line, n, maxColumns)
	case n == 1 && strings.ContainsAny(t.first[0], ";\t"):
		return nil, fmt.Errorf("exchange: line %d: %s has no comma; columns are separated by commas, not by semicolons or tabs",
			t.line, excerpt(t.first[0]))
	}
	return t, nil
}

// next returns the next row, or io.EOF. Blank lines are no rows.
func (t *rows) next() ([]string, error) {
	row, err := t.csv.Read()
	if err == nil {
		t.line, _ = t.csv.FieldPos(0)
		for i, c := range row {
			if !utf8.ValidString(c) {
				return nil, fmt.Errorf("exchange: line %d, column %d: %s is not UTF-8", t.line, i+1, excerpt(c))
			}
		}
		return row, nil
	}
	if err == io.EOF {
		return nil, err
	}
	var parse *csv.ParseError
	switch {
	case errors.Is(err, csv.ErrFieldCount) && errors.As(err, &parse):
		return nil, fmt.Errorf("exchange: line %d has %d columns, the first row has %d", parse.StartLine, len(row), len(t.first))
	case errors.As(err, &parse):
		return nil, fmt.Errorf("exchange: line %d, byte %d: %w", parse.Line, parse.Column, parse.Err)
	}
	return nil, fmt.Errorf("exchange: after line %d: %w", t.line, err)
}

// names returns the first row as the names of the columns, and where each is.
func (t *rows) names() ([]string, map[string]int, error) {
	names, at := make([]string, len(t.first)), make(map[string]int, len(t.first))
	for i, cell := range t.first {
		name := strings.TrimSpace(cell)
		if name == "" {
			return nil, nil, fmt.Errorf("exchange: line %d: column %d has no name", t.line, i+1)
		}
		if j, ok := at[name]; ok {
			return nil, nil, fmt.Errorf("exchange: line %d: columns %d and %d are both called %q", t.line, j+1, i+1, name)
		}
		names[i], at[name] = name, i
	}
	return names, at, nil
}

// cell returns the cell of a named column, or "" if the table has no such column.
func cell(row []string, at map[string]int, name string) string {
	if i, ok := at[name]; ok {
		return row[i]
	}
	return ""
}

// ignored says in a note which columns or fields were not read.
func ignored(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	const shown = 8
	tail := ""
	if n := len(names); n > shown {
		tail = fmt.Sprintf(" and %d more", n-shown)
		names = names[:shown]
	}
	return []string{"not read: " + strings.Join(names, ", ") + tail}
}
