package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

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
	register(s, operation(http.MethodPost, "/v1/studies/{study}/ask", "ask", "The question a rater should answer next", gate.Rater), s.ask)
	register(s, operation(http.MethodPost, "/v1/studies/{study}/tell", "tell", "Answer a question, or add a comparison", gate.Rater), s.tell)
	register(s, operation(http.MethodDelete, "/v1/studies/{study}/answers/{answer}", "undo-answer", "Undo an answer", gate.Rater), func(ctx context.Context, in *undoAnswerInput) (live.Undone, error) {
		return s.takeBack(ctx, in.Study, live.Undo{Answer: prefer.AnswerID(in.Answer), Rater: gate.CallerOf(ctx).Rater})
	})
	register(s, operation(http.MethodPost, "/v1/studies/{study}/undo", "undo", "Undo a rater's latest answer", gate.Rater), func(ctx context.Context, in *studyBody[*undoInputBody]) (live.Undone, error) {
		rater, err := gate.RaterOf(ctx, given(in.Body).Rater)
		if err != nil {
			return live.Undone{}, err
		}
		return s.takeBack(ctx, in.Study, live.Undo{Rater: rater})
	})
	register(s, operation(http.MethodGet, "/v1/studies/{study}/check", "check", "How the pick did in blind duels", gate.Result), func(ctx context.Context, in *gate.Look) (prefer.BlindCheck, error) {
		return look(ctx, s, *in, func(open *live.Study, l prefer.Look) (prefer.BlindCheck, error) { return open.Study.Blind(ctx, l) })
	})
	register(s, operation(http.MethodPost, "/v1/studies/{study}/take", "take", "Whether a rater would take the pick", gate.Result), func(ctx context.Context, in *studyBody[takeInputBody]) (prefer.Taken, error) {
		rater, err := gate.RaterOf(ctx, in.Body.Rater)
		if err != nil {
			return prefer.Taken{}, err
		}
		return s.studies.Take(ctx, in.Study, live.Take{Rater: rater, Owner: gate.CallerOf(ctx).Owner, Option: in.Body.Option, Take: in.Body.Take})
	})
}

// ask returns the question a rater should answer next. A paused study, and a blind duel without a pick or rival, are a 409; foreign options a 422.
func (s *Server) ask(ctx context.Context, in *studyBody[*live.AskBody]) (out asked, err error) {
	b := given(in.Body)
	rater, err := gate.RaterOf(ctx, b.Rater)
	if err != nil {
		return out, err
	}
	a, err := b.Read(rater, gate.CallerOf(ctx).Owner)
	switch {
	case err != nil:
	case b.Count > 1: // a client that leaves finds those that were asked by then
		out.Questions, err = s.studies.AskSeveral(ctx, in.Study, a, b.Count)
	default:
		out.Question = new(live.Question)
		*out.Question, err = s.studies.Ask(context.WithoutCancel(ctx), in.Study, a) // a client that leaves, and comes back, finds its question
	}
	return out, err
}

type tellInput struct {
	Study string `path:"study"`
	Next  bool   `query:"next" doc:"Also return the next question."`
	Key   string `header:"Idempotency-Key" maxLength:"200" doc:"The same as the field key."`
	Body  live.TellBody
}

type undoAnswerInput struct {
	Study  string `path:"study"`
	Answer string `path:"answer"`
}

type undoInputBody struct {
	Rater string `json:"rater,omitempty" maxLength:"200"`
}

// tell keeps an answer or a duel, and with ?next=true returns the next question. An unknown question is a 404, an answered one a 409, a bad answer a 422.
func (s *Server) tell(ctx context.Context, in *tellInput) (out live.Told, err error) {
	rater, err := gate.RaterOf(ctx, in.Body.Rater)
	if err != nil {
		return out, err
	}
	switch key := in.Body.Key; {
	case !utf8.ValidString(in.Key):
		return out, problem.Field("header.Idempotency-Key", nil, "the key must be valid UTF-8")
	case in.Key != "" && key != "" && in.Key != key:
		return out, problem.Field("body.key", key, fmt.Sprintf("key is %q, but the header Idempotency-Key says %q", key, in.Key))
	}
	in.Body.Key = cmp.Or(in.Body.Key, in.Key)
	t, err := in.Body.Read(rater, gate.CallerOf(ctx).Owner, in.Next)
	if err != nil {
		return out, err
	}
	return s.studies.Tell(context.WithoutCancel(ctx), in.Study, t) // what was begun is finished, the next question as well
}

func (s *Server) takeBack(ctx context.Context, study string, u live.Undo) (live.Undone, error) {
	u.Owner = gate.CallerOf(ctx).Owner
	return s.studies.Undo(ctx, study, u)
}

type takeInputBody struct {
	Take   bool         `json:"take" doc:"Whether the rater would take it."`
	Rater  string       `json:"rater,omitempty" maxLength:"200" doc:"The rater."`
	Option space.Option `json:"option,omitempty" doc:"The option; without it, the study's pick."`
}
