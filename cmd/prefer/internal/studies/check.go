package studies

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

type Check struct {
	cli.StudyFlags
	raterFlag
	fixedFlag
}

func (c Check) Run(ctx context.Context, s cli.Streams) error {
	return c.Update(ctx, func(study *prefer.Study) error {
		look, err := c.look(study, c.Rater)
		if err != nil {
			return err
		}
		found, err := study.Blind(ctx, look)
		if space.CodeOf(err) == "per_rater" {
			return needsRater(c.StudyFlags)
		}
		if err != nil {
			return err
		}
		if found.Kind == "unchecked" {
			fmt.Fprintf(s.Err, "to check it, %d times: prefer ask %s%s%s --blind\n", live.BlindQuestions, c.Args(), c.raterWords(), c.fixedWords())
		}
		return s.Line(found, cli.Printable(found.Sentence))
	})
}

type Take struct {
	cli.StudyFlags
	raterFlag
	Answer string   `arg:"" help:"yes or no: whether you would take it."`
	Option []string `help:"What you were shown, if it is not the pick: name=value for every parameter, or the id of an item." sep:"none" placeholder:"NAME=VALUE"`
}

func (c Take) Run(ctx context.Context, s cli.Streams) error {
	if c.Answer != "yes" && c.Answer != "no" {
		return cli.FlagError("answer", c.Answer, "want yes or no")
	}
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		t := live.Take{Rater: c.Rater, Owner: true, Take: c.Answer == "yes"}
		err := room.With(ctx, name, func(r *live.Study) (err error) {
			if len(c.Option) > 0 {
				t.Option, err = parseOption(r.Study, "--option", c.Option, false)
			}
			return err
		})
		if err != nil {
			return err
		}
		out, err := room.Take(ctx, name, t)
		if err != nil {
			return err
		}
		return s.Line(out, out.ID)
	})
}
