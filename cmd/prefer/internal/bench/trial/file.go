package trial

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

// Row is a study that was played, a line of a file.
type Row[K comparable] interface {
	Key() K       // names the study
	Looks() int   // how often it was looked at: of two rows under one key the one with more counts
	Check() error // what the row lacks
}

// File keeps rows of a kind, and knows those that were played before.
type File[K comparable, R Row[K]] struct {
	lines *bench.Lines // nil: kept in memory only
	mu    sync.Mutex
	rows  []R
	at    map[K]int
}

// OpenFile opens a file of rows, or creates it. An empty path keeps them in memory.
func OpenFile[K comparable, R Row[K]](path string) (*File[K, R], error) {
	f := &File[K, R]{at: map[K]int{}}
	if path == "" {
		return f, nil
	}
	var err error
	f.lines, err = bench.OpenLines(path, *new(R), func(r io.Reader) error {
		all, err := ReadRows(r, R.Check)
		for _, row := range all {
			f.put(row)
		}
		return err
	})
	return f, err
}

// ReadRows reads rows, one line of JSON each. check returns what a row lacks.
func ReadRows[R any](r io.Reader, check func(R) error) (out []R, err error) {
	for d := json.NewDecoder(r); ; {
		var row R
		if err := d.Decode(&row); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("bench: study %d: %w", len(out)+1, err)
		}
		if err := check(row); err != nil {
			return nil, fmt.Errorf("bench: study %d %w", len(out)+1, err)
		}
		out = append(out, row)
	}
}

func (f *File[K, R]) put(row R) {
	i, known := f.at[row.Key()]
	switch {
	case !known:
		f.at[row.Key()] = len(f.rows)
		f.rows = append(f.rows, row)
	case row.Looks() >= f.rows[i].Looks():
		f.rows[i] = row
	}
}

// All returns the rows, in the order in which they came.
func (f *File[K, R]) All() []R {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.rows)
}

// Find returns the row of a study, if it is there.
func (f *File[K, R]) Find(k K) (row R, there bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i, there := f.at[k]
	if there {
		row = f.rows[i]
	}
	return row, there
}

func (f *File[K, R]) Add(row R) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.put(row)
	if f.lines == nil {
		return nil
	}
	return f.lines.Append(row)
}

func (f *File[K, R]) Close() error {
	if f.lines == nil {
		return nil
	}
	return f.lines.Close()
}
