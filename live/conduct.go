package live

import (
	"cmp"
	"fmt"
)

// Conduct says how questions are put to people, as a methods section says it. How often it came to that, the log tells.
func (c Checks) Conduct() string {
	text := "Which option was on the left was balanced: of every two questions of a rater one, by a coin of the seed, was shown with its options exchanged."
	if c.RepeatRate > 0 {
		text += fmt.Sprintf(" Hidden repeats of earlier questions, sides exchanged, were to be %.3g %% of a rater's questions.", 100*c.RepeatRate)
	}
	if n := len(c.Catch); n > 0 {
		text += fmt.Sprintf(" One question in %d was to be a catch question, from a list of %d pairs whose answer is known.", cmp.Or(c.CatchEvery, defaultCatch), n)
	}
	if c.MinRT > 0 {
		text += fmt.Sprintf(" An answer within %d ms was refused, and the question stayed.", c.MinRT)
	}
	return text
}
