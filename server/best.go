package server

import (
	"context"
	"net/http"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"

	"github.com/danielgtaylor/huma/v2"
)

type lookInput struct {
	Study string `path:"study"`
	Rater string `query:"rater" maxLength:"200" doc:"Whose utility, in a study per rater."`
}

func registerBest(s *Server) {
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/best", "best", "The best option so far, and how sure that is", forResult), s.best)
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/verdict", "verdict", "Whether to go on", forResult), s.verdict)
}

// best returns the best option so far, and how sure that is. The owner may see it, and raters if their study shows
// results, else a 403.
func (s *Server) best(ctx context.Context, in *lookInput) (*output[prefer.Best], error) {
	return look(ctx, s, in, func(open *live.Study, rater string) (prefer.Best, error) { return open.Study.Best(ctx, rater) })
}

// verdict says whether to go on, as best does to whom.
func (s *Server) verdict(ctx context.Context, in *lookInput) (*output[prefer.Verdict], error) {
	return look(ctx, s, in, func(open *live.Study, rater string) (prefer.Verdict, error) { return open.Verdict(ctx, rater) })
}
