package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

type askInput struct {
	Study string   `path:"study"`
	Body  *askBody `required:"false"`
}

// askBody is an ask with its conditions.
type askBody struct {
	Rater    string       `json:"rater,omitempty" maxLength:"200" doc:"Who will answer."`
	Fixed    space.Option `json:"fixed,omitempty" doc:"Values that both options must have: one of every context of the study, and, from the owner, of other parameters as wanted."`
	Hold     space.Option `json:"hold,omitempty" doc:"One of the two options. Only the owner may say so."`
	HoldBest bool         `json:"hold_best,omitempty" doc:"One of the two options is the best so far. Only the owner may say so."`
	Blind    bool         `json:"blind,omitempty" doc:"A blind duel of the study's pick against a rival, which is not learned from."`
	Count    int          `json:"count,omitempty" minimum:"0" maximum:"32" doc:"How many questions to hold open at once. More than one only the owner may."`
	Budget   int          `json:"budget_ms,omitempty" minimum:"0" maximum:"60000" doc:"How long the search may take. Only the owner may say so."`
	Repeats  float64      `json:"repeats,omitempty" minimum:"0" maximum:"0.5" doc:"Share of this rater's questions that put an earlier one again, in place of the study's repeat_rate: for judges. Only the owner may say so."`
	K        int          `json:"k,omitempty" doc:"Options of a question: 2."`
}

// asked is the reply: one question, or several.
type asked struct {
	*live.Question
	Questions []live.Question `json:"questions,omitempty"`
}

// Schema is that of a question; several are {"questions": […]}.
func (asked) Schema(r huma.Registry) *huma.Schema {
	one := r.Schema(reflect.TypeFor[live.Question](), true, "Question")
	many := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"questions": {Type: huma.TypeArray, Items: one}},
		Required: []string{"questions"}, AdditionalProperties: false}
	return &huma.Schema{OneOf: []*huma.Schema{one, many}}
}

func registerAsk(s *Server) {
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/ask", "ask", "The question a rater should answer next", forRater), s.ask)
}

// ask returns the question a rater should answer next, the same one as long as it is open. The owner may ask for anybody,
// a rater for herself. A paused study is a 409 to her, as is a blind duel where there is no
// pick or no further rival; options that are none of the study are a 422.
func (s *Server) ask(ctx context.Context, in *askInput) (*output[asked], error) {
	var b askBody
	if in.Body != nil {
		b = *in.Body
	}
	rater, err := speaker(ctx, b.Rater)
	if err != nil {
		return nil, err
	}
	if b.K != 0 && b.K != 2 {
		return nil, problem.Field("body.k", b.K, fmt.Sprintf("k = %d, but questions are pairs: leave it out, or say 2", b.K))
	}
	a := live.Ask{Rater: rater, Owner: asker(ctx).Owner, Fixed: b.Fixed, Hold: b.Hold, HoldBest: b.HoldBest, Blind: b.Blind, Within: time.Duration(b.Budget) * time.Millisecond, Repeats: b.Repeats}
	out := &output[asked]{}
	if b.Count > 1 { // who leaves finds those that were asked by then
		out.Body.Questions, err = s.studies.AskSeveral(ctx, in.Study, a, b.Count)
	} else {
		out.Body.Question = new(live.Question)
		*out.Body.Question, err = s.studies.Ask(context.WithoutCancel(ctx), in.Study, a) // who leaves, and comes back, finds her question
	}
	if err != nil {
		return nil, s.explain(ctx, err, problem.Blame(err))
	}
	return out, nil
}

type tellInput struct {
	Study string `path:"study"`
	Next  bool   `query:"next" doc:"Also return the next question."`
	Key   string `header:"Idempotency-Key" maxLength:"200" doc:"The same as the field key."`
	Body  tellBody
}

