package main

import (
	"context"

	"github.com/prefer-bo/prefer/live"
)

type excludeCommand struct {
	studyFlags
	Who  string `arg:"" name:"rater" help:"Who is left out."`
	Why  string `help:"Why, for whoever reads the log later." placeholder:"TEXT"`
	Back bool   `help:"Take her back." env:"-"`
}

func (c excludeCommand) Run(ctx context.Context, s streams) error {
	if c.Back && c.Why != "" {
		return usage("--why says why somebody is left out, and --back takes her back: say one of them")
	}
	return c.withRoom(ctx, s, func(room *live.Studies, name string) error {
		if err := room.Exclude(ctx, name, live.Exclude{Rater: c.Who, Why: c.Why, Back: c.Back}); err != nil {
			return err
		}
		said := "%s is left out; what she said is kept: prefer exclude --back takes her back\n"
		if c.Back {
			said = "%s counts again\n"
		}
		return s.talk(struct {
			Study string `json:"study"`
			Rater string `json:"rater"`
			Out   bool   `json:"out"`
		}{name, c.Who, !c.Back}, said, printable(c.Who))
	})
}
