package play

import (
	"fmt"
	"strings"

	"github.com/prefer-bo/prefer"
)

// status is where the study stands: a verdict with what it rests on.
type status struct {
	prefer.Verdict
	answers int // the rater's, skips not counted
	belief  *prefer.Belief
}

// isDone reports whether it is time to show the pick: the verdict says so, or the session has its length.
func (s status) isDone(length int) bool {
	return s.belief != nil && (s.Kind != prefer.KeepGoing || length > 0 && s.answers >= length)
}

// line is the quiet line under a question.
func (s status) line(length int) string {
	so := plural(s.answers, "answer")
	sure := 100 * s.Best.Confidence
	more := fmt.Sprintf("about %d to %d more", s.Left.Low, s.Left.High)
	if length > s.answers {
		more = fmt.Sprintf("the pick after %d", length)
	} else if length > 0 {
		more = "more answers make it surer"
	}
	switch {
	case s.answers == 0:
		return "there are no wrong answers; the first that comes to mind is best"
	case s.Kind != prefer.KeepGoing:
		return fmt.Sprintf("%s: %.0f %% sure; p shows the pick", so, sure)
	case sure < 5:
		return fmt.Sprintf("%s: looking around, %s", so, more)
	case sure < 50:
		return fmt.Sprintf("%s: a first idea, %.0f %% sure, %s", so, sure, more)
	}
	return fmt.Sprintf("%s: getting clearer, %.0f %% sure, %s", so, sure, more)
}

// isNews reports whether it is time to show the pick and was not before, or the verdict says so only now.
func (s status) isNews(before status, length int) bool {
	return s.isDone(length) && (!before.isDone(length) || s.Kind != before.Kind && before.Kind == prefer.KeepGoing)
}

const (
	learnedEvery = 8 // answers from one learned sentence to the next
	learnedStays = 2 // answers for which it is shown
)

// learned is a sentence now and then: "lower sugar wins; milk hardly matters". It is about parameters, never
// about an option on the table.
func (s status) learned() string {
	if s.answers < learnedEvery || s.answers%learnedEvery >= learnedStays || s.belief == nil {
		return ""
	}
	var won, hardly []string
	for _, i := range s.belief.Importance() {
		if wins(i) {
			won = append(won, i.Sentence)
		} else if strings.HasSuffix(i.Sentence, "hardly matters") {
			hardly = append(hardly, i.Sentence)
		}
	}
	if len(won)+len(hardly) == 0 {
		return ""
	}
	return "so far: " + strings.Join(append(won[:min(2, len(won))], hardly[:min(1, len(hardly))]...), "; ")
}

// verdictLine says how sure the pick is.
func (s status) verdictLine() string {
	sure := fmt.Sprintf("%.0f %% sure that nothing is noticeably better", 100*s.Best.Confidence)
	switch s.Kind {
	case prefer.ClearWinner:
		return "This one: " + sure + "."
	case prefer.PracticalTie:
		return "This one, " + sure + ", but another one may be as good."
	}
	if s.Best.Confidence < 0.05 {
		return fmt.Sprintf("The best guess so far, after %s; too early to be sure.", plural(s.answers, "answer"))
	}
	return "The best guess so far: " + sure + "."
}

// wins reports whether a sentence says what wins.
func wins(i prefer.Importance) bool { return strings.HasSuffix(i.Sentence, " wins") }