// tellBody answers a question, or reports a duel nobody asked for.
type tellBody struct {
	Question string       `json:"question_id,omitempty" maxLength:"200" doc:"The question that is answered."`
	Rater    string       `json:"rater,omitempty" maxLength:"200"`
	Choice   string       `json:"choice,omitempty" maxLength:"50" doc:"first, second, tie, both_bad or skip; first is the option shown first."`
	Strength int          `json:"strength,omitempty" minimum:"0" maximum:"9" doc:"How clear a preference is, as far as the study has grades."`
	RT       int          `json:"rt_ms,omitempty" minimum:"0" maximum:"86400000" doc:"How long the rater looked."`
	Session  string       `json:"session,omitempty" maxLength:"200"`
	Learn    *bool        `json:"learn,omitempty" doc:"false: keep the answer, and do not learn from it. Only the owner may say so."`
	Note     string       `json:"note,omitempty" maxLength:"10000" doc:"What goes with the answer, in words: a reason. Kept and shown, never learned from."`
	Meta     prefer.Meta  `json:"meta,omitempty" maxProperties:"32" doc:"What goes with it by name, numbers, words, true or false: model, tokens. Names have at most 64 characters, words 4000."`
	Key      string       `json:"key,omitempty" maxLength:"200" doc:"The same answer again under its key changes nothing, whatever its note; another one is refused. Every rater has keys of her own."`
	Winner   space.Option `json:"winner,omitempty" doc:"Of a duel nobody asked for. A rater's only where the study takes own_duels."`
	Loser    space.Option `json:"loser,omitempty"`
	Tie      bool         `json:"tie,omitempty" doc:"Winner and loser are alike."`
	Best     any          `json:"best,omitempty" doc:"Not supported: questions are pairs."`
	Ranking  any          `json:"ranking,omitempty" doc:"Not supported: questions are pairs."`
}

type undoAnswerInput struct {
	Study  string `path:"study"`
	Answer string `path:"answer"`
}

type undoInput struct {
	Study string `path:"study"`
	Body  *struct {
		Rater string `json:"rater,omitempty" maxLength:"200"`
	} `required:"false"`
}

func registerTell(s *Server) {
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/tell", "tell", "Answer a question, or report a duel", forRater), s.tell)
	huma.Register(s.api, operation(http.MethodDelete, "/v1/studies/{study}/answers/{answer}", "undo-answer", "Take an answer back", forRater), s.undoAnswer)
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/undo", "undo", "Take a rater's latest answer back", forRater), s.undo)
}

// tell keeps an answer, or a duel nobody asked for, and with ?next=true returns the next question. The owner may answer
// for anybody, a rater what she was asked. A question that is not there is a 404, one that was answered already a 409,
// an answer the study does not offer, or one that was too quick, a 422.
func (s *Server) tell(ctx context.Context, in *tellInput) (*output[live.Told], error) {
	rater, err := speaker(ctx, in.Body.Rater)
	if err != nil {
		return nil, err
	}
	if err := in.Body.validate(in.Key); err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx) // what was begun is finished, the next question as well
	out := &output[live.Told]{}
	out.Body, err = s.studies.Tell(ctx, in.Study, in.Body.read(in, rater, asker(ctx).Owner))
	return out, s.explain(ctx, err, problem.Blame(err))
}

// validate reports fields that exclude each other.
func (b *tellBody) validate(key string) error {
	duel := b.Winner != nil || b.Loser != nil
	switch {
	case b.Best != nil:
		return problem.Field("body.best", nil, "an answer to a pair has a choice: best is for questions with more options, which there are none of")
	case b.Ranking != nil:
		return problem.Field("body.ranking", nil, "an answer to a pair has a choice: ranking is for questions with more options, which there are none of")
	case duel && b.Question != "":
		return problem.Field("body.question_id", b.Question, "an answer has either a question_id with a choice, or a winner and a loser")
	case !duel && b.Question == "":
		return problem.Field("body.question_id", nil, "question_id is missing: an answer has a question_id with a choice, or a winner and a loser")
	case duel && (b.Winner == nil || b.Loser == nil):
		return problem.Field("body", nil, "a duel has both a winner and a loser; for two that are alike add \"tie\": true")
	case duel && b.Choice != "":
		return problem.Field("body.choice", b.Choice, "a duel has a winner and no choice")
	case !duel && b.Tie:
		return problem.Field("body.tie", true, "tie goes with winner and loser; to a question the answer is \"choice\": \"tie\"")
	case !utf8.ValidString(key):
		return problem.Field("header.Idempotency-Key", nil, "a key is valid UTF-8")
	case strings.ContainsFunc(b.Key+key, unicode.IsControl):
		return problem.Field("body.key", b.Key, "a key has no control characters")
	case key != "" && b.Key != "" && key != b.Key:
		return problem.Field("body.key", b.Key, fmt.Sprintf("key is %q, but the header Idempotency-Key says %q", b.Key, key))
	}
	return nil
}

