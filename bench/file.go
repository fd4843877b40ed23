package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

// File is a results file: rows, one per line, only ever appended to.
type File struct {
	mu   sync.Mutex
	f    *os.File
	last map[string]int // answers in the last row of each cell
}

// OpenFile opens a results file, or creates it, and reads which rows it has. Half a line at its end, as a
// killed process leaves it, is cut off.
func OpenFile(path string) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	out := &File{f: f, last: map[string]int{}}
	if err := errors.Join(out.mend(), out.read(f, path)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return out, nil
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

// mend cuts off what follows the last newline.
func (f *File) mend() error {
	end, err := f.f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	const block = 4096 // longer than any row
	from := max(0, end-block)
	tail := make([]byte, end-from)
	if _, err := f.f.ReadAt(tail, from); err != nil && err != io.EOF {
		return err
	}
	keep := from + int64(bytes.LastIndexByte(tail, '\n')+1)
	if keep < end {
		if from > 0 && keep == from {
			return fmt.Errorf("bench: %s does not end in rows", f.f.Name())
		}
		if err := f.f.Truncate(keep); err != nil {
			return err
		}
	}
	_, err = f.f.Seek(0, io.SeekStart)
	return err
}

// Last returns the number of answers in the last row of a cell under a setup, 0 if it has none.
func (f *File) Last(c Cell, setup string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last[cellKey(c, setup)]
}

// Append keeps a row: one write, so that rows of several processes do not mix.
func (f *File) Append(r Row) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	key := cellKey(r.cell(), r.Setup)
	f.last[key] = max(f.last[key], r.Answers)
	return nil
}

// Close flushes the file to the disk and closes it.
func (f *File) Close() error { return errors.Join(f.f.Sync(), f.f.Close()) }
