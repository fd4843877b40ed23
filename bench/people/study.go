package people

import (
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer/bench"
)

// Study is one study that was played, a line of a file.
type Study struct {
	key
	Values []Value `json:"values"`
}

// key names a study: a population, what chose its questions, and how was learned from the answers.
type key struct {
	cell
	Method string `json:"method"`
	Arm    string `json:"arm"`
}

// looked is a study with what it was looked at.
type looked struct {
	key
	marks string
}

// Key names the study and when it was looked at: other marks, another study.
func (s Study) Key() looked { return looked{s.key, fmt.Sprint(s.marks())} }

// Looks is how often.
func (s Study) Looks() int { return len(s.Values) }

// Check returns what a study of a file lacks.
func (s Study) Check() error {
	if s.Arm == "" || s.Population == "" || len(s.Values) == 0 {
		return errors.New("has no arm, no population or no values")
	}
	return nil
}

// File keeps studies.
type File = bench.Studies[looked, Study]

// OpenFile opens a file of studies, or creates it. An empty path keeps them in memory.
func OpenFile(path string) (*File, error) { return bench.OpenStudies[looked, Study](path) }

// Value is the sum of a measure over so many people, pairs of people or statements of a study, after so many answers of each.
type Value struct {
	Measure string  `json:"measure"`
	Answers int     `json:"answers"`
	Of      int     `json:"of"`
	Sum     float64 `json:"sum"`
}

// Measures that are about the group.
const (
	groupMissed    = "group's pick: share missed"
	agreementError = "agreement: mean |said − true|"
	agreementBias  = "agreement: mean said − true"
	agreementHeld  = "agreement: true value in the interval"
	agreementWide  = "agreement: width of the interval"
	differFound    = "differs from the rest: named"
	differWrong    = "does not differ: named all the same"
	carelessFound  = "careless: called so"
	carelessWrong  = "not careless: called so all the same"
	campsFound     = "two camps: said"
	campsPlaced    = "two camps said: people in their own"
	campsWrong     = "no camps: said all the same"
	cost           = "processor seconds"
)

// role has the measures about one person.
type role struct{ missed, said, held, wrong string }

func newRole(whose string) role {
	return role{whose + " pick: share missed", whose + " confidence: said", whose + " confidence: true", whose + " said to be 90 % sure: wrong"}
}

var everybody, outlier, newcomer = newRole("own"), newRole("outlier's"), newRole("newcomer's")

// marks returns the numbers of answers after which was looked.
func (s Study) marks() (out []int) {
	for _, v := range s.Values {
		if v.Measure == groupMissed {
			out = append(out, v.Answers)
		}
	}
	return out
}

// tally collects values.
type tally struct{ values []Value }

func (t *tally) add(measure string, answers int, value float64) {
	for i, v := range t.values {
		if v.Measure == measure && v.Answers == answers {
			t.values[i].Of++
			t.values[i].Sum += value
			return
		}
	}
	t.values = append(t.values, Value{measure, answers, 1, value})
}
