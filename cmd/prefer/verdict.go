package main

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer"
)

type verdictCommand struct {
	studyFlags
	raterFlag
}

// Help is printed by --help.
func (verdictCommand) Help() string {
	return `Example:

  prefer verdict coffee.db --json

The kind is keep_going, clear_winner or practical_tie; the exit code is 0 for each. In a study per rater name the
--rater.`
}

func (c verdictCommand) Run(ctx context.Context, s streams) error {
	return c.update(ctx, func(study *prefer.Study) error {
		if err := c.oneUtility(study); err != nil {
			return err
		}
		v, err := study.Verdict(ctx, c.Rater)
		if err != nil {
			return err
		}
		if s.json {
			return writeJSON(s.out, v)
		}
		_, err = fmt.Fprintln(s.out, printable(v.Sentence))
		return err
	})
}

// oneUtility reports a study per rater when no rater was named.
func (c verdictCommand) oneUtility(study *prefer.Study) error {
	if c.Rater == "" && study.Config().People == prefer.PerRater {
		return usage("every rater of this study has a taste of her own: name one with --rater; \"prefer raters %s\" lists them", c.words())
	}
	return nil
}
