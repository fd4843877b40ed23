package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/prefer-bo/prefer"
)

type playCommand struct {
	studyFlags
	raterFlag
}

// Help is printed by --help.
func (playCommand) Help() string {
	return `Two options at a time; one key answers:

  Left 1 a: the first          z Backspace: undo, as far back as you like
  Right 2 b: the second        p: the pick so far
  Down = t: can't tell         ?: help
  x: both bad    s: skip       q Ctrl-C Ctrl-D: leave; nothing is lost

In a study with grades + before a choice, or Shift with it, is "clearly". Without a terminal the same keys are read as words, one or more to a line:

  prefer play coffee.db --rater ada
  printf '1\n2\ntie\n' | prefer play coffee.db

The conversation goes to the standard error, the pick to the standard output.`
}

func (c playCommand) Run(ctx context.Context, s streams) error {
	return c.with(ctx, func(k kept) (err error) {
		sit := &sitting{rater: c.Rater, again: func(ctx context.Context) (*prefer.Study, error) { return k.Study(ctx, k.name) }}
		if sit.study, err = sit.again(ctx); err != nil {
			return err
		}
		o, g, err := table{in: s.in, out: s.out, err: s.err}.sit(ctx, sit)
		if o.answers > 0 || err == nil {
			fmt.Fprintf(s.err, "%s kept; to go on: prefer play %s\n", count(len(sit.standing(sit.open())), "answer"), c.resume())
		}
		if err != nil {
			return err
		}
		if err := k.KeepSnapshot(ctx, sit.open()); err != nil && !errors.Is(err, prefer.ErrConflict) {
			return err
		}
		if c.JSON {
			return writeJSON(s.out, o.Verdict)
		}
		if o.answers > 0 {
			_, err = fmt.Fprintln(s.out, strings.Join(g.summary(o), "\n"))
		}
		return err
	})
}

// resume is the command line of the next sitting.
func (c playCommand) resume() string {
	if c.Rater == "" {
		return c.again()
	}
	return c.again() + " --rater " + quoted(c.Rater)
}
