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
	"slices"
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
		case in.Check() != nil || in.Gap == nil:
			return fmt.Errorf("bench: %s line %d: a row %w", name, n, Row{}.Check())
		}
		row := in.Row
		row.Gap, row.Setup = *in.Gap, cmp.Or(row.Setup, name)
		if err := yield(row); err != nil {
			return err
		}
	}
}

// cellKey is a cell under a setup.
type cellKey struct {
	Cell
	setup string
}

// Key names the cell of a row, and Looks says how far the cell was.
func (r Row) Key() cellKey { return cellKey{Cell{r.Problem, r.Noise, r.Method, r.Seed}, r.Setup} }

func (r Row) Looks() int { return r.Answers }

// Check reports a row that names no cell.
func (r Row) Check() error {
	if r.Problem == "" || r.Method == "" {
		return errors.New("needs at least problem, method and gap")
	}
	return nil
}

// File is a results file. It knows the last row of each cell.
type File = RowFile[cellKey, Row]

// OpenFile opens a results file, or creates it.
func OpenFile(path string) (*File, error) { return OpenRows[cellKey, Row](path) }

// last returns the number of answers in the last row of a cell under a setup, 0 if it has none.
func last(f *File, c Cell, setup string) int {
	row, _ := f.Find(cellKey{c, setup})
	return row.Answers
}

// Keyed is a row of a file: what was played under a key.
type Keyed[K comparable] interface {
	Key() K
	Looks() int   // how often it was looked at: of two rows under one key the one with more counts
	Check() error // what the row lacks
}

// RowFile keeps rows, one line of JSON each, only ever appended to, and knows those that were played before.
type RowFile[K comparable, R Keyed[K]] struct {
	file *os.File // nil: kept in memory only
	mu   sync.Mutex
	rows []R
	at   map[K]int
}

// OpenRows opens a file of rows, or creates it. An empty path keeps them in memory. A file that has anything else, or that is a store, is left unchanged.
// Half a line at its end, as a killed process leaves it, is cut off, if there are lines before it or it begins as rows do.
func OpenRows[K comparable, R Keyed[K]](path string) (*RowFile[K, R], error) {
	f := &RowFile[K, R]{at: map[K]int{}}
	if path == "" {
		return f, nil
	}
	if err := outfile.CheckStore(path); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if info, err := os.Stat(path); path == "-" || err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		return nil, fmt.Errorf("bench: %w", &outfile.Refusal{Path: path, Why: "cannot be read again: want a file"})
	}
	var err error
	if f.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if err := f.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("bench: %s: %w", path, err), f.file.Close())
	}
	return f, nil
}

// load reads the rows that are there.
func (f *RowFile[K, R]) load() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	data, err := io.ReadAll(io.NewSectionReader(f.file, 0, info.Size()))
	if err != nil {
		return err
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	first, err := json.Marshal(*new(R))
	if err != nil {
		return err
	}
	first = first[:bytes.IndexByte(first, ':')+1] // the name that rows begin with
	if n := min(len(data), len(first)); whole == 0 && !bytes.Equal(data[:n], first[:n]) {
		return fmt.Errorf("does not end in lines of JSON that begin with %s", first)
	}
	rows, err := ReadChecked(bytes.NewReader(data[:whole]), R.Check)
	for _, row := range rows {
		f.put(row)
	}
	if err == nil && whole < len(data) {
		err = f.file.Truncate(int64(whole))
	}
	return err
}

// ReadChecked reads rows, one line of JSON each. check returns what a row lacks.
func ReadChecked[R any](r io.Reader, check func(R) error) (out []R, err error) {
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

func (f *RowFile[K, R]) put(row R) {
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
func (f *RowFile[K, R]) All() []R {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.rows)
}

// Find returns the row under a key, if it is there.
func (f *RowFile[K, R]) Find(k K) (row R, there bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i, there := f.at[k]
	if there {
		row = f.rows[i]
	}
	return row, there
}

// Add keeps a row: one write, so that lines of several processes do not mix.
func (f *RowFile[K, R]) Add(row R) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.put(row)
	if f.file == nil {
		return nil
	}
	line, err := json.Marshal(row)
	if err == nil {
		_, err = f.file.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// Close flushes the file to the disk and closes it.
func (f *RowFile[K, R]) Close() error {
	if f.file == nil {
		return nil
	}
	var err error
	if info, lost := f.file.Stat(); lost == nil && info.Mode().IsRegular() { // a device has no disk
		err = f.file.Sync()
	}
	return errors.Join(err, f.file.Close())
}
