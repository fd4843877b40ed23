package play

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// Session is one rater before one study. The room decides sides, what is open and conflicts. Its methods may be called from several goroutines.
type Session struct {
	Room  *live.Studies
	Study string // its name in the room
	Rater string
	Fixed space.Option // what all options have
}

// pair is a question as it is put to the rater.
type pair struct {
	prefer.Question
	number  int  // among those the rater has answered, from 1; skips are no answers
	swapped bool // the second option is in the first place
}

func (p pair) label() string {
	switch {
	case p.Blind != nil:
		return "blind"
	case p.Method == "practice":
		return p.Method
	}
	return fmt.Sprintf("%d.", p.number)
}

// options returns the two in the order of the screen.
func (p pair) options() (first, second space.Option) {
	if p.swapped {
		return p.Second, p.First
	}
	return p.First, p.Second
}

// ask returns the rater's question.
func (s *Session) ask(ctx context.Context) (pair, error) {
	q, err := s.Room.Ask(ctx, s.Study, live.Ask{Rater: s.Rater, Fixed: s.Fixed, Owner: true})
	if err != nil {
		return pair{}, err
	}
	n, err := s.Kept(ctx)
	return pair{Question: q.Asked, number: 1 + n, swapped: q.Swapped}, err
}

// remark is something to tell the rater that is no reason to end the session.
type remark string

func (r remark) Error() string { return string(r) }

const (
	noPick                   = "there is no pick before the first answer"
	nothingToUndo     remark = "there is no answer left to take back"
	answeredElsewhere remark = "that question was answered elsewhere; here is the next"
)

// tell answers a question; the choice is about the options in the order of the screen.
func (s *Session) tell(ctx context.Context, id prefer.QuestionID, a prefer.Answer) error {
	_, err := s.Room.Tell(ctx, s.Study, live.Tell{Question: id, Rater: s.Rater, Owner: true, Answer: a})
	if errcode.Of(err) == "no_question" {
		return answeredElsewhere
	}
	return err
}

// undo takes back the rater's latest answer that stands, of this session or an earlier one.
func (s *Session) undo(ctx context.Context) error {
	answers, err := s.answers(ctx)
	if err == nil && len(answers) == 0 {
		err = nothingToUndo
	}
	if err != nil {
		return err
	}
	_, err = s.Room.Undo(ctx, s.Study, live.Undo{Answer: answers[len(answers)-1].ID, Rater: s.Rater, Owner: true})
	return err
}

// answers lists the rater's answers that were not taken back, skips and blind duels among them.
func (s *Session) answers(ctx context.Context) ([]prefer.Entry, error) {
	return live.In(ctx, s.Room, s.Study, func(r *live.Study) ([]prefer.Entry, error) {
		return xslices.Filter(r.Study.History(), func(e prefer.Entry) bool { return !e.Undone && !e.Observed && e.Rater == s.Rater }), nil
	})
}

// Kept returns the number of the rater's answers that stand, earlier sessions included and skips, blind duels and practice not.
func (s *Session) Kept(ctx context.Context) (n int, err error) {
	answers, err := s.answers(ctx)
	return xslices.Count(answers, prefer.Entry.Counts), err
}

