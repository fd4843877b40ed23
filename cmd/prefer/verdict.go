package main

import (
	"context"

	"github.com/prefer-bo/prefer"
)

type verdictCommand struct {
	studyFlags
	raterFlag
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
		return s.line(v, printable(v.Sentence))
	})
}

// oneUtility reports a study per rater when no rater was named.
func (c verdictCommand) oneUtility(study *prefer.Study) error {
	if c.Rater == "" && study.Config().People == prefer.PerRater {
		return usage("every rater of this study has a taste of her own: name one with --rater; \"prefer raters %s\" lists them", c.words())
	}
	return nil
}
