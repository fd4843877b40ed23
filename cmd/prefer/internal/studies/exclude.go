package studies

import (
	"context"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/live"
)

type Exclude struct {
	cli.StudyFlags
	Who    *string `arg:"" optional:"" name:"rater" help:"The rater to leave out."`
	Origin string  `help:"In place of a rater: leave out everybody of whom answers came by the upload token of this id." placeholder:"ID" env:"-"`
	Why    string  `help:"Why, for whoever reads the log later." placeholder:"TEXT"`
	Back   bool    `help:"Count them again." env:"-"`
}

func (c Exclude) Run(ctx context.Context, s cli.Streams) error {
	if c.Back && c.Why != "" {
		return cli.Usagef("--why says why somebody is left out, and --back counts them again: say one of them")
	}
	whom, err := raters(c.Who, c.Origin)
	if err != nil {
		return err
	}
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		if err := room.Exclude(ctx, name, live.Exclude{Whom: whom, Why: c.Why, Back: c.Back}); err != nil {
			return err
		}
		said := "%s is left out; their answers are kept: prefer exclude --back counts them again\n"
		if c.Back {
			said = "%s counts again\n"
		}
		who := whom.Rater
		if c.Origin != "" {
			who = "everybody of the upload token " + c.Origin
		}
		return s.Notify(struct {
			Study  string `json:"study"`
			Rater  string `json:"rater"`
			Origin string `json:"origin,omitempty"`
			Out    bool   `json:"out"`
		}{name, whom.Rater, c.Origin, !c.Back}, said, cli.Printable(who))
	})
}

// raters returns whom a command is about: a rater who is named, or all of whom answers came by an upload token.
func raters(name *string, origin string) (live.Whom, error) {
	if (name == nil) == (origin == "") {
		return live.Whom{}, cli.Usagef("say who: a rater, or --origin with the id of an upload token")
	}
	if name == nil {
		return live.Whom{Origin: origin}, nil
	}
	return live.Whom{Rater: *name}, nil
}
