package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Row is the state of one cell after one answer, a line of a results file. Rows of other stacks may
// leave out what they do not know.
type Row struct {
	Problem string  `json:"problem"`
	Noise   float64 `json:"noise"` // target error rate among the top 1 % of the domain; 0: answers without noise
	Method  string  `json:"method"`
	// Setup names the modelling choices: "paper", "default", "default initial=4d outputscale=…". A row
	// without one takes the name of its file.
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

// ReadRows calls yield for every row of a results file. name is the file's, for errors and for rows
// without a setup. A line that was cut short at the very end of the file, as a killed process leaves
// it, is passed over; any other line that is not a row is an error.
func ReadRows(r io.Reader, name string, yield func(Row) error) error {
	br := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, err := br.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("bench: %s: %w", name, err)
		}
		torn := err == io.EOF
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var in struct {
				Row
				Gap *float64 `json:"gap"` // a row without one must not pass for a perfect one
			}
			if bad := json.Unmarshal(line, &in); bad != nil {
				if torn {
					return nil
				}
				return fmt.Errorf("bench: %s line %d: %w", name, n, bad)
			}
			if in.Problem == "" || in.Method == "" || in.Gap == nil {
				return fmt.Errorf("bench: %s line %d: a row needs at least problem, method and gap", name, n)
			}
			row := in.Row
			row.Gap = *in.Gap
			if row.Setup == "" {
				row.Setup = name
			}
			if err := yield(row); err != nil {
				return err
			}
		}
		if torn {
			return nil
		}
	}
}
