package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
)

type tellInput struct {
	Study string `path:"study"`
	Next  bool   `query:"next" doc:"Also return the next question."`
	Key   string `header:"Idempotency-Key" maxLength:"200" doc:"The same as the field key."`
	Body  tellBody
}

// tellBody answers a question, or reports a duel nobody asked for.
type tellBody struct {
	Question string        `json:"question_id,omitempty" maxLength:"200" doc:"The question that is answered."`
	Rater    string        `json:"rater,omitempty" maxLength:"200"`
	Choice   string        `json:"choice,omitempty" maxLength:"50" doc:"first, second, tie, both_bad or skip; first is the option shown first."`
	Strength int           `json:"strength,omitempty" minimum:"0" maximum:"9" doc:"How clear a preference is, as far as the study has grades."`
	RT       int           `json:"rt_ms,omitempty" minimum:"0" maximum:"86400000" doc:"How long the rater looked."`
	Session  string        `json:"session,omitempty" maxLength:"200"`
	Learn    *bool         `json:"learn,omitempty" doc:"false: keep the answer, and do not learn from it."`
	Key      string        `json:"key,omitempty" maxLength:"200" doc:"Telling the same key again changes nothing."`
	Winner   prefer.Option `json:"winner,omitempty" doc:"Of a duel nobody asked for."`
	Loser    prefer.Option `json:"loser,omitempty"`
	Tie      bool          `json:"tie,omitempty" doc:"Winner and loser are alike."`
	Best     any           `json:"best,omitempty" doc:"Not supported: questions are pairs."`
	Ranking  any           `json:"ranking,omitempty" doc:"Not supported: questions are pairs."`
}

type told struct {
	Answer string    `json:"answer_id"`
	Status Status    `json:"status"`
	Next   *Question `json:"next" doc:"The next question, if asked for; null when the study is done."`
}

type tellOutput struct{ Body told }

func (s *Server) registerTell() {
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/tell", "tell", "Answer a question, or report a duel", forRater), s.tell)
}

func (s *Server) tell(ctx context.Context, in *tellInput) (*tellOutput, error) {
	start := time.Now()
	b := &in.Body
	rater, err := s.speaker(ctx, b.Rater, "body.rater")
	if err != nil {
		return nil, err
	}
	b.Rater = rater
	if err := b.sense(in.Key); err != nil {
		return nil, err
	}
	out := &tellOutput{}
	var id prefer.AnswerID // not empty once it is kept: the next question may need another attempt, the answer not
	err = s.with(ctx, in.Study, func(r *running) error {
		if id == "" {
			var err error
			if b.Question != "" {
				id, rater, err = s.answer(ctx, r, b)
			} else {
				id, err = s.observe(ctx, r, b)
			}
			if err != nil {
				return err
			}
			timing(ctx).add("store", time.Since(start))
			s.metrics.tells.observe(time.Since(start))
		}
		out.Body = told{Answer: string(id), Status: r.status(rater)}
		s.bell.ring(r.name, r.end(), "answered")
		if in.Next && out.Body.Status.Verdict == string(prefer.KeepGoing) {
			asking := time.Now()
			q, err := s.question(ctx, r, askBody{Rater: rater})
			if err != nil {
				return err
			}
			s.metrics.asks.observe(time.Since(asking))
			out.Body.Next = &q
		}
		s.afterAnswer(r, rater)
		return nil
	})
	return out, s.explain(ctx, err, blame(err))
}

// sense reports fields that exclude each other, and folds the header into the key.
func (b *tellBody) sense(key string) error {
	duel := b.Winner != nil || b.Loser != nil
	switch {
	case b.Best != nil:
		return invalid("body.best", nil, "an answer to a pair has a choice: best is for questions with more options, which there are none of")
	case b.Ranking != nil:
		return invalid("body.ranking", nil, "an answer to a pair has a choice: ranking is for questions with more options, which there are none of")
	case duel && b.Question != "":
		return invalid("body.question_id", b.Question, "an answer has either a question_id with a choice, or a winner and a loser")
	case !duel && b.Question == "":
		return invalid("body.question_id", nil, "question_id is missing: an answer has a question_id with a choice, or a winner and a loser")
	case duel && (b.Winner == nil || b.Loser == nil):
		return invalid("body", nil, "a duel has both a winner and a loser; for two that are alike add \"tie\": true")
	case duel && b.Choice != "":
		return invalid("body.choice", b.Choice, "a duel has a winner and no choice")
	case !duel && b.Tie:
		return invalid("body.tie", true, "tie goes with winner and loser; to a question the answer is \"choice\": \"tie\"")
	case strings.ContainsFunc(b.Key+key, unicode.IsControl):
		return invalid("body.key", b.Key, "a key has no control characters")
	case key != "" && b.Key != "" && key != b.Key:
		return invalid("body.key", b.Key, fmt.Sprintf("key is %q, but the header Idempotency-Key says %q", b.Key, key))
	}
	if b.Key == "" {
		b.Key = key
	}
	return nil
}

