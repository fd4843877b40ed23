package live

import (
	"fmt"
	"strings"
)

// Conduct says how questions are put to people, as a methods section says it. How often it came to that, the log tells. A log that was written
// elsewhere may have other sides; then nothing is said of them.
func (r *Study) Conduct() string {
	var say []string
	if r.balanced() {
		say = append(say, "Which option was on the left was balanced: of every two questions of a rater one, by a coin of the seed, was shown with its options exchanged.")
	}
	c := r.Settings.Checks
	if c.RepeatRate > 0 {
		say = append(say, fmt.Sprintf("Hidden repeats of earlier questions, sides exchanged, were to be %.3g %% of a rater's questions.", 100*c.RepeatRate))
	}
	if len(c.Catch) > 0 {
		say = append(say, fmt.Sprintf("One question in %d was to be a catch question, whose answer is known (pairs to take it from: %d).", c.catchEvery(), len(c.Catch)))
	}
	if c.MinRT > 0 {
		say = append(say, fmt.Sprintf("An answer within %d ms was refused, and the question stayed.", c.MinRT))
	}
	return strings.TrimSpace(strings.Join(say, " ") + r.Settings.Sitting.Conduct())
}

// balanced reports whether every question was shown on the sides that index.show gives it.
func (r *Study) balanced() bool {
	all := true
	r.look(func(x *index) {
		for _, said := range x.said {
			for _, e := range said {
				all = all && (e.Observed || e.Answer.Swapped == x.questions[e.Question].swapped)
			}
		}
	})
	return all
}

// Conduct says how people are led through, as a methods section says it; of the zero value nothing.
func (c Sitting) Conduct() (text string) {
	if c.Practice > 0 {
		text += fmt.Sprintf(" Everybody began with %d practice questions, the same for all, which were not learned from.", c.Practice)
	}
	if c.BreakEvery > 0 {
		text += fmt.Sprintf(" A break was offered after every %d answers.", c.BreakEvery)
	}
	if c.Blind > 0 {
		text += fmt.Sprintf(" At the end everybody was asked %d blind duels of the pick against rivals.", c.Blind)
	}
	return text
}
