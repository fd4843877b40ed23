package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/play"
	"github.com/prefer-bo/prefer/live"
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

In a study with grades + before a choice, or Shift with it, is "clearly". Without a terminal the same keys are read
as words, one or more to a line:

  prefer play coffee.db --rater ada
  printf '1\n2\ntie\n' | prefer play coffee.db

The conversation goes to the standard error, the pick to the standard output.`
}

func (c playCommand) Run(ctx context.Context, s streams) error {
	return c.withRoom(ctx, s, func(room *live.Studies, name string) error {
		session := &play.Session{Room: room, Study: name, Rater: c.Rater}
		result, err := play.Console{In: s.in, Out: s.out, Err: s.err}.Run(ctx, session)
		if kept, e := session.Kept(context.WithoutCancel(ctx)); e == nil && (result.Answers > 0 || err == nil) {
			fmt.Fprintf(s.err, "%s kept; to go on: prefer play %s\n", count(kept, "answer"), c.resume())
		}
		if err != nil {
			return err
		}
		if s.json {
			return writeJSON(s.out, result.Verdict)
		}
		if result.Answers > 0 {
			_, err = fmt.Fprintln(s.out, strings.Join(result.Pick, "\n"))
		}
		return err
	})
}

// resume is the command line of the next session.
func (c playCommand) resume() string {
	if c.Rater == "" {
		return c.words()
	}
	return c.words() + " --rater " + quote(c.Rater)
}
