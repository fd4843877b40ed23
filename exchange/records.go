package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Records is a table for statistics whose cells have types: a text, a number, a yes or no, a space.Value, or nil where there is nothing.
type Records struct {
	Columns []string
	Rows    [][]any // as long as Columns
}

type record struct {
	names []string
	cells []any
}

// add adds a cell; nil unless known.
func (r *record) add(name string, known bool, cell any) {
	if !known {
		cell = nil
	}
	r.names, r.cells = append(r.names, name), append(r.cells, cell)
}

// newRecords makes a row of each. The row of the zero value has the names of the columns, as every row has.
func newRecords[T any](of []T, row func(T) record) Records {
	out := Records{Columns: row(*new(T)).names, Rows: [][]any{}}
	out.Rows = append(out.Rows, xslices.Map(of, func(each T) []any { return row(each).cells })...)
	return out
}

// Write writes the table as comma-separated values (RFC 4180); nil is an empty cell.
func (r Records) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	writeRow(out, r.Columns)
	for _, row := range r.Rows {
		cells := xslices.Map(row, text)
		writeRow(out, cells)
	}
	return fail(out.Flush())
}

func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64) // the shortest that reads back as the same number
	case space.Value:
		return v.String()
	}
	return fmt.Sprint(v)
}

// MarshalJSON writes an array of objects, columns in their order: what jsonlite makes a data frame of, and pandas a DataFrame.
func (r Records) MarshalJSON() ([]byte, error) {
	out := bytes.NewBufferString("[")
	for i, row := range r.Rows {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := r.object(out, row, false); err != nil {
			return nil, err
		}
	}
	out.WriteByte(']')
	return out.Bytes(), nil
}

// lines writes JSON Lines, in which nothing stands for what is not there.
func (r Records) lines(w io.Writer) error {
	var out bytes.Buffer
	for _, row := range r.Rows {
		if err := r.object(&out, row, true); err != nil {
			return err
		}
		out.WriteByte('\n')
	}
	_, err := w.Write(out.Bytes())
	return fail(err)
}

// object writes a row as a JSON object; plain has no empty cells, and does not escape what only HTML minds.
func (r Records) object(out *bytes.Buffer, row []any, plain bool) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(!plain)
	out.WriteByte('{')
	first := true
	for k, cell := range row {
		if plain && (cell == nil || cell == "") {
			continue
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		_ = enc.Encode(r.Columns[k])   // a string can always be written
		out.Bytes()[out.Len()-1] = ':' // in place of the end of a line, which the encoder writes
		if err := enc.Encode(cell); err != nil {
			return fmt.Errorf("exchange: column %q: %w", r.Columns[k], err)
		}
		out.Truncate(out.Len() - 1)
	}
	out.WriteByte('}')
	return nil
}
