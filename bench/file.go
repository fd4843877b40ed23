package bench

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

// File is a results file: rows, one per line, only ever appended to.
type File struct {
	*Lines
	mu   sync.Mutex
	last map[string]int // answers in the last row of each cell
}

// OpenFile opens a results file, or creates it, and reads which rows it has. Half a line at its end, as a
// killed process leaves it, is cut off.
func OpenFile(path string) (*File, error) {
	out := &File{last: map[string]int{}}
	var err error
	out.Lines, err = OpenLines(path, Row{}, func(r io.Reader) error { return out.read(r, path) })
	return out, err
}

// ReadFile reads which rows a results file has and leaves it as it is, even if somebody is writing to it.
// A file that does not exist has none. The result cannot be appended to and need not be closed.
func ReadFile(path string) (*File, error) {
	out := &File{last: map[string]int{}}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return out, errors.Join(out.read(f, path), f.Close())
}

func (f *File) read(r io.Reader, path string) error {
	return ReadRows(r, path, func(r Row) error {
		key := cellKey(r.cell(), r.Setup)
		f.last[key] = max(f.last[key], r.Answers)
		return nil
	})
}

func (r Row) cell() Cell { return Cell{r.Problem, r.Noise, r.Method, r.Seed} }

func cellKey(c Cell, setup string) string { return c.String() + "\x00" + setup }

// Last returns the number of answers in the last row of a cell under a setup, 0 if it has none.
func (f *File) Last(c Cell, setup string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last[cellKey(c, setup)]
}

// Append keeps a row.
func (f *File) Append(r Row) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.Lines.Append(r); err != nil {
		return err
	}
	key := cellKey(r.cell(), r.Setup)
	f.last[key] = max(f.last[key], r.Answers)
	return nil
}
