package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/bench/statements"
	"github.com/prefer-bo/prefer/say"
)

// benchStatements rehearses what studies say.
type benchStatements struct {
	Tastes   int      `help:"Tastes of each space and family." default:"10"`
	Seed     uint64   `help:"Another seed, other people."`
	Spaces   []string `help:"What they are about: numbers of parameters, 3m for mixed ones, list (60 items with features), plain (without)." name:"dims" default:"1,2" placeholder:"N,…"`
	Families []string `help:"Families of tastes: smooth, rugged, or one by name." default:"smooth,rugged" placeholder:"NAME,…"`
	Raters   []string `help:"Who answers: ${taste_raters}." default:"ordinary" placeholder:"NAME,…"`
	Answers  int      `help:"Answers after which a study that has not ended is given up. Defaults to 60, and 80 for lists." placeholder:"N"`
	Every    int      `help:"Look at the verdict after every so many answers while it is far off." default:"2" placeholder:"N"`
	Config   string   `help:"What else is set in the studies, as JSON: {\"answers\":{\"forced\":true}} for studies without \"can't tell\"." placeholder:"JSON"`
	Jobs     int      `help:"Studies at a time. Defaults to the number of processors; the result does not depend on it." placeholder:"N"`
	Out      string   `help:"Also write every study with its statements to this file, one JSON line each." placeholder:"FILE"`
	From     []string `help:"Play nothing; make the table of studies that were written with --out." type:"existingfile" placeholder:"FILE,…"`
	Quick    bool     `help:"A small set that takes a minute, with limits; the exit code is 1 if one is broken."`
	cli.ForceFlag
}

func (c benchStatements) Run(ctx context.Context, s cli.Streams) error {
	plan := statements.Plan{Tastes: c.Tastes, Seed: c.Seed, Spaces: c.Spaces, Families: c.Families, Raters: c.Raters,
		Answers: c.Answers, Every: c.Every, Jobs: c.Jobs}
	switch {
	case c.Tastes < 1:
		return cli.FlagError("--tastes", c.Tastes, "want at least 1")
	case c.Every < 1:
		return cli.FlagError("--every", c.Every, "want at least 1")
	case c.Answers < 0:
		return cli.FlagError("--answers", c.Answers, "want at least 1")
	case c.Jobs < 0:
		return cli.FlagError("--jobs", c.Jobs, "want at least 1")
	}
	if c.Quick {
		plan = statements.Quick()
		plan.Jobs = c.Jobs
	}
	if err := parseConfig(c.Config, &plan.Study); err != nil {
		return err
	}
	if err := plan.Validate(); err != nil {
		return cli.Usagef("%v", err)
	}
	if c.Out != "" {
		if err := c.Check("--out", c.Out); err != nil {
			return err
		}
	}
	studies, err := c.studies(ctx, s, plan)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := c.Write("--out", c.Out, func(w io.Writer) error { return writeStudies(w, studies) }); err != nil {
			return err
		}
	}
	table := statements.NewTable(studies)
	var broken []string
	if c.Quick {
		for _, l := range statements.Limits() {
			if err := l.Check(studies); err != nil {
				broken = append(broken, err.Error())
			}
		}
	}
	if err := s.Result(rehearsal{table, broken}, table.Write); err != nil || len(broken) == 0 {
		return err
	}
	fmt.Fprintln(s.Err, strings.Join(broken, "\n"))
	return fmt.Errorf("%s of %d broken", say.Count(len(broken), "limit"), len(statements.Limits()))
}

// studies plays the plan, or reads what was played before.
func (c benchStatements) studies(ctx context.Context, s cli.Streams, plan statements.Plan) ([]statements.Study, error) {
	if len(c.From) == 0 {
		show := cli.NewProgress(s.Err, "statements", time.Now)
		defer show.End()
		return plan.Run(ctx, show.Count("studies"))
	}
	var all []statements.Study
	for _, path := range c.From {
		some, err := readStudies(path, statements.Read)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// rehearsal is what the command prints with --json.
type rehearsal struct {
	statements.Table
	Broken []string `json:"broken,omitempty"` // limits, in words
}

func writeStudies(w io.Writer, studies []statements.Study) error {
	lines := json.NewEncoder(w)
	for _, s := range studies {
		if err := lines.Encode(s); err != nil {
			return err
		}
	}
	return nil
}
