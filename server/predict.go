package server

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
)

type predictInput struct {
	Study string `path:"study"`
	Rater string `query:"rater" maxLength:"200" doc:"Whose utility, in a study per rater."`
	Body  struct {
		Options []prefer.Option   `json:"options,omitempty" maxItems:"1000" doc:"Options whose utilities are wanted."`
		Pairs   [][]prefer.Option `json:"pairs,omitempty" maxItems:"1000" doc:"Pairs for which the probability of the first is wanted."`
	}
}

type predicted struct {
	Utilities []prefer.Ranked `json:"utilities,omitempty" doc:"In the order of the options."`
	PFirst    []float64       `json:"p_first,omitempty" doc:"In the order of the pairs: how probably a rater who must choose takes the first."`
}

func (s *Server) registerPredict() {
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/predict", "predict", "Utilities of options, or who would win", forResult),
		func(ctx context.Context, in *predictInput) (*output[predicted], error) {
			if (len(in.Body.Options) == 0) == (len(in.Body.Pairs) == 0) {
				return nil, invalid("body", nil, "want either options or pairs")
			}
			return seen(ctx, s, &lookInput{in.Study, in.Rater}, func(r *running, rater string) (predicted, error) {
				var out predicted
				b, err := r.study.Belief(ctx, rater)
				if err != nil {
					return out, err
				}
				for i, o := range in.Body.Options {
					mean, sd, err := b.Utility(o)
					if err != nil {
						return out, s.explain(ctx, err, fmt.Sprintf("body.options[%d]", i))
					}
					out.Utilities = append(out.Utilities, prefer.Ranked{Option: o, Mean: mean, SD: sd})
				}
				for i, pair := range in.Body.Pairs {
					if len(pair) != 2 {
						return out, invalid(fmt.Sprintf("body.pairs[%d]", i), len(pair), fmt.Sprintf("a pair has two options, not %d", len(pair)))
					}
					p, err := b.Prefers(pair[0], pair[1])
					if err != nil {
						return out, s.explain(ctx, err, fmt.Sprintf("body.pairs[%d]", i))
					}
					out.PFirst = append(out.PFirst, p)
				}
				return out, nil
			})
		})
}
