package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live/internal/work"
	"github.com/prefer-bo/prefer/space"
)

// Tell answers a question, or reports a duel nobody asked for.
type Tell struct {
	// Question is what is answered.
	Question prefer.QuestionID

	// Rater is who answers; empty: the rater of the question. The owner may answer while the study is paused, and report duels in any study.
	Rater string
	Owner bool

	// Answer is the answer, where First is the option that was shown first.
	Answer prefer.Answer

	// Duel, if not nil, is reported in place of an answer to a question.
	Duel *prefer.Duel

	// Next asks for the next question, unless the study is done.
	Next bool
}

// TellBody is an answer to a question, or a duel nobody asked for, as the REST API and the page of a packed file send it.
type TellBody struct {
	Question string       `json:"question_id,omitempty" maxLength:"200" doc:"The question that is answered."`
	Rater    string       `json:"rater,omitempty" maxLength:"200"`
	Choice   string       `json:"choice,omitempty" maxLength:"50" doc:"first, second, tie, both_bad or skip; first is the option shown first."`
	Strength int          `json:"strength,omitempty" minimum:"0" maximum:"9" doc:"How clear a preference is, as far as the study has grades."`
	RT       int          `json:"rt_ms,omitempty" minimum:"0" maximum:"86400000" doc:"Response time."`
	Session  string       `json:"session,omitempty" maxLength:"200"`
	Learn    *bool        `json:"learn,omitempty" doc:"false: record the answer without learning from it. Owner only."`
	Note     string       `json:"note,omitempty" maxLength:"10000" doc:"A reason in words. Kept and shown; the model ignores it."`
	Meta     prefer.Meta  `json:"meta,omitempty" maxProperties:"32" doc:"Metadata by name, for example model or tokens: numbers, words, true or false. Names have at most 64 characters, words 4000."`
	Key      string       `json:"key,omitempty" maxLength:"200" doc:"Idempotency key: resending the same answer has no effect, and another answer is refused. Each rater has their own keys."`
	Winner   space.Option `json:"winner,omitempty" doc:"For a comparison that was not asked. Raters need own_duels."`
	Loser    space.Option `json:"loser,omitempty"`
	Tie      bool         `json:"tie,omitempty" doc:"Winner and loser are tied."`
	Best     any          `json:"best,omitempty" doc:"Not supported: questions are pairs."`
	Ranking  any          `json:"ranking,omitempty" doc:"Not supported: questions are pairs."`
}

// Read returns what a rater tells, or the owner for one; fields that exclude each other are an Error.
func (b TellBody) Read(rater string, owner, next bool) (t Tell, err error) {
	duel := b.Winner != nil || b.Loser != nil
	switch {
	case b.Best != nil:
		return t, invalid("best", nil, "best is not supported: answer a pair with choice")
	case b.Ranking != nil:
		return t, invalid("ranking", nil, "ranking is not supported: answer a pair with choice")
	case duel && b.Question != "":
		return t, invalid("question_id", b.Question, "an answer has either a question_id with a choice, or a winner and a loser")
	case !duel && b.Question == "":
		return t, invalid("question_id", nil, "question_id is missing: an answer has a question_id with a choice, or a winner and a loser")
	case duel && (b.Winner == nil || b.Loser == nil):
		return t, invalid("", nil, "a duel has both a winner and a loser; for two that are alike add \"tie\": true")
	case duel && b.Choice != "":
		return t, invalid("choice", b.Choice, "a duel has a winner and no choice")
	case !duel && b.Tie:
		return t, invalid("tie", true, "tie goes with winner and loser; to a question the answer is \"choice\": \"tie\"")
	case strings.ContainsFunc(b.Key, unicode.IsControl):
		return t, invalid("key", b.Key, "a key has no control characters")
	}
	t = Tell{Question: prefer.QuestionID(b.Question), Rater: rater, Owner: owner, Next: next, Answer: prefer.Answer{
		Choice: prefer.Choice(b.Choice), Strength: b.Strength, Key: b.Key, ResponseTime: time.Duration(b.RT) * time.Millisecond, Session: b.Session,
		Note: b.Note, Meta: b.Meta, Check: b.Learn != nil && !*b.Learn}}
	if duel {
		t.Answer.Choice = prefer.First
		if b.Tie {
			t.Answer.Choice = prefer.Tie
		}
		t.Duel = &prefer.Duel{First: b.Winner, Second: b.Loser, Answer: t.Answer}
	}
	return t, nil
}

// Told is the reply to an answer.
type Told struct {
	Answer string    `json:"answer_id"`
	Status Status    `json:"status"`
	Next   *Question `json:"next" doc:"The next question, if asked for; null when the study and the blind duels at its end are done."`
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
				id, err = r.observe(ctx, t)
			} else {
				id, rater, err = r.answer(ctx, t)
			}
			if err != nil {
				return err
			}
			work.Timing(ctx).Since("store", start)
			s.Counters.Tells.Since(start)
		}
		a := Ask{Rater: rater, Owner: t.Owner}
		var status Status
		var m moment
		var then followUp
		if stop := r.ahead.Load(); stop != nil { // its question was answered
			(*stop)()
		}
		r.look(func(x *index) {
			a.Fixed = x.context(rater)
			status, then = r.status(x, rater, a.Fixed), r.followUp(x, rater)
			if t.Next {
				m = r.moment(x, a)
			}
		})
		out = Told{Answer: string(id), Status: status.visibleTo(r, t.Owner)}
		r.notify("answered")
		if t.Next {
			asking := time.Now()
			q, ok, err := r.next(ctx, a, status, m)
			if refusal, is := errors.AsType[*Error](err); is && refusal.Code == Paused { // the answer is kept all the same
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
		r.follow(then)
		return nil
	})
	return out, err
}