func (s *Session) status(ctx context.Context) (status, error) {
	answers, err := s.Kept(ctx)
	st := status{answers: answers}
	if err != nil {
		return st, err
	}
	err = s.Room.With(ctx, s.Study, func(r *live.Study) (err error) {
		look := prefer.Look{Rater: r.Utility(s.Rater), Fixed: r.Config.Space.Context(s.Fixed)}
		if st.Verdict, err = r.VerdictFor(ctx, prefer.Look{Rater: s.Rater, Fixed: look.Fixed}); err != nil {
			return err
		}
		if s.Rater == "" { // an unnamed player has a verdict of their own
			st.Verdict = r.For(st.Verdict, "", r.Config.Space.Context(look.Fixed))
		}
		st.belief, err = r.Study.Belief(ctx, look)
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

// isDone reports whether it is time to show what the study came to.
func (s status) isDone() bool { return s.belief != nil && s.Kind.Done() }

// line is the quiet line under a question.
func (s status) line() string {
	switch {
	case s.answers == 0:
		return "there are no wrong answers; the first that comes to mind is best"
	case s.isDone():
		return english.Progress(s.Verdict) + "; p shows what came of it"
	}
	return english.Progress(s.Verdict)
}

// isNews reports whether the study is done and was not before, or is sure only now.
func (s status) isNews(before status) bool {
	return s.isDone() && (!before.isDone() || s.Kind.Sure() && !before.Kind.Sure())
}

const (
	learnedEvery = 8 // answers from one learned sentence to the next
	learnedStays = 2 // answers for which it is shown
)

// learned is a sentence now and then about parameters, never about an option on the screen: "lower sugar wins; milk hardly matters".
func (s status) learned() string {
	if !s.Kind.Picks() || s.answers < learnedEvery || s.answers%learnedEvery >= learnedStays || s.belief == nil {
		return ""
	}
	var won, hardly []string
	for _, i := range s.belief.Importance() {
		if wins(i) {
			won = append(won, i.Sentence)
		} else if i.Kind == "hardly" {
			hardly = append(hardly, i.Sentence)
		}
	}
	if len(won)+len(hardly) == 0 {
		return ""
	}
	return "so far: " + strings.Join(append(won[:min(2, len(won))], hardly[:min(1, len(hardly))]...), "; ")
}

// wins reports whether something can be said about what wins.
func wins(i prefer.Importance) bool { return i.Kind != "unknown" && i.Kind != "hardly" }

// Console is where a session takes place: on a terminal with keys if the streams are one, else line by line. The conversation goes to Err.
type Console struct {
	In       io.Reader
	Out, Err io.Writer

	// Auto, if not nil, answers in place of a person, and Pace is how long a question stays on the screen then.
	Auto func(prefer.Question) prefer.Answer
	Pace time.Duration
}

// Result is how a session stands when it ends.
type Result struct {
	Verdict prefer.Verdict
	Answers int      // the rater's, skips not counted
	Pick    []string // the pick in plain lines; none before the first answer

	Describe func(space.Option) string // says in one line what an option of the study is
}

// Run runs a session to its end.
func (c Console) Run(ctx context.Context, s *Session) (Result, error) {
	study, err := live.In(ctx, s.Room, s.Study, func(r *live.Study) (*prefer.Study, error) { return r.Study, nil })
	if err != nil {
		return Result{}, err
	}
	keyboard, screen := terminal.Find(c.In, c.Out, c.Err)
	g := newGallery(study, terminal.NewStyle(os.Getenv, screen != nil))
	var st status
	if screen != nil {
		st, err = c.keys(ctx, s, g, keyboard, screen)
	} else {
		p := &linePlayer{session: s, gallery: g, in: c.In, out: c.Err, auto: c.Auto, timed: terminal.Is(c.In)}
		err = p.run(ctx)
		st = p.status
	}
	r := Result{Verdict: st.Verdict, Answers: st.answers, Describe: g.line}
	if st.answers > 0 {
		r.Pick = g.summary(st)
	}
	return r, err
}

func (c Console) keys(ctx context.Context, s *Session, g *gallery, keyboard, screen *os.File) (status, error) {
	t, err := terminal.Open(keyboard, screen)
	if err != nil {
		return status{}, err
	}
	p := &player{session: s, screen: t, gallery: g, auto: c.Auto, pace: c.Pace}
	if err := p.runAndClose(ctx); err != nil || p.fresh {
		return p.status, err
	}
	return s.status(ctx)
}

// runAndClose gives the terminal back whatever happens, a panic included.
func (p *player) runAndClose(ctx context.Context) (err error) {
	defer func() { err = cmp.Or(err, p.screen.Close()) }()
	return p.run(ctx)
}

// HasColours reports whether the console can show a colour that is worth looking at.
func (c Console) HasColours() bool {
	_, screen := terminal.Find(c.In, c.Out, c.Err)
	return terminal.NewStyle(os.Getenv, screen != nil).Paints()
}

var english say.Words
