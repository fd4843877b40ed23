package server

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// maxBody is the size of the largest body, uploads and imports aside.
const maxBody = 1 << 20

// output is a reply with a body and nothing else to say.
type output[T any] struct{ Body T }

// studyInput is a request about a study that says no more.
type studyInput struct {
	Study string `path:"study"`
}

// operation fills in what all operations have in common, who may call it among them.
func operation(method, path, id, summary, role string, change ...func(*huma.Operation)) huma.Operation {
	op := huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, MaxBodyBytes: maxBody, Extensions: map[string]any{whoKey: role}}
	for _, c := range change {
		c(&op)
	}
	return op
}

// replyWith has an operation reply with another status than 200.
func replyWith(status int) func(*huma.Operation) {
	return func(op *huma.Operation) { op.DefaultStatus = status }
}

// with replies with what do finds in a study.
func with[T any](ctx context.Context, s *Server, study string, do func(*live.Study) (T, error)) (*output[T], error) {
	out := &output[T]{}
	err := s.studies.With(ctx, study, func(open *live.Study) (err error) {
		out.Body, err = do(open)
		return err
	})
	return out, s.explain(ctx, err, problem.Blame(err))
}

// look looks at one utility of a study for who may see its results: everybody's, or in a study per rater that of the rater
// who is named.
func look[T any](ctx context.Context, s *Server, in *lookInput, do func(open *live.Study, l prefer.Look) (T, error)) (*output[T], error) {
	rater, err := speaker(ctx, in.Rater)
	if err == nil {
		err = live.CheckRater(rater)
	}
	if err != nil {
		return nil, s.explain(ctx, err, "query")
	}
	return with(ctx, s, in.Study, func(open *live.Study) (out T, err error) {
		if err := open.MayLook(asker(ctx).Owner); err != nil {
			return out, err
		}
		if open.Config.People == prefer.PerRater && rater == "" {
			return out, problem.Field("query.rater", nil, "every rater of this study has a utility of her own: say whose with ?rater=, or see /group")
		}
		l := prefer.Look{Rater: rater}
		if l.Fixed, err = open.ReadFixed(in.Fixed); err != nil {
			return out, s.explain(ctx, err, "query.fixed")
		}
		out, err = do(open, l)
		if space.CodeOf(err) == "context" || space.CodeOf(err) == "option" {
			err = s.explain(ctx, err, "query.fixed")
		}
		return out, err
	})
}

// explain makes a problem of an error; location is the field to blame if the caller knows one.
func (s *Server) explain(ctx context.Context, err error, location string) error {
	return problem.Explain(ctx, s.log, err, location)
}
