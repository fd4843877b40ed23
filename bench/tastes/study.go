package tastes

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/prefer-bo/prefer/internal/normal"
)

// Study is one study that was played, a line of a file: who answered, what asked, and how good its picks were.
type Study struct {
	taste
	Shape  string `json:"shape"`
	Kind   string `json:"kind"` // smooth, rugged or conjoint
	Family string `json:"family"`
	Dim    int    `json:"dim"` // parts

	Rater  string `json:"rater"`
	Setup  string `json:"setup"`
	Method string `json:"method"`

	Range float64 `json:"range"` // max f − mean f
	Sigma float64 `json:"sigma"` // the noise of an ordinary rater of this taste

	Picks []Pick  `json:"picks"`
	CPU   float64 `json:"cpu_s"` // processor seconds of all questions and picks; 0 where unknown
}

// Pick is what a study held for best after some answers.
type Pick struct {
	Answers int     `json:"answers"`
	Gap     float64 `json:"gap"` // max f − f(x̂)
}

// measure is one of the two: what a pick is judged by.
type measure struct {
	name string
	of   func(s Study, gap float64) float64
}

var measures = []measure{{"share missed", Study.missed}, {"chance that one answer goes to the best", Study.chance}}

// missed returns the share of the possible improvement that is missed, 0 where all options are alike.
func (s Study) missed(gap float64) float64 {
	if s.Range == 0 {
		return 0
	}
	return gap / s.Range
}

// chance returns the probability that an ordinary rater takes the best option over the pick.
func (s Study) chance(gap float64) float64 {
	if s.Sigma == 0 {
		return 0.5
	}
	return normal.CDF(gap / s.Sigma)
}

// gap returns the gap after so many answers, if it was looked at.
func (s Study) gap(answers int) (float64, bool) {
	for _, p := range s.Picks {
		if p.Answers == answers {
			return p.Gap, true
		}
	}
	return 0, false
}

// series is what asked.
func (s Study) series() string { return s.Setup + "/" + s.Method }

// Read reads studies, one line of JSON each.
func Read(r io.Reader) ([]Study, error) {
	var out []Study
	for d := json.NewDecoder(r); ; {
		var s Study
		if err := d.Decode(&s); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("tastes: study %d: %w", len(out)+1, err)
		}
		if s.Method == "" || s.Rater == "" || len(s.Picks) == 0 {
			return nil, fmt.Errorf("tastes: study %d has no method, no rater or no picks", len(out)+1)
		}
		out = append(out, s)
	}
}
