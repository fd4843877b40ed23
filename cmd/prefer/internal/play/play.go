package play

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// Console is where a session takes place: on a terminal with keys if the streams are one, else line by line. The
// conversation goes to Err.
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

	// Describe says in one line what an option of the study is.
	Describe func(space.Option) string
}

// Run runs a session to its end.
func (c Console) Run(ctx context.Context, s *Session) (Result, error) {
	study, err := s.study(ctx)
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

// keys plays on a terminal.
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
	defer func() {
		if e := p.screen.Close(); err == nil {
			err = e
		}
	}()
	return p.run(ctx)
}

// HasColours reports whether the console can show a colour that is worth looking at.
func (c Console) HasColours() bool {
	_, screen := terminal.Find(c.In, c.Out, c.Err)
	return terminal.NewStyle(os.Getenv, screen != nil).Paints()
}

// english puts results into words.
var english say.Words
