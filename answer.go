package prefer

import (
	"time"

	"github.com/prefer-bo/prefer/gp"
)

// Answer is a rater's answer to a question.
type Answer struct {
	Choice Choice `json:"choice"`

	// Strength grades a preference: 0 is plain, 1 "clearly", and so on up to the study's Grades.
	Strength int `json:"strength,omitempty"`

	// Key, if not empty, makes telling idempotent: the same answer told again under its key is the first one over again. Every
	// rater has their own keys; one that stands for another of their answers is refused ("key").
	Key string `json:"key,omitempty"`

	// Rater is who answered. Defaults to the rater the question was put to; nobody else can answer it.
	Rater string `json:"rater,omitempty"`

	// Swapped records that the second option was shown in the first place.
	Swapped bool `json:"swapped,omitempty"`

	// ResponseTime is how long the rater looked; 0 if unknown.
	ResponseTime time.Duration `json:"response_ns,omitempty"`

	// Refused counts the answers to the question that were refused as too quick before this one, for those who keep such
	// records.
	Refused int `json:"refused,omitempty"`

	// Session names the sitting the answer belongs to, for those who keep such records.
	Session string `json:"session,omitempty"`

	// Check marks an answer given to check the rater: it is kept, and not learned from.
	Check bool `json:"check,omitempty"`

	// Note and Meta are what goes with the answer: a reason in words, and by name what a program knows of it. They are kept and
	// shown, never learned from, and make it no other answer under its Key: the first stay.
	Note string `json:"note,omitempty"`
	Meta Meta   `json:"meta,omitempty"`
}

// counts is the rule of Entry.Counts: undone and blind say what the study knows of the answer.
func (a Answer) counts(undone, blind bool) bool {
	k, _ := a.Choice.info()
	return k.Teaches && !a.Check && !undone && !blind
}

// Answers describes which answers a study offers. The zero value offers first, second and "can't
// tell", both bad and skip.
type Answers struct {
	// Forced leaves out "can't tell": exactly two outcomes, as in the paper.
	Forced bool `json:"forced,omitempty"`
	// Grades is the number of strengths beyond a plain preference. Defaults to 0.
	Grades int `json:"grades,omitempty"`
}

func (a Answers) model() gp.Answers { return gp.Answers{Ties: !a.Forced, Grades: a.Grades} }
