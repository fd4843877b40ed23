package main

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

type undoCommand struct {
	studyFlags
	raterFlag
	Answer string `arg:"" optional:"" help:"The answer, as \"tell\" printed it. Defaults to the rater's latest."`
}

func (c undoCommand) Run(ctx context.Context, s streams) error {
	return c.withRoom(ctx, s, func(room *live.Studies, name string) error {
		var entry prefer.Entry
		err := room.With(ctx, name, func(r *live.Study) (err error) {
			entry, err = c.find(r.Study)
			return err
		})
		if err != nil {
			return err
		}
		if _, err := room.Undo(ctx, name, live.Undo{Answer: entry.ID, Rater: c.Rater, Owner: true}); err != nil {
			return err
		}
		return s.line(struct {
			Undone   prefer.AnswerID   `json:"undone"`
			Question prefer.QuestionID `json:"question,omitempty"`
		}{entry.ID, entry.Question}, entry.ID)
	})
}

// find returns the answer that is meant.
func (c undoCommand) find(study *prefer.Study) (prefer.Entry, error) {
	var found prefer.Entry
	for _, e := range study.History() {
		switch {
		case c.Answer != "" && string(e.ID) == c.Answer && !e.Undone:
			return e, nil
		case c.Answer == "" && e.Rater == c.Rater && !e.Undone:
			found = e
		}
	}
	switch {
	case c.Answer != "":
		return found, fmt.Errorf("answer %q: %w; \"prefer history %s\" lists them", c.Answer, prefer.ErrNoAnswer, c.words())
	case found.ID == "" && c.Rater == "":
		return found, fmt.Errorf("nobody without a name has an answer to undo: name the --rater, or the answer: %w", prefer.ErrNoAnswer)
	case found.ID == "":
		return found, fmt.Errorf("rater %q has no answer to undo: %w", c.Rater, prefer.ErrNoAnswer)
	}
	return found, nil
}
