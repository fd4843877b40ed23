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

	"github.com/prefer-bo/prefer/internal/outfile"
)

// Lines is a file of JSON values, one per line, only ever appended to.
type Lines struct {
	mu sync.Mutex
	f  *os.File
}

// OpenLines opens such a file, or creates it, and has what is in it read: what cannot be read is somebody else's, and stays as
// it is, and so does a store. Half a line at its end, as a killed process leaves it, is cut off, if lines before it could be
// read or it begins as lines do, of which one is given.
func OpenLines(path string, line any, read func(io.Reader) error) (*Lines, error) {
	if err := outfile.CheckStore(path); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if info, err := os.Stat(path); path == "-" || err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		return nil, fmt.Errorf("bench: %w", &outfile.Refusal{Path: path, Why: "cannot be read again: want a file"})
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	l := &Lines{f: f}
	whole, half, err := l.end()
	if err == nil && whole == 0 && half != "" {
		err = begins(half, line, path)
	}
	if err == nil {
		err = read(io.NewSectionReader(f, 0, whole))
	}
	if err == nil && half != "" {
		err = f.Truncate(whole)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// begins reports half a line that does not have the first name of a line, as far as it goes.
func begins(half string, line any, path string) error {
	text, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	name := string(text[:bytes.IndexByte(text, ':')+1])
	if n := min(len(half), len(name)); half[:n] != name[:n] {
		return fmt.Errorf("bench: %s does not end in lines of JSON that begin with %s", path, name)
	}
	return nil
}

// end returns how long the lines are that are whole, and what follows them.
func (l *Lines) end() (whole int64, half string, err error) {
	info, err := l.f.Stat()
	if err != nil {
		return 0, "", err
	}
	const block = 1 << 16 // longer than any line
	from := max(0, info.Size()-block)
	tail := make([]byte, info.Size()-from)
	if _, err := l.f.ReadAt(tail, from); err != nil && err != io.EOF {
		return 0, "", err
	}
	at := bytes.LastIndexByte(tail, '\n') + 1
	if at == 0 && from > 0 {
		return 0, "", fmt.Errorf("bench: %s does not end in lines of JSON", l.f.Name())
	}
	return from + int64(at), string(tail[at:]), nil
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
func (l *Lines) Close() error {
	var err error
	if info, lost := l.f.Stat(); lost == nil && info.Mode().IsRegular() { // a device has no disk
		err = l.f.Sync()
	}
	return errors.Join(err, l.f.Close())
}
