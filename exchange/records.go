package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/prefer-bo/prefer/space"
)

// Records is a table for statistics whose cells have types: a text, a number, a yes or no, a space.Value, or nil where there is nothing.
type Records struct {
	Columns []string
	Rows    [][]any // as long as Columns
}

// record is one row under way, cell by cell.
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
	for _, each := range of {
		out.Rows = append(out.Rows, row(each).cells)
	}
	return out
}

// Write writes the table as comma-separated values (RFC 4180); nil is an empty cell.
func (r Records) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	writeRow(out, r.Columns)
	for _, row := range r.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = text(v)
		}
		writeRow(out, cells)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	return nil
}

// text writes a cell.
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
		for k, v := range row {
			out.WriteByte("{,"[min(k, 1)])
			name, err := json.Marshal(r.Columns[k])
			if err != nil {
				return nil, err
			}
			cell, err := json.Marshal(v)
			if err != nil {
				return nil, fmt.Errorf("exchange: column %q: %w", r.Columns[k], err)
			}
			out.Write(append(append(name, ':'), cell...))
		}
		out.WriteByte('}')
	}
	out.WriteByte(']')
	return out.Bytes(), nil
}
