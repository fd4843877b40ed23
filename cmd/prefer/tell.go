package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prefer-bo/prefer"
)

type tellCommand struct {
	studyFlags
	raterFlag
	Words []string `arg:"" optional:"" name:"choice" help:"first, second, tie, both_bad or skip (1, 2, =, x, s for short); before it the question, if it is not the rater's open one." completion:"first second tie both_bad skip"`

	Strength int           `help:"How clear it is: 0 plain, up to the study's grades." placeholder:"N"`
	Key      string        `help:"Makes telling safe to repeat: a second answer with the same key is the first one over again." placeholder:"TEXT"`
	Response time.Duration `help:"How long the rater looked, as in 1.2s." placeholder:"TIME"`
	Session  string        `help:"Sitting the answer belongs to." placeholder:"NAME"`
	Check    bool          `help:"Keep the answer, but do not learn from it."`

	Winner []string `help:"For a duel nobody asked: what won. name=value for every parameter, or the id of an item." sep:"none" placeholder:"NAME=VALUE" group:"A duel from elsewhere:"`
	Loser  []string `help:"For a duel nobody asked: what lost." sep:"none" placeholder:"NAME=VALUE" group:"A duel from elsewhere:"`
	Tie    bool     `help:"The duel nobody asked was a tie." group:"A duel from elsewhere:"`
}

// Help is printed by --help.
func (tellCommand) Help() string {
	return `Examples:

  prefer tell coffee.db first
  prefer tell coffee.db q7 second --rater ann --key 2f61
  prefer tell coffee.db --winner sugar=1,milk=oat --loser sugar=4,milk=none

Prints the id of the answer, which "prefer undo" takes.`
}

// choiceWords are the words for an answer.
var choiceWords = map[string]prefer.Choice{
	"first": prefer.First, "second": prefer.Second, "tie": prefer.Tie, "both_bad": prefer.BothBad, "skip": prefer.Skip,
	"1": prefer.First, "2": prefer.Second, "=": prefer.Tie, "x": prefer.BothBad, "s": prefer.Skip,
}

// told is what tell says to programs.
type told struct {
	ID       prefer.AnswerID   `json:"id"`
	Question prefer.QuestionID `json:"question,omitempty"`
	Choice   prefer.Choice     `json:"choice"`
}

func (c tellCommand) Run(ctx context.Context, s streams) error {
	tell, err := c.plan()
	if err != nil {
		return err
	}
	return c.update(ctx, func(study *prefer.Study) error {
		out, err := tell(ctx, study)
		if err != nil {
			return err
		}
		if c.JSON {
			return writeJSON(s.out, out)
		}
		_, err = fmt.Fprintln(s.out, out.ID)
		return err
	})
}

// plan reads the command line: an answer to a question, or a duel.
func (c tellCommand) plan() (func(context.Context, *prefer.Study) (told, error), error) {
	if c.Response < 0 {
		return nil, usageError{fmt.Errorf("--response %v, want a time as in 1.2s", c.Response)}
	}
	duel := len(c.Winner) > 0 || len(c.Loser) > 0 || c.Tie
	if duel {
		if len(c.Winner) == 0 || len(c.Loser) == 0 || len(c.Words) > 0 {
			return nil, usageError{errors.New("a duel nobody asked is --winner and --loser, and --tie if it was one, without a choice")}
		}
		return c.observe, nil
	}
	if len(c.Words) < 1 || len(c.Words) > 2 {
		return nil, usageError{fmt.Errorf("%d words after the study, want a choice, or a question and a choice, as in \"prefer tell %s first\"", len(c.Words), c.again())}
	}
	word := c.Words[len(c.Words)-1]
	choice, ok := choiceWords[word]
	if !ok {
		return nil, usageError{fmt.Errorf("choice %q, want first, second, tie, both_bad or skip (1, 2, =, x, s)", word)}
	}
	return func(ctx context.Context, study *prefer.Study) (told, error) { return c.answer(ctx, study, choice) }, nil
}

func (c tellCommand) details(choice prefer.Choice) prefer.Answer {
	return prefer.Answer{Choice: choice, Strength: c.Strength, Key: c.Key, Rater: c.Rater, ResponseTime: c.Response, Session: c.Session, Check: c.Check}
}

func (c tellCommand) answer(ctx context.Context, study *prefer.Study, choice prefer.Choice) (told, error) {
	var question prefer.QuestionID
	if len(c.Words) == 2 {
		question = prefer.QuestionID(c.Words[0])
	} else if before, ok := answered(study, c.Key); ok {
		question = before
	} else {
		q, ok := openQuestion(study.Events(), c.Rater)
		if !ok {
			who := "nobody"
			if c.Rater != "" {
				who = fmt.Sprintf("rater %q", c.Rater)
			}
			return told{}, fmt.Errorf("no question is open for %s: ask one first, prefer ask %s: %w", who, c.again(), prefer.ErrNoQuestion)
		}
		question = q.ID
	}
	id, err := study.Tell(ctx, question, c.details(choice))
	return told{id, question, choice}, err
}

// answered returns the question that was answered with this key.
func answered(study *prefer.Study, key string) (prefer.QuestionID, bool) {
	if key == "" {
		return "", false
	}
	for _, e := range study.History() {
		if e.Answer.Key == key && !e.Undone && !e.Observed {
			return e.Question, true
		}
	}
	return "", false
}

func (c tellCommand) observe(ctx context.Context, study *prefer.Study) (told, error) {
	winner, err := parseOption(study, "--winner", c.Winner, false)
	if err != nil {
		return told{}, err
	}
	loser, err := parseOption(study, "--loser", c.Loser, false)
	if err != nil {
		return told{}, err
	}
	choice := prefer.First
	if c.Tie {
		choice = prefer.Tie
	}
	id, err := study.Observe(ctx, prefer.Duel{First: winner, Second: loser, Rater: c.Rater, Answer: c.details(choice)})
	return told{ID: id, Choice: choice}, err
}
