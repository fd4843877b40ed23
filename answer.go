package prefer

import (
	"fmt"
	"time"

	"github.com/prefer-bo/prefer/gp"
)

// Choice is what a rater said about a pair. Each means something different to the model.
type Choice string

const (
	// First: the first option is better.
	First Choice = "first"
	// Second: the second option is better.
	Second Choice = "second"
	// Tie: can't tell. The noisy difference is within the just-noticeable difference.
	Tie Choice = "tie"
	// BothBad: neither will do. A tie, and a lost duel of each against the incumbent at the time of
	// asking.
	BothBad Choice = "both_bad"
	// Skip: no answer, and no data; the pair is not asked again soon.
	Skip Choice = "skip"
)

// Answer is a rater's answer to a question.
type Answer struct {
	Choice Choice `json:"choice"`

	// Strength grades a preference: 0 is plain, 1 "clearly", and so on up to the study's Grades.
	Strength int `json:"strength,omitempty"`

	// Key, if not empty, makes telling idempotent: a second answer with the same key is the first
	// one over again.
	Key string `json:"key,omitempty"`

	// Rater is who answered. Defaults to the rater the question was put to; nobody else can answer it.
	Rater string `json:"rater,omitempty"`

	// Swapped records that the second option was shown in the first place.
	Swapped bool `json:"swapped,omitempty"`

	// ResponseTime is how long the rater looked; 0 if unknown.
	ResponseTime time.Duration `json:"response_ns,omitempty"`

	// Session names the sitting the answer belongs to, for those who keep such records.
	Session string `json:"session,omitempty"`

	// Check marks an answer given to check the rater: it is kept, and not learned from.
	Check bool `json:"check,omitempty"`
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

// validate checks that ans is on offer.
func (a Answers) validate(ans Answer) error {
	switch ans.Choice {
	case First, Second:
		if ans.Strength < 0 || ans.Strength > a.Grades {
			return fmt.Errorf("prefer: answer has strength %d, want 0 to %d: %w", ans.Strength, a.Grades, ErrAnswer)
		}
	case Tie:
		if a.Forced {
			return fmt.Errorf("prefer: answer has choice %q, but this study offers no ties: %w", ans.Choice, ErrAnswer)
		}
	case BothBad, Skip:
	default:
		return fmt.Errorf("prefer: answer has choice %q, want first, second, tie, both_bad or skip: %w", ans.Choice, ErrAnswer)
	}
	if ans.Strength != 0 && ans.Choice != First && ans.Choice != Second {
		return fmt.Errorf("prefer: answer %q has strength %d, which only a preference can have: %w", ans.Choice, ans.Strength, ErrAnswer)
	}
	if ans.ResponseTime < 0 {
		return fmt.Errorf("prefer: answer has response time %v, want at least 0: %w", ans.ResponseTime, ErrAnswer)
	}
	return nil
}

// outcome returns what a preference or a tie is to the model.
func (ans Answer) outcome() gp.Outcome {
	switch ans.Choice {
	case First:
		return gp.Outcome(1 + ans.Strength)
	case Second:
		return gp.Outcome(-1 - ans.Strength)
	}
	return 0
}