func (b *tellBody) check() bool { return b.Learn != nil && !*b.Learn }

// observe records a duel nobody asked for.
func (s *Server) observe(ctx context.Context, r *running, b *tellBody) (prefer.AnswerID, error) {
	d := prefer.Duel{First: b.Winner, Second: b.Loser, Rater: b.Rater, Answer: prefer.Answer{Choice: prefer.First, Strength: b.Strength,
		Key: b.Key, ResponseTime: time.Duration(b.RT) * time.Millisecond, Session: b.Session, Check: b.check()}}
	if b.Tie {
		d.Answer.Choice = prefer.Tie
	}
	lasting, stop := lasting(ctx)
	defer stop()
	return r.study.Observe(lasting, d)
}

// answer tells the study what a rater said about a question, and returns who that is: she speaks of what she
// saw first, the log of the question's first option.
func (s *Server) answer(ctx context.Context, r *running, b *tellBody) (id prefer.AnswerID, rater string, err error) {
	var q *entry
	r.look(func(k *book) {
		if found := k.questions[prefer.QuestionID(b.Question)]; found != nil {
			clone := *found
			q = &clone
		}
	})
	if q == nil {
		return "", "", refuse(http.StatusNotFound, "no_question", fmt.Sprintf("there is no question %q in this study", b.Question))
	}
	if w := asker(ctx); !w.owner && base(q.question.Rater) != w.rater || b.Rater != "" && base(q.question.Rater) != b.Rater {
		return "", "", refuse(http.StatusForbidden, "other_rater", fmt.Sprintf("question %q was put to somebody else", b.Question))
	}
	a := prefer.Answer{Choice: prefer.Choice(b.Choice), Strength: b.Strength, Key: b.Key, Swapped: q.swapped,
		ResponseTime: time.Duration(b.RT) * time.Millisecond, Session: b.Session, Check: b.check() || q.question.Catch}
	if q.swapped {
		switch a.Choice {
		case prefer.First:
			a.Choice = prefer.Second
		case prefer.Second:
			a.Choice = prefer.First
		}
	}
	if err := s.tooQuick(r, q, b); err != nil {
		return "", "", err
	}
	lasting, stop := lasting(ctx)
	defer stop()
	id, err = r.study.Tell(lasting, q.question.ID, a)
	if errors.Is(err, prefer.ErrAnswer) && b.Choice != "" {
		switch prefer.Choice(b.Choice) {
		case prefer.First, prefer.Second, prefer.BothBad, prefer.Skip:
		default:
			return "", "", invalid("body.choice", b.Choice, fmt.Sprintf("choice is %q, want first, second, tie (if the study has ties), both_bad or skip", b.Choice))
		}
	}
	return id, q.question.Rater, err
}

// tooQuick refuses an answer that nobody can have thought about. A second telling of an answer that was kept
// is let through to its key.
func (s *Server) tooQuick(r *running, q *entry, b *tellBody) error {
	least := time.Duration(r.settings.Checks.MinRT) * time.Millisecond
	if least == 0 || q.answer != "" || prefer.Choice(b.Choice) == prefer.Skip {
		return nil
	}
	took := s.cfg.Now().Sub(q.time)
	if said := time.Duration(b.RT) * time.Millisecond; b.RT > 0 && said < took {
		took = said
	}
	if took >= least {
		return nil
	}
	p := refuse(http.StatusUnprocessableEntity, "too_quick", fmt.Sprintf("too quick: the answer took %d ms, and nobody can have looked in less than %d; it was not recorded", took.Milliseconds(), least.Milliseconds()))
	p.Errors = []*huma.ErrorDetail{{Location: "body.rt_ms", Message: "too quick", Value: b.RT}}
	return p
}