// read makes an answer of a body that is valid.
func (b *tellBody) read(in *tellInput, rater string, owner bool) live.Tell {
	t := live.Tell{Question: prefer.QuestionID(b.Question), Rater: rater, Owner: owner, Next: in.Next, Answer: prefer.Answer{
		Choice: prefer.Choice(b.Choice), Strength: b.Strength, Key: cmp.Or(b.Key, in.Key),
		ResponseTime: time.Duration(b.RT) * time.Millisecond, Session: b.Session, Note: b.Note, Meta: b.Meta, Check: b.Learn != nil && !*b.Learn}}
	if b.Winner != nil {
		t.Answer.Choice = prefer.First
		if b.Tie {
			t.Answer.Choice = prefer.Tie
		}
		t.Duel = &prefer.Duel{First: b.Winner, Second: b.Loser, Answer: t.Answer}
	}
	return t
}

// undoAnswer takes an answer back; its question is open again. The owner may any, a rater her own; one that is not there
// is a 404.
func (s *Server) undoAnswer(ctx context.Context, in *undoAnswerInput) (*output[live.Undone], error) {
	return s.takeBack(ctx, in.Study, live.Undo{Answer: prefer.AnswerID(in.Answer), Rater: asker(ctx).Rater})
}

// undo takes the latest answer of a rater back, as undoAnswer does.
func (s *Server) undo(ctx context.Context, in *undoInput) (*output[live.Undone], error) {
	rater := ""
	if in.Body != nil {
		rater = in.Body.Rater
	}
	rater, err := speaker(ctx, rater)
	if err != nil {
		return nil, err
	}
	return s.takeBack(ctx, in.Study, live.Undo{Rater: rater})
}

func (s *Server) takeBack(ctx context.Context, study string, u live.Undo) (*output[live.Undone], error) {
	u.Owner = asker(ctx).Owner
	out, err := s.studies.Undo(ctx, study, u)
	return &output[live.Undone]{out}, s.explain(ctx, err, "")
}

type takeInput struct {
	Study string `path:"study"`
	Body  struct {
		Take   bool         `json:"take" doc:"Whether she would take it."`
		Rater  string       `json:"rater,omitempty" maxLength:"200" doc:"Who says so."`
		Option space.Option `json:"option,omitempty" doc:"What she was shown; without it the study's pick."`
	}
}

func registerBlind(s *Server) {
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/check", "check", "How the pick did in blind duels", forResult), s.check)
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/take", "take", "Whether a rater would take the pick", forResult), s.take)
}

// check returns how the pick did in blind duels, to the owner, and to raters if their study shows results, else a 403. A
// study in which nobody has preferred anything is a 409.
func (s *Server) check(ctx context.Context, in *lookInput) (*output[prefer.BlindCheck], error) {
	return look(ctx, s, in, func(open *live.Study, l prefer.Look) (prefer.BlindCheck, error) { return open.Study.Blind(ctx, l) })
}

// take keeps whether a rater would take the pick, or another option, as check does for whom. The owner may say it for
// anybody; what is no option of the study is a 422.
func (s *Server) take(ctx context.Context, in *takeInput) (*output[prefer.Taken], error) {
	rater, err := speaker(ctx, in.Body.Rater)
	if err != nil {
		return nil, err
	}
	t := live.Take{Rater: rater, Owner: asker(ctx).Owner, Option: in.Body.Option, Take: in.Body.Take}
	out, err := s.studies.Take(ctx, in.Study, t)
	return &output[prefer.Taken]{out}, s.explain(ctx, err, problem.Blame(err))
}
