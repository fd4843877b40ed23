package server

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
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

type undone struct {
	Answer   string `json:"answer_id" doc:"The answer that was taken back."`
	Question string `json:"question_id,omitempty" doc:"Its question, which is open again."`
	Status   Status `json:"status"`
}

type undoOutput struct{ Body undone }

func (s *Server) registerUndo() {
	huma.Register(s.api, operation(http.MethodDelete, "/v1/studies/{study}/answers/{answer}", "undo-answer", "Take an answer back", forRater),
		func(ctx context.Context, in *undoAnswerInput) (*undoOutput, error) {
			return s.undo(ctx, in.Study, func(b *book) (*entry, error) {
				e := b.answers[prefer.AnswerID(in.Answer)]
				if e == nil {
					return nil, refuse(http.StatusNotFound, "no_answer", fmt.Sprintf("there is no answer %q, or it was taken back already", in.Answer))
				}
				return e, nil
			})
		})
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/undo", "undo", "Take a rater's latest answer back", forRater),
		func(ctx context.Context, in *undoInput) (*undoOutput, error) {
			rater := ""
			if in.Body != nil {
				rater = in.Body.Rater
			}
			rater, err := s.speaker(ctx, rater, "body.rater")
			if err != nil {
				return nil, err
			}
			return s.undo(ctx, in.Study, func(b *book) (*entry, error) {
				said := b.said[rater]
				if len(said) == 0 {
					return nil, refuse(http.StatusNotFound, "no_answer", fmt.Sprintf("rater %q has no answer to take back", rater))
				}
				return said[len(said)-1], nil
			})
		})
}

// undo takes back the answer that find returns.
func (s *Server) undo(ctx context.Context, study string, find func(*book) (*entry, error)) (*undoOutput, error) {
	out := &undoOutput{}
	err := s.with(ctx, study, func(r *running) error {
		var answer prefer.AnswerID
		var q prefer.Question
		var err error
		r.look(func(b *book) {
			var e *entry
			if e, err = find(b); err == nil {
				answer, q = e.answer, e.question
			}
		})
		if err != nil {
			return err
		}
		if w := asker(ctx); !w.owner && base(q.Rater) != w.rater {
			return refuse(http.StatusForbidden, "other_rater", "a rater takes back her own answers only")
		}
		if err := r.study.Undo(context.WithoutCancel(ctx), answer); err != nil {
			return err
		}
		s.bell.ring(r.name, r.end(), "undone")
		out.Body = undone{Answer: string(answer), Question: string(q.ID), Status: r.status(q.Rater)}
		s.afterAnswer(r, q.Rater)
		return nil
	})
	return out, s.explain(ctx, err, "")
}
