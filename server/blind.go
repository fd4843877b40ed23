package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

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
