package bench

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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

// ReadFile reads which rows a results file has and leaves it as it is, even if another process is writing to it.
// A file that does not exist has none. What is added to the result is not written.
func ReadFile(path string) (*File, error) {
	out := newRowFile[cellKey, Row]()
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return out, errors.Join(ReadRows(f, path, out.Add), f.Close())
}

// last returns the number of answers in the last row of a cell under a setup, 0 if it has none.
func last(f *File, c Cell, setup string) int {
	row, _ := f.Find(cellKey{c, setup})
	return row.Answers
}
