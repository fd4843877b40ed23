package bench

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/outfile"
)

// Row is the state of one cell after one answer, a line of a results file. Rows of other stacks may leave out what they do not know.
type Row struct {
	Problem string  `json:"problem"`
	Noise   float64 `json:"noise"` // target error rate among the top 1 % of the domain; 0: answers without noise
	Method  string  `json:"method"`
	// Setup names the modelling choices: "paper", "default", "default initial=4d outputscale=…". A row without one takes the name of its file.
	Setup string `json:"setup,omitempty"`
	Seed  uint64 `json:"seed"`

	Iter    int     `json:"iter"`    // Answers − initial pairs
	Answers int     `json:"answers"` // all answers so far
	Gap     float64 `json:"gap"`     // f* − f(x̂)

	// Seconds on the clock: to learn from the answers so far, to choose the question of the last one,
	// to find x̂; and processor seconds for the three together.
	FitSeconds       float64 `json:"fit_s"`
	AskSeconds       float64 `json:"acq_s"`
	RecommendSeconds float64 `json:"rec_s"`
	CPUSeconds       float64 `json:"cpu_s"`

	Sigma float64 `json:"sigma"` // the rater's noise on a difference
}

// ReadRows calls yield for every row of a results file. name is the file's, for errors and for rows without a setup. A row that was cut short at the very
// end of the file, as a killed process leaves it, is passed over; anything else that is not a row is an error.
func ReadRows(r io.Reader, name string, yield func(Row) error) error {
	d := json.NewDecoder(r)
	for n := 1; ; n++ {
		var in struct {
			Row
			Gap *float64 `json:"gap"` // a row without one must not pass for a perfect one
		}
		switch err := d.Decode(&in); {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return nil
		case err != nil:
			return fmt.Errorf("bench: %s line %d: %w", name, n, err)
		case in.Problem == "" || in.Method == "" || in.Gap == nil:
			return fmt.Errorf("bench: %s line %d: a row needs at least problem, method and gap", name, n)
		}
		row := in.Row
		row.Gap, row.Setup = *in.Gap, cmp.Or(row.Setup, name)
		if err := yield(row); err != nil {
			return err
		}
	}
}

// File is a results file: rows, one per line, only ever appended to.
type File struct {
	*Lines
	mu   sync.Mutex
	last map[cellKey]int // answers in the last row of each
}

// OpenFile opens a results file, or creates it, and reads which rows it has. Half a line at its end, as a killed process leaves it, is cut off.
func OpenFile(path string) (*File, error) {
	out := &File{last: map[cellKey]int{}}
	var err error
	out.Lines, err = OpenLines(path, Row{}, func(r io.Reader) error { return ReadRows(r, path, out.note) })
	return out, err
}

// ReadFile reads which rows a results file has and leaves it as it is, even if another process is writing to it.
// A file that does not exist has none. The result cannot be appended to and need not be closed.
func ReadFile(path string) (*File, error) {
	out := &File{last: map[cellKey]int{}}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return out, errors.Join(ReadRows(f, path, out.note), f.Close())
}

func (f *File) note(r Row) error {
	key := cellKey{r.cell(), r.Setup}
	f.last[key] = max(f.last[key], r.Answers)
	return nil
}

func (r Row) cell() Cell { return Cell{r.Problem, r.Noise, r.Method, r.Seed} }

// cellKey is a cell under a setup.
type cellKey struct {
	Cell
	setup string
}

// Last returns the number of answers in the last row of a cell under a setup, 0 if it has none.
func (f *File) Last(c Cell, setup string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last[cellKey{c, setup}]
}

func (f *File) Append(r Row) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.Lines.Append(r); err != nil {
		return err
	}
	return f.note(r)
}

// Lines is a file of JSON values, one per line, only ever appended to.
type Lines struct{ f *os.File }

// OpenLines opens such a file, or creates it, and calls read with its lines. A file that read refuses, or that is a store, is left unchanged.
// Half a line at its end, as a killed process leaves it, is cut off, if lines before it could be read or it begins as lines do, of which one is given.
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
