package statements

import (
	"encoding/json"
	"fmt"
	"io"
)

// Statement is one thing a study said, and what was true.
type Statement struct {
	Kind    string `json:"kind"`
	Answers int    `json:"answers"`        // after which it was said
	Mark    int    `json:"mark,omitempty"` // the same, of what is noted at fixed numbers of answers

	// Said is the probability it was given, or the share it named; 1 for what was said flatly.
	Said float64 `json:"said"`
	// Held is 1 if it was true and 0 if not; of a share, or of an answer that is a matter of chance, what it truly is.
	Held float64 `json:"held"`
	// Bits is the expected surprise at an answer that was foretold, −Σ p log₂ q; 0 for other kinds.
	Bits float64 `json:"bits,omitempty"`
}

// Study is one study that was played: who answered, how it ended, and what it said.
type Study struct {
	Taste  int    `json:"taste"` // its number
	Space  string `json:"space"`
	Family string `json:"family"`
	Smooth bool   `json:"smooth"`
	Rater  string `json:"rater"`

	Answers int    `json:"answers"`          // given, skips aside
	Ended   int    `json:"ended"`            // answers until the first ending; 0 if there was none
	Ending  string `json:"ending,omitempty"` // its kind

	Statements []Statement `json:"statements"`
}

// group returns the row of the table the study belongs to.
func (s Study) group() Group {
	kind := "rugged"
	if s.Smooth {
		kind = "smooth"
	}
	return Group{s.Space, kind, s.Rater}
}

// Group is a kind of people: what the taste is about, what family it is of, and how they answer.
type Group struct {
	Space  string `json:"space"`
	Family string `json:"family"` // smooth or rugged
	Rater  string `json:"rater"`
}

// Read reads studies that were written as JSON, one after the other.
func Read(r io.Reader) ([]Study, error) {
	var out []Study
	for d := json.NewDecoder(r); ; {
		var s Study
		if err := d.Decode(&s); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("statements: study %d: %w", len(out), err)
		}
		out = append(out, s)
	}
}

func truth(held bool) float64 {
	if held {
		return 1
	}
	return 0
}
