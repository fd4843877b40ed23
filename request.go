package prefer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/prefer-bo/prefer/internal/pairs"
	"github.com/prefer-bo/prefer/space"
)

// Request is an ask with its conditions.
type Request struct {
	// Rater is who will answer.
	Rater string

	// Fixed are values that both options must have: the conditions under which this rater can answer now. In a list they are features. The study goes on
	// learning about everything. Every context of the study has a value here, and the question is the one that helps to find the best under it.
	Fixed space.Option

	// Hold, if not nil, is one of the two options: what is on the table already, or the design to beat.
	Hold space.Option

	// Repeat asks an earlier question of this rater once more, with its options exchanged, to see how far
	// they agree with themselves. What they say is learned from, as every answer is.
	Repeat QuestionID

	// Catch asks the pair of this duel, whose answer is known: a check of attention. Tell it with Answer.Check. The choice of the duel's
	// Answer, if it takes a side, is the right one.
	Catch *Duel

	// Blind asks a blind duel: the study's pick against a rival, with nothing to tell which is which. It goes with Rater,
	// Another and contexts alone, stands beside the rater's other questions, and is not learned from; see Study.Blind.
	Blind bool

	// Practice asks a quasi-random pair to get used to answering: its answer is kept, teaches nothing and counts for nothing. Everybody
	// gets the same pairs, which are none of those the study begins with.
	Practice bool

	// Within, if positive, is the time the search may take. The best pair found by then is asked and marked Partial; there always is one.
	Within time.Duration

	// Another asks one more question although the rater has one open, or several.
	Another bool
}

// errHurry is why a search ends that was given little time.
var errHurry = errors.New("the time for the search is up")

// search returns the context of the search for the question.
func (r Request) search(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.Within <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, r.Within, errHurry)
}

// given returns the question a request leaves no choice about, if it does.
func (r Request) given(s *state) (q Question, ok bool, err error) {
	q = Question{Rater: r.Rater, Fixed: maps.Clone(r.Fixed)}
	switch {
	case r.Catch != nil:
		q.First, q.Second, q.Method, q.Catch = maps.Clone(r.Catch.First), maps.Clone(r.Catch.Second), methodCatch, true
		if k, known := r.Catch.Answer.Choice.info(); known && k.Side != 0 {
			q.Known = k.Choice
		}
	case r.Repeat != "":
		was := s.questions[r.Repeat]
		if was == nil || was.answer == nil || was.Rater != r.Rater {
			return q, true, notFound("no_question", "question %q was not answered by %q", r.Repeat, r.Rater)
		}
		q.First, q.Second, q.Method, q.RepeatOf = was.Second, was.First, methodRepeat, was.ID
		q.Incumbent, q.Fixed = was.Incumbent, was.Fixed
	default:
		return q, false, nil
	}
	return q.clone(), true, s.present(q.First, q.Second)
}

// Methods of questions that no acquisition chose.
const (
	methodCatch    = "catch"
	methodRepeat   = "repeat"
	methodBlind    = "blind"
	methodPractice = "practice"
)

// rules reads the conditions of an ask.
func (cfg *Config) rules(v view, r Request) (pairs.Rules, error) {
	out := pairs.Rules{Accept: cfg.accept(v), Avoid: cfg.nearRepeat(v, nil, r.Rater)}
	if err := v.code.Meets(r.Fixed); err != nil {
		return pairs.Rules{}, err
	}
	out.Fixed = func(x []float64) {
		for name, value := range r.Fixed {
			_ = v.code.Axis(name).Encode(value, x) // meets has tried
		}
	}
	if len(r.Fixed) > len(v.code.Fixed) { // the contexts are all that there is
		out.Allowed = func(x []float64) bool { return v.code.Meets(r.Fixed, x) == nil }
	}
	if r.Hold != nil {
		x, err := v.code.Unit(r.Hold)
		if err == nil {
			err = v.code.Meets(r.Fixed, x)
		}
		if err != nil {
			return pairs.Rules{}, fmt.Errorf("prefer: hold: %w", err)
		}
		out.Hold = x
	}
	return out, nil
}

// accept returns the rule that spares a person hopeless or boring pairs, or nil where there is none.
func (cfg *Config) accept(v view) func(a, b []float64) bool {
	separation := cfg.Separation
	if v.code.List != nil {
		separation = 0 // items that differ are never the same picture twice
	}
	if separation <= 0 && cfg.Repeats && len(v.skipped) == 0 && len(v.pending) == 0 {
		return nil
	}
	past, skipped, pending := points(v.past), points(v.skipped), points(v.pending)
	return func(a, b []float64) bool {
		switch {
		case separation > 0 && v.code.Gap(a, b) < separation,
			!cfg.Repeats && pairs.Clash(v.code, past, a, b, pairs.Same),
			pairs.Clash(v.code, skipped, a, b, sameSkipped),
			pairs.Clash(v.code, pending, a, b, pairs.Close):
			return false
		}
		return true
	}
}

// Practice questions are pairs of the same sequence from practiceStart on, where no study comes, as far apart as may be passed over.
const practiceStart = 1 << 40

// isPractice reports whether a question is one; there may be none, as with an observed duel.
func (q *asked) isPractice() bool { return q != nil && q.Method == methodPractice }
