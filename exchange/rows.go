package exchange

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

const maxColumns = 4096

// fail marks an error, if there is one, as this package's.
func fail(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("exchange: %w", err)
}

// rows reads a table of comma-separated values (RFC 4180; bare line feeds are fine), row by row.
type rows struct {
	csv   *csv.Reader
	names []string       // the first row without blanks: names, or data if the table has no header
	at    map[string]int // where each name is
	row   []string       // the current one, the first to begin with
	line  int            // where it starts
	err   error
}

func newRows(r io.Reader) (*rows, error) {
	br, err := strictjson.SkipMark(r)
	if err != nil {
		return nil, fail(err)
	}
	t := &rows{}
	t.csv = csv.NewReader(&guard{r: br, consumed: func() int64 { return t.csv.InputOffset() }})
	if !t.next() && t.end() == nil {
		return nil, errors.New("exchange: the table is empty")
	}
	t.names = xslices.Map(t.row, strings.TrimSpace)
	switch n := len(t.row); {
	case n > maxColumns:
		return nil, fmt.Errorf("exchange: line %d has %d columns, want at most %d", t.line, n, maxColumns)
	case n == 1 && strings.ContainsAny(t.row[0], ";\t"):
		return nil, fmt.Errorf("exchange: line %d: %s has no comma; columns are separated by commas, not by semicolons or tabs", t.line, strictjson.Excerpt(t.row[0]))
	}
	return t, t.end()
}

// header takes the first row for the names of the columns.
func (t *rows) header() error {
	t.at = make(map[string]int, len(t.names))
	for i, name := range t.names {
		if name == "" {
			return fmt.Errorf("exchange: line %d: column %d has no name", t.line, i+1)
		}
		if j, ok := t.at[name]; ok {
			return fmt.Errorf("exchange: line %d: columns %d and %d are both called %q", t.line, j+1, i+1, name)
		}
		t.at[name] = i
	}
	return nil
}

// next moves to the next row. It returns false at the end and on an error. Blank lines are no rows.
func (t *rows) next() bool {
	row, err := t.csv.Read()
	var parse *csv.ParseError
	switch {
	case err == io.EOF:
		t.err = err
	case errors.Is(err, csv.ErrFieldCount) && errors.As(err, &parse):
		t.err = fmt.Errorf("exchange: line %d has %d columns, the first row has %d", parse.StartLine, len(row), len(t.names))
	case errors.As(err, &parse):
		t.err = fmt.Errorf("exchange: line %d, byte %d: %w", parse.Line, parse.Column, parse.Err)
	case err != nil:
		t.err = fmt.Errorf("exchange: after line %d: %w", t.line, err)
	default:
		t.row = xslices.Map(row, uncell)
		t.line, _ = t.csv.FieldPos(0)
		if i := slices.IndexFunc(t.row, func(c string) bool { return !utf8.ValidString(c) }); i >= 0 {
			t.err = fmt.Errorf("exchange: line %d, column %d: %s is not UTF-8", t.line, i+1, strictjson.Excerpt(t.row[i]))
		}
	}
	return t.err == nil
}

// end returns what stopped next, or nil at the end of the table.
func (t *rows) end() error {
	if t.err == io.EOF {
		return nil
	}
	return t.err
}

// cell returns the cell of a named column, or "" if the table has no such column.
func (t *rows) cell(name string) string {
	if i, ok := t.at[name]; ok {
		return t.row[i]
	}
	return ""
}

// ignored says in a note which columns or fields were not read.
func ignored(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return []string{"not read: " + FirstOf(names, 8)}
}

// FirstOf lists names, the first most of many: "a, b and 3 more".
func FirstOf(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// values gives the cells of one column a common type: numbers if all are numbers, yes or no if all are true or false, else words.
func values(cells []string) []space.Value {
	out := make([]space.Value, len(cells))
	for _, read := range []func(string) (space.Value, bool){number, truth} {
		all := len(cells) > 0
		for i, c := range cells {
			if out[i], all = read(c); !all {
				break
			}
		}
		if all {
			return out
		}
	}
	return xslices.Map(cells, func(c string) space.Value { return space.ValueOf(c) })
}

// number reads a decimal number. What Go alone would take for one (inf, nan, 0x1p-2, 1_000) is a word.
func number(s string) (space.Value, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789+-.eE") != "" {
		return space.Value{}, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return space.Value{}, false
	}
	return space.ValueOf(v), true
}

// truth reads true or false, however capitalised (Python writes True).
func truth(s string) (space.Value, bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true":
		return space.ValueOf(true), true
	case "false":
		return space.ValueOf(false), true
	}
	return space.Value{}, false
}

func kindOf(v space.Value) string {
	switch {
	case !math.IsNaN(v.Float()):
		return "number"
	case v == space.ValueOf(true), v == space.ValueOf(false):
		return "true/false"
	}
	return "word"
}

// formula is a text that a spreadsheet would run, or has been kept from it: https://owasp.org/www-community/attacks/CSV_Injection.
var formula = regexp.MustCompile(`\A'*[=+\-@\t\r\n]`)

// Cell returns a text as a cell of comma-separated values has it: one that begins with =, +, -, @, a tab or a line end, and is no
// number, gets an apostrophe in front, and so does one that begins with apostrophes before such a character. So every text has
// a cell of its own, and what is read from one is the text again.
func Cell(text string) string {
	if _, isNumber := number(text); isNumber || !formula.MatchString(text) {
		return text
	}
	return "'" + text
}

func uncell(cell string) string {
	if strings.HasPrefix(cell, "'") && formula.MatchString(cell) {
		return cell[1:]
	}
	return cell
}

// guard refuses to feed a decoder that has been reading one element for more than strictjson.MaxLine bytes. When a
// decoder asks for more, all it has not consumed belongs to the element it is at.
type guard struct {
	r         io.Reader
	delivered int64
	consumed  func() int64
}

func (g *guard) Read(p []byte) (int, error) {
	if g.delivered-g.consumed() > strictjson.MaxLine {
		return 0, fmt.Errorf("more than %d MB without an end", strictjson.MaxLine>>20)
	}
	n, err := g.r.Read(p)
	g.delivered += int64(n)
	return n, err
}
