package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
)

type lookInput struct {
	Study string `path:"study"`
	Rater string `query:"rater" maxLength:"200" doc:"Whose utility, in a study per rater."`
}

type output[T any] struct{ Body T }

func (s *Server) registerLook() {
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/best", "best", "The best option so far, and how sure that is", forResult),
		func(ctx context.Context, in *lookInput) (*output[prefer.Best], error) {
			return seen(ctx, s, in, func(r *running, rater string) (prefer.Best, error) { return r.study.Best(ctx, rater) })
		})
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/verdict", "verdict", "Whether to go on", forResult),
		func(ctx context.Context, in *lookInput) (*output[prefer.Verdict], error) {
			return seen(ctx, s, in, func(r *running, rater string) (prefer.Verdict, error) { return s.verdict(ctx, r, rater) })
		})
}

// seen looks at one utility of a study: everybody's, or in a study per rater that of the rater who is named.
func seen[T any](ctx context.Context, s *Server, in *lookInput, look func(r *running, rater string) (T, error)) (*output[T], error) {
	out := &output[T]{}
	rater, err := s.speaker(ctx, in.Rater, "query.rater")
	if err != nil {
		return nil, err
	}
	err = s.with(ctx, in.Study, func(r *running) error {
		if err := s.results(ctx, r); err != nil {
			return err
		}
		if r.cfg.People == prefer.PerRater && rater == "" {
			return invalid("query.rater", nil, "every rater of this study has a utility of her own: say whose with ?rater=, or see /group")
		}
		out.Body, err = look(r, r.utilityOf(rater))
		return err
	})
	return out, s.explain(ctx, err, blame(err))
}

// results refuses a rater what only a study that shows results lets her see.
func (s *Server) results(ctx context.Context, r *running) error {
	if !asker(ctx).owner && !r.settings.ShowResult {
		return refuse(http.StatusForbidden, "no_results", "this study does not show its results to raters")
	}
	return nil
}
