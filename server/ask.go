package server

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
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
