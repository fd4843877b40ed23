package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prefer-bo/prefer"
)

type askCommand struct {
	studyFlags
	raterFlag
	Fixed    []string      `help:"Both options have this value: the conditions under which the rater can answer. May be repeated." sep:"none" placeholder:"NAME=VALUE"`
	Hold     []string      `help:"One of the two options is this one: name=value for every parameter, or the id of an item." sep:"none" placeholder:"NAME=VALUE"`
	HoldBest bool          `help:"One of the two options is the best so far."`
	Within   time.Duration `help:"Settle for the best pair found in this time, as in 500ms." placeholder:"TIME"`
	More     bool          `help:"Ask even if the study is done."`
}

// Help is printed by --help.
func (askCommand) Help() string {
	return `Examples:

  prefer ask coffee.db
  prefer ask coffee.db --rater ann --fixed milk=oat --json

The same question comes again until it is answered. When the study is done the exit code is 3, the verdict is on the standard error, and nothing is asked unless --more is given.`
}

// askedQuestion is a question as programs get it.
type askedQuestion struct {
	prefer.Question
	Prompt string                 `json:"prompt"`
	Items  map[string]prefer.Item `json:"items,omitempty"` // what first and second name, in a list
}

func (c askCommand) Run(ctx context.Context, s streams) error {
	switch {
	case c.HoldBest && len(c.Hold) > 0:
		return usageError{errors.New("--hold and --hold-best, want one of them")}
	case c.Within < 0:
		return usageError{fmt.Errorf("--within %v, want a time as in 500ms", c.Within)}
	}
	return c.update(ctx, func(study *prefer.Study) error {
		q, err := c.ask(ctx, study)
		if err != nil {
			return err
		}
		if c.JSON {
			out := askedQuestion{Question: q, Prompt: study.Config().Prompt}
			for _, it := range study.Items() {
				if it.ID == q.First.Item() || it.ID == q.Second.Item() {
					if out.Items == nil {
						out.Items = map[string]prefer.Item{}
					}
					out.Items[it.ID] = it
				}
			}
			return writeJSON(s.out, out)
		}
		c.print(s, study, q)
		return nil
	})
}

// ask returns the open question or, unless the study is done, a new one.
func (c askCommand) ask(ctx context.Context, study *prefer.Study) (prefer.Question, error) {
	r := prefer.Request{Rater: c.Rater}
	var err error
	if len(c.Fixed) > 0 {
		if r.Fixed, err = parseOption(study, "--fixed", c.Fixed, true); err != nil {
			return prefer.Question{}, err
		}
	}
	if len(c.Hold) > 0 {
		if r.Hold, err = parseOption(study, "--hold", c.Hold, false); err != nil {
			return prefer.Question{}, err
		}
	}
	start := time.Now()
	if _, open := openQuestion(study.Events(), c.Rater); !open {
		if !c.More {
			if err := c.done(ctx, study); err != nil {
				return prefer.Question{}, err
			}
		}
		if c.HoldBest {
			best, err := study.Best(ctx, c.Rater)
			if err != nil {
				return prefer.Question{}, err
			}
			r.Hold = best.Option
		}
	}
	if c.Within > 0 {
		r.Within = max(1, c.Within-time.Since(start))
	}
	return study.AskFor(ctx, r)
}

// done returns a doneError if the study is done. Of the time there is, a question must have its half: a
// verdict that takes longer is not waited for.
func (c askCommand) done(ctx context.Context, study *prefer.Study) error {
	if c.Within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Within/2)
		defer cancel()
	}
	v, err := study.Verdict(ctx, c.Rater)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil
	case err != nil:
		return err
	case v.Kind == prefer.KeepGoing:
		return nil
	}
	return doneError{fmt.Sprintf("%s\nto go on all the same: prefer ask %s --more", printable(v.Sentence), c.again())}
}

func (c askCommand) print(s streams, study *prefer.Study, q prefer.Question) {
	cards := newCards(s.out, study)
	fmt.Fprintf(s.out, "%s\n\n", printable(study.Config().Prompt))
	cards.heading("first")
	cards.option(q.First)
	fmt.Fprintln(s.out)
	cards.heading("second")
	cards.option(q.Second)
	choices := "first|second|tie|both_bad|skip"
	if study.Config().Answers.Forced {
		choices = "first|second|both_bad|skip"
	}
	rater := ""
	if c.Rater != "" {
		rater = " --rater " + quoted(c.Rater)
	}
	fmt.Fprintf(s.err, "\nthis is %s; answer with: prefer tell %s%s %s\n", q.ID, c.again(), rater, choices)
}

// openQuestion returns the question a rater has not answered yet.
func openQuestion(events []prefer.Event, rater string) (prefer.Question, bool) {
	questions := map[prefer.QuestionID]prefer.Question{} // of this rater
	answers := map[prefer.AnswerID]prefer.QuestionID{}
	var open prefer.QuestionID
	for _, e := range events {
		switch {
		case e.Asked != nil && e.Asked.Rater == rater:
			questions[e.Asked.ID] = *e.Asked
			open = e.Asked.ID
		case e.Answered != nil:
			if _, hers := questions[e.Answered.Question]; hers {
				answers[e.Answered.ID] = e.Answered.Question
				open = ""
			}
		case e.Undone != nil:
			if id, hers := answers[e.Undone.Answer]; hers {
				open = id // a question asked since is withdrawn
			}
		}
	}
	q, ok := questions[open]
	return q, ok
}
