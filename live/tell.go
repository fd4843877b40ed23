package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Tell answers a question, or reports a duel nobody asked for.
type Tell struct {
	// Question is what is answered.
	Question prefer.QuestionID

	// Rater is who answers; empty: whoever the question was put to. Owner says that the owner of the study tells it: while it is paused as well, and
	// duels nobody asked for, which raters tell only in a study that takes them (Settings.OwnDuels).
	Rater string
	Owner bool

	// Answer is what she said, where First is the option that was shown first.
	Answer prefer.Answer

	// Duel, if not nil, is reported in place of an answer to a question.
	Duel *prefer.Duel

	// Next asks for the next question, unless the study is done.
	Next bool
}

// Told is what comes of an answer.
type Told struct {
	Answer string    `json:"answer_id"`
	Status Status    `json:"status"`
	Next   *Question `json:"next" doc:"The next question, if asked for; null when the study is done, and the blind duels at the end are."`
}

// Tell keeps an answer, once however often its key is told, and asks the next question if that is wanted.
func (s *Studies) Tell(ctx context.Context, name string, t Tell) (out Told, err error) {
	if err := CheckRater(t.Rater); err != nil {
		return out, err
	}
	if t.Answer.Check && !t.Owner {
		return out, &Error{Code: OwnerOnly, Field: "learn", Value: false, Detail: "only the owner of the study says what is not learned from: leave out learn"}
	}
	start := time.Now()
	rater := t.Rater
	var id prefer.AnswerID // not empty once it is kept: the next question may need another attempt, the answer not
	err = s.With(ctx, name, func(r *Study) error {
		if id == "" {
			var err error
			if t.Duel != nil {
				id, err = s.observe(ctx, r, t)
			} else {
				id, rater, err = s.answer(ctx, r, t)
			}
			if err != nil {
				return err
			}
			timing(ctx).since("store", start)
			s.Counters.Tells.Since(start)
		}
		a := Ask{Rater: rater, Owner: t.Owner}
		var status Status
		var m moment
		var then followUp
		r.look(func(x *index) {
			r.lookNoFurther()
			a.Fixed = x.context(rater)
			status, then = r.status(x, rater, a.Fixed), r.followUp(x, rater)
			if t.Next {
				m = r.moment(x, a, s.cfg.Now())
			}
		})
		out = Told{Answer: string(id), Status: status.to(r, t.Owner)}
		s.changes.tell(name, r.Seq(), "answered")
		if t.Next {
			asking := time.Now()
			q, ok, err := s.nextOf(ctx, r, a, status, m)
			var refusal *Error
			if errors.As(err, &refusal) && refusal.Code == Paused { // the answer is kept all the same
				ok, err = false, nil
			}
			if err != nil {
				return err
			}
			if ok {
				s.Counters.Asks.Since(asking)
				out.Next = &q
			}
		}
		s.follow(r, then)
		return nil
	})
	return out, err
}

// nextOf asks the question that follows an answer; ok is false at the end, after the blind duels that may belong to it.
func (s *Studies) nextOf(ctx context.Context, r *Study, a Ask, at Status, m moment) (q Question, ok bool, err error) {
	if at.Verdict == string(prefer.KeepGoing) {
		q, err = s.question(ctx, r, a, &m)
		return q, true, err
	}
	ctx, stop := s.during(ctx, r)
	defer stop()
	patient, stop := s.patience(ctx, a.Within)
	defer stop()
	return s.finalDuel(ctx, patient, r, a, m)
}

// answer tells the study what a rater said about a question, and returns who that is: she speaks of what she
// saw first, the log of the question's first option.
func (s *Studies) answer(ctx context.Context, r *Study, t Tell) (id prefer.AnswerID, rater string, err error) {
	q, ok := r.Study.Question(t.Question)
	if !ok {
		return "", "", refuse(NoQuestion, "there is no question %q in this study", t.Question)
	}
	if t.Rater != "" && PersonOf(q.Rater) != t.Rater {
		return "", "", refuse(OtherRater, "question %q was put to somebody else", t.Question)
	}
	as, answered := r.placed(q.ID)
	if !answered { // a second telling is let through to its key
		if err := r.mayChange(t.Owner); err != nil {
			return "", "", err
		}
		if err := s.tooQuick(r, as.time, t.Answer); err != nil {
			r.refuse(q.ID)
			return "", "", err
		}
	}
	a := t.Answer
	a.Swapped, a.Check, a.Refused = as.swapped, a.Check || q.Catch, r.refusals(q.ID)
	if as.swapped {
		a.Choice = opposite(a.Choice)
	}
	lasting, stop := lasting(ctx)
	defer stop()
	if id, err = r.Study.Tell(lasting, q.ID, a); err == nil {
		r.posed.Delete(q.ID)
	}
	known := func(k prefer.ChoiceInfo) bool { return k.Choice == a.Choice && !k.Tied }
	if space.CodeOf(err) == "answer" && a.Choice != "" && !slices.ContainsFunc(prefer.Choices(), known) {
		return "", "", invalid("choice", a.Choice, "choice is %q, want %s", a.Choice, offered())
	}
	return id, q.Rater, err
}

// placed returns how a question is shown, and whether an answer to it stands. Of a question that this process has just put it knows
// without the index.
func (r *Study) placed(id prefer.QuestionID) (as shownQuestion, answered bool) {
	if posed, ok := r.posed.Load(id); ok {
		return posed.(shownQuestion), false
	}
	r.look(func(x *index) { as, answered = x.questions[id], x.answered[id] })
	return as, answered
}

// offered lists the kinds of answers.
func offered() string {
	var names []string
	for _, k := range prefer.Choices() {
		name := string(k.Choice)
		if k.Tied {
			name += " (if the study has ties)"
		}
		names = append(names, name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// opposite returns a choice as it is with the sides exchanged.
func opposite(c prefer.Choice) prefer.Choice {
	switch c {
	case prefer.First:
		return prefer.Second
	case prefer.Second:
		return prefer.First
	}
	return c
}

// refuse counts an answer that was not recorded: the one that is recorded in the end will say how many there were.
func (r *Study) refuse(q prefer.QuestionID) {
	n, _ := r.refused.LoadOrStore(q, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
}

// refusals returns how many answers to a question were refused.
func (r *Study) refusals(q prefer.QuestionID) int {
	if n, ok := r.refused.Load(q); ok {
		return int(n.(*atomic.Int64).Load())
	}
	return 0
}

// tooQuick refuses an answer that nobody can have thought about: one that says so itself, or comes too soon after since, when its question was asked. A
// clock that was set back, or another server's that is ahead, has since lie in the future, and tells nothing.
func (s *Studies) tooQuick(r *Study, since time.Time, a prefer.Answer) error {
	least := time.Duration(r.Settings.Checks.MinRT) * time.Millisecond
	took := s.cfg.Now().Sub(since)
	if since.IsZero() || took < 0 {
		took = least
	}
	if a.ResponseTime > 0 {
		took = min(took, a.ResponseTime)
	}
	if took >= least || a.Choice == prefer.Skip {
		return nil
	}
	return &Error{Code: TooQuick, Field: "rt_ms", Value: a.ResponseTime.Milliseconds(), Detail: fmt.Sprintf(
		"too quick: the answer took %d ms, and nobody can have looked in less than %d; it was not recorded", took.Milliseconds(), least.Milliseconds())}
}
