package main

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer"
)

type undoCommand struct {
	studyFlags
	raterFlag
	Answer string `arg:"" optional:"" help:"The answer, as \"tell\" printed it. Defaults to the rater's latest."`
}

// Help is printed by --help.
func (undoCommand) Help() string {
	return `Examples:

  prefer undo coffee.db
  prefer undo coffee.db a7

The question is open again. Nothing is erased: "prefer history" shows what was undone.`
}

func (c undoCommand) Run(ctx context.Context, s streams) error {
	return c.update(ctx, func(study *prefer.Study) error {
		entry, err := c.find(study)
		if err != nil {
			return err
		}
		if err := study.Undo(ctx, entry.ID); err != nil {
			return err
		}
		if c.JSON {
			return writeJSON(s.out, struct {
				Undone   prefer.AnswerID   `json:"undone"`
				Question prefer.QuestionID `json:"question,omitempty"`
			}{entry.ID, entry.Question})
		}
		_, err = fmt.Fprintln(s.out, entry.ID)
		return err
	})
}

// find returns the answer that is meant.
func (c undoCommand) find(study *prefer.Study) (prefer.Entry, error) {
	var found prefer.Entry
	for _, e := range study.History() {
		switch {
		case c.Answer != "" && string(e.ID) == c.Answer:
			return e, nil // undone or not is for the study to say
		case c.Answer == "" && e.Rater == c.Rater && !e.Undone:
			found = e
		}
	}
	switch {
	case c.Answer != "":
		return found, fmt.Errorf("answer %q: %w; \"prefer history %s\" lists them", c.Answer, prefer.ErrNoAnswer, c.again())
	case found.ID == "" && c.Rater == "":
		return found, fmt.Errorf("nobody without a name has an answer to undo: name the --rater, or the answer: %w", prefer.ErrNoAnswer)
	case found.ID == "":
		return found, fmt.Errorf("rater %q has no answer to undo: %w", c.Rater, prefer.ErrNoAnswer)
	}
	return found, nil
}
