package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// Lines is a file of JSON values, one per line, only ever appended to.
type Lines struct {
	mu sync.Mutex
	f  *os.File
}

// OpenLines opens such a file, or creates it, and has what is in it read. Half a line at its end, as a killed process leaves it,
// is cut off.
func OpenLines(path string, read func(io.Reader) error) (*Lines, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	l := &Lines{f: f}
	if err := l.mend(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := read(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// mend cuts off what follows the last newline.
func (l *Lines) mend() error {
	end, err := l.f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	const block = 1 << 16 // longer than any line
	from := max(0, end-block)
	tail := make([]byte, end-from)
	if _, err := l.f.ReadAt(tail, from); err != nil && err != io.EOF {
		return err
	}
	keep := from + int64(bytes.LastIndexByte(tail, '\n')+1)
	if keep < end {
		if from > 0 && keep == from {
			return fmt.Errorf("bench: %s does not end in lines of JSON", l.f.Name())
		}
		if err := l.f.Truncate(keep); err != nil {
			return err
		}
	}
	_, err = l.f.Seek(0, io.SeekStart)
	return err
}

// Append keeps a value: one write, so that lines of several processes do not mix.
func (l *Lines) Append(value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// Close flushes the file to the disk and closes it.
func (l *Lines) Close() error { return errors.Join(l.f.Sync(), l.f.Close()) }