// next asks the question that follows an answer; ok is false at the end, after the blind duels that may belong to it.
func (r *Study) next(ctx context.Context, a Ask, at Status, m moment) (q Question, ok bool, err error) {
	if at.Verdict == string(prefer.KeepGoing) {
		q, err = r.question(ctx, a, &m)
		return q, true, err
	}
	w := r.begin(ctx, a)
	defer w.end()
	w.at = m
	return w.blind()
}

// answer keeps what a rater said about a question and returns the rater, whose First is the option shown first, as the log's is the first of the question.
func (r *Study) answer(ctx context.Context, t Tell) (id prefer.AnswerID, rater string, err error) {
	q, ok := r.Study.Question(t.Question)
	if !ok {
		return "", "", refuse(NoQuestion, "there is no question %q in this study", t.Question)
	}
	if t.Rater != "" && PersonOf(q.Rater) != t.Rater {
		return "", "", refuse(OtherRater, "question %q belongs to another rater", t.Question)
	}
	as, answered := r.placed(q.ID)
	if !answered { // a second telling is let through to its key
		if err := r.mayChange(t.Owner); err != nil {
			return "", "", err
		}
		if err := r.tooQuick(as.time, t.Answer); err != nil {
			r.mu.Lock()
			r.refused[q.ID]++ // for the answer that is recorded in the end
			r.mu.Unlock()
			return "", "", err
		}
	}
	a := t.Answer
	a.Swapped, a.RandomSides, a.Check = as.swapped, true, a.Check || q.Catch
	r.mu.Lock()
	a.Refused = r.refused[q.ID]
	r.mu.Unlock()
	if as.swapped {
		a.Choice = opposite(a.Choice)
	}
	detachedCtx, stop := detached(ctx)
	defer stop()
	if id, err = r.Study.Tell(detachedCtx, q.ID, a); err == nil {
		r.posed.Delete(q.ID)
	}
	known := func(k prefer.ChoiceInfo) bool { return k.Choice == a.Choice && !k.Tied }
	if errcode.Of(err) == "answer" && a.Choice != "" && !slices.ContainsFunc(prefer.Choices(), known) {
		return "", "", invalid("choice", a.Choice, "choice is %q, want %s", a.Choice, offered())
	}
	return id, q.Rater, err
}

// placed returns how a question is shown, and whether it is answered. Of a question that this process has just asked it knows without the index.
func (r *Study) placed(id prefer.QuestionID) (as shownQuestion, answered bool) {
	if posed, ok := r.posed.Load(id); ok {
		return posed.(shownQuestion), false
	}
	r.look(func(x *index) { as, answered = x.questions[id], x.answered[id] })
	return as, answered
}

func offered() string {
	names := xslices.Map(prefer.Choices(), func(k prefer.ChoiceInfo) string {
		return string(k.Choice) + map[bool]string{true: " (if the study has ties)"}[k.Tied]
	})
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// opposite returns a choice as it is with the sides exchanged.
func opposite(c prefer.Choice) prefer.Choice {
	return cmp.Or(map[prefer.Choice]prefer.Choice{prefer.First: prefer.Second, prefer.Second: prefer.First}[c], c)
}

// tooQuick refuses an answer faster than Checks.MinRT, by its own response time or the time since its question; a clock that was set back says nothing.
func (r *Study) tooQuick(since time.Time, a prefer.Answer) error {
	elapsed := r.studies.cfg.Now().Sub(since)
	took, refused := r.Settings.Checks.TooQuick(a, elapsed, !since.IsZero() && elapsed >= 0)
	if !refused {
		return nil
	}
	return &Error{Code: TooQuick, Field: "rt_ms", Value: a.ResponseTime.Milliseconds(), Detail: fmt.Sprintf(
		"too quick: the answer took %d ms, and nobody can have looked in less than %d; it was not recorded", took.Milliseconds(), r.Settings.Checks.MinRT)}
}

func (r *Study) observe(ctx context.Context, t Tell) (prefer.AnswerID, error) {
	d := *t.Duel
	d.Rater = t.Rater
	if !t.Owner {
		if err := r.mayObserve(d); err != nil {
			return "", err
		}
	}
	detachedCtx, stop := detached(ctx)
	defer stop()
	ids, err := r.Study.Observe(detachedCtx, d)
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// mayObserve refuses a rater's own duel where an answer would be refused, or the study takes none. It counts towards the budget; where there are checks or
// practice, at most every other thing a rater says is such a duel, so that checks keep their rates. A repeated key goes through.
func (r *Study) mayObserve(d prefer.Duel) error {
	var previous time.Time
	var again bool
	var own, asked, given int
	r.look(func(x *index) {
		previous = x.last[d.Rater]
		for _, e := range x.said[d.Rater] {
			previous = e.Time
			again = again || e.Answer.Key != "" && e.Answer.Key == d.Answer.Key
			if e.Observed {
				own++
			} else if e.Answer.Choice != prefer.Skip {
				asked++
			}
		}
		given = x.taught[answerKey{PersonOf(d.Rater), r.Config.Space.Context(d.First).String()}].answers
	})
	checks, paused := r.Settings.Checks, r.mayChange(false)
	switch {
	case again:
		return nil
	case !r.Settings.OwnDuels:
		return refuse(NoDuels, "raters of this study cannot add comparisons of their own")
	case paused != nil:
		return paused
	case r.Budget() > 0 && given >= r.Budget():
		return refuse(Ended, "all %d answers are given: the study takes no more", r.Budget())
	case own >= asked && (checks.RepeatRate > 0 || len(checks.Catch) > 0 || r.Settings.Phases.Practice > 0):
		return refuse(AskFirst, "answer a question first: you may add only as many comparisons as you have answered")
	}
	return r.tooQuick(previous, d.Answer)
}
