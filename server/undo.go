package server

import (
	"context"
	"net/http"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"

	"github.com/danielgtaylor/huma/v2"
)

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

func registerUndo(s *Server) {
	huma.Register(s.api, operation(http.MethodDelete, "/v1/studies/{study}/answers/{answer}", "undo-answer", "Take an answer back", forRater), s.undoAnswer)
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/undo", "undo", "Take a rater's latest answer back", forRater), s.undo)
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
