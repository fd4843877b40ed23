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
		if result.Answers == 0 && !s.json {
			return nil
		}
		return s.line(result.Verdict, strings.Join(result.Pick, "\n"))
	})
}

// resume is the command line of the next session.
func (c playCommand) resume() string {
	if c.Rater == "" {
		return c.words()
	}
	return c.words() + " --rater " + quote(c.Rater)
}
