package play

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

// Session is one rater before one study. Which side an option is on, what is open and what to do when another process was
// quicker is the room's business. Its methods may be called from several goroutines.
type Session struct {
	Room   *live.Studies
	Study  string // its name in the room
	Rater  string
	Length int // answers after which the pick is shown, sure or not; 0 for no such number
}

// pair is a question as it is put to the rater.
type pair struct {
	prefer.Question
	number  int  // among those the rater has answered, from 1
	swapped bool // the second option is in the first place
}

// options returns the two in the order of the screen.
func (p pair) options() (first, second prefer.Option) {
	if p.swapped {
		return p.Second, p.First
	}
	return p.First, p.Second
}

// ask returns the rater's question, or a blind duel of the pick.
func (s *Session) ask(ctx context.Context, blind bool) (pair, error) {
	q, err := s.Room.Ask(ctx, s.Study, live.Ask{Rater: s.Rater, Owner: true, Blind: blind})
	if err != nil {
		return pair{}, err
	}
	n, err := s.Kept(ctx)
	return pair{Question: q.Asked, number: 1 + n, swapped: q.Swapped}, err
}

// remark is something to tell the rater that is no reason to end the session.
type remark string

func (r remark) Error() string { return string(r) }

const noPick = "there is no pick before the first answer"

const (
	nothingToUndo     remark = "there is no answer left to take back"
	answeredElsewhere remark = "that question was answered elsewhere; here is the next"
)

// tell answers a question; the choice is about the options in the order of the screen.
func (s *Session) tell(ctx context.Context, id prefer.QuestionID, a prefer.Answer) error {
	_, err := s.Room.Tell(ctx, s.Study, live.Tell{Question: id, Rater: s.Rater, Owner: true, Answer: a})
	if errors.Is(err, prefer.ErrNoQuestion) {
		return answeredElsewhere
	}
	return err
}

// undo takes back the rater's latest answer that stands, of this session or an earlier one.
func (s *Session) undo(ctx context.Context) error {
	answers, err := s.answers(ctx)
	if err != nil {
		return err
	}
	if len(answers) == 0 {
		return nothingToUndo
	}
	_, err = s.Room.Undo(ctx, s.Study, live.Undo{Answer: answers[len(answers)-1].ID, Rater: s.Rater, Owner: true})
	return err
}

// answers lists the rater's answers that were not taken back, blind duels among them.
func (s *Session) answers(ctx context.Context) (out []prefer.Entry, err error) {
	err = s.Room.With(ctx, s.Study, func(r *live.Study) error {
		out = nil
		for _, e := range r.Study.History() {
			if !e.Undone && !e.Observed && e.Rater == s.Rater {
				out = append(out, e)
			}
		}
		return nil
	})
	return out, err
}

// Kept returns the number of the rater's answers that stand, those of earlier sessions included, blind duels aside.
func (s *Session) Kept(ctx context.Context) (n int, err error) {
	answers, err := s.answers(ctx)
	for _, e := range answers {
		if !e.Blind {
			n++
		}
	}
	return n, err
}

// study returns the study as it is now.
func (s *Session) study(ctx context.Context) (study *prefer.Study, err error) {
	err = s.Room.With(ctx, s.Study, func(r *live.Study) error {
		study = r.Study
		return nil
	})
	return study, err
}

// status says where the study stands.
func (s *Session) status(ctx context.Context) (status, error) {
	var st status
	answers, err := s.answers(ctx)
	if err != nil {
		return st, err
	}
	for _, e := range answers {
		if kinds[e.Answer.Choice].Teaches && !e.Blind {
			st.answers++
		}
	}
	err = s.Room.With(ctx, s.Study, func(r *live.Study) (err error) {
		if st.Verdict, err = r.Verdict(ctx, s.Rater); err != nil {
			return err
		}
		st.belief, err = r.Study.Belief(ctx, r.Utility(s.Rater))
		return err
	})
	return st, err
}

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
