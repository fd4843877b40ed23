package experiments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/judges"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/people"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/statements"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/tastes"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/say"
)

type benchTastes struct {
	Plan     tastes.Plan `embed:""`
	Config   string      `help:"What else is set in the studies, as JSON; needs --label." placeholder:"JSON"`
	Out      string      `help:"Results file; what it already has is not played again, and all of it is compared." default:"tastes.jsonl" placeholder:"FILE"`
	Against  []string    `help:"Results files of other runs to compare with." type:"existingfile" placeholder:"FILE,…"`
	Baseline string      `help:"What the others are compared with, as in default/kg. Defaults to the first there is, of --against before --out." placeholder:"SETUP/METHOD"`
}

func (c benchTastes) Run(ctx context.Context, s cli.Streams) (err error) {
	if err := labelledConfig(c.Config, c.Plan.Label, &c.Plan.Study); err != nil {
		return err
	}
	if err := c.Plan.Check(); err != nil {
		return cli.Usage(err)
	}
	var sources []tastes.Source
	for _, path := range c.Against {
		all, err := readStudies(path, tastes.Study.Check)
		if err != nil {
			return err
		}
		sources = append(sources, tastes.Source{Name: base(path), Studies: c.Plan.Select(all)})
	}
	ours, err := playInto(ctx, s, c.Plan.WithDefaults().Label, "studies", c.Out, c.Plan.Run)
	if err != nil {
		return err
	}
	sources = append(sources, tastes.Source{Name: base(c.Out), Studies: ours})
	table, err := tastes.NewTable(tastes.Together(sources...), c.Plan.Marks, c.Baseline)
	if err != nil {
		return cli.WrapFlagError(err, "--baseline", c.Baseline)
	}
	return s.Result(table, table.Write)
}

// playInto plays a plan with the file at path, which keeps what was played.
func playInto[K comparable, R bench.Keyed[K]](ctx context.Context, s cli.Streams, title, things, path string, play func(context.Context, *bench.RowFile[K, R], trial.Progress) ([]R, error)) (all []R, err error) {
	file, err := bench.OpenRows[K, R](path)
	if err != nil {
		return nil, cli.WrapFileError("--out", path, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	show := cli.NewProgress(s.Err, title, time.Now)
	defer show.End()
	return play(ctx, file, show.Count(things))
}

// labelledConfig reads the flag --config of studies that are kept under a --label.
func labelledConfig(config, label string, into *prefer.Config) error {
	if config != "" && label == "" {
		return cli.Usagef("--config needs --label, the name under which its rows are kept")
	}
	return parseConfig(config, into)
}

func parseConfig(config string, into *prefer.Config) error {
	if config == "" {
		return nil
	}
	if err := strictjson.Decode([]byte(config), into); err != nil {
		return cli.WrapFlagError(err, "--config", config)
	}
	return nil
}

// readStudies reads a file of studies that another run has written.
func readStudies[T any](path string, check func(T) error) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := bench.ReadChecked(f, check)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return all, err
}

func base(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

type benchPeople struct {
	Plan     people.Plan `embed:""`
	Config   string      `help:"What else is set in the studies, as JSON; needs --label." placeholder:"JSON"`
	Out      string      `help:"Results file; what it already has is not played again, and all arms in it are compared. Not with --quick." default:"people.jsonl" placeholder:"FILE"`
	Baseline string      `help:"The arm that others are compared with. Defaults to the first." placeholder:"ARM"`
	Quick    bool        `help:"A small set that takes some seconds, with limits; the exit code is 1 if one is broken."`
}

func (c benchPeople) Run(ctx context.Context, s cli.Streams) (err error) {
	plan := c.Plan
	if c.Quick {
		plan, c.Out = people.Quick(), "" // what is checked is played
		plan.Jobs, plan.Arms = c.Plan.Jobs, c.Plan.Arms
	}
	if err := labelledConfig(c.Config, c.Plan.Label, &plan.Study); err != nil {
		return err
	}
	if err := plan.Check(); err != nil {
		return cli.Usage(err)
	}
	studies, err := playInto(ctx, s, "people", "studies", c.Out, plan.Run)
	if err != nil {
		return err
	}
	table, err := people.NewTable(studies, plan.Marks, c.Baseline)
	if err != nil {
		return cli.WrapFlagError(err, "--baseline", c.Baseline)
	}
	checks, err := people.PlayChecks(ctx, c.Plan.Seed)
	if err != nil {
		return err
	}
	if table.Checks = &checks; c.Quick {
		table.Broken = people.Broken(table)
	}
	return errors.Join(s.Result(table, table.Write), brokenError(s, table.Broken, ""))
}

func brokenError(s cli.Streams, broken []string, of string) error {
	if len(broken) == 0 {
		return nil
	}
	fmt.Fprintln(s.Err, strings.Join(broken, "\n"))
	return fmt.Errorf("%s%s broken", say.Count(len(broken), "limit"), of)
}

type benchStatements struct {
	Plan   statements.Plan `embed:""`
	Config string          `help:"What else is set in the studies, as JSON: {\"answers\":{\"forced\":true}} for studies without \"can't tell\"." placeholder:"JSON"`
	Out    string          `help:"Also write every study with its statements to this file, one JSON line each." placeholder:"FILE"`
	From   []string        `help:"Play nothing; make the table of studies that were written with --out." type:"existingfile" placeholder:"FILE,…"`
	Quick  bool            `help:"A small set that takes a minute, with limits; the exit code is 1 if one is broken."`
	cli.ForceFlag
}

func (c benchStatements) Run(ctx context.Context, s cli.Streams) error {
	plans := []statements.Plan{c.Plan}
	if c.Quick {
		plans = statements.Quick()
	}
	if len(c.From) > 0 {
		plans = nil
	}
	for i := range plans {
		plans[i].Jobs = c.Plan.Jobs
		if err := parseConfig(c.Config, &plans[i].Study); err != nil {
			return err
		}
		if err := plans[i].Check(); err != nil {
			return cli.Usage(err)
		}
	}
	if c.Out != "" {
		if err := c.Check("--out", c.Out); err != nil {
			return err
		}
	}
	studies, err := c.studies(ctx, s, plans)
	if err != nil {
		return err
	}
	if c.Out != "" {
		err := c.Write("--out", c.Out, func(w io.Writer) (err error) {
			lines := json.NewEncoder(w)
			for _, s := range studies {
				err = errors.Join(err, lines.Encode(s))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	table := statements.NewTable(studies)
	if c.Quick {
		table.Broken = statements.Broken(studies)
	}
	return errors.Join(s.Result(table, table.Write), brokenError(s, table.Broken, fmt.Sprintf(" of %d", len(statements.Limits()))))
}

func (c benchStatements) studies(ctx context.Context, s cli.Streams, plans []statements.Plan) (all []statements.Study, err error) {
	for _, p := range plans {
		show := cli.NewProgress(s.Err, "statements", time.Now)
		some, err := p.Run(ctx, show.Count("studies"))
		show.End()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	for _, path := range c.From {
		some, err := readStudies(path, func(statements.Study) error { return nil })
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

type benchJudges struct {
	Plan judges.Plan `embed:""`
	Out  string      `help:"Results file; what it already has is not played again." default:"judges.jsonl" placeholder:"FILE"`
}

func (c benchJudges) Run(ctx context.Context, s cli.Streams) (err error) {
	if err := c.Plan.Check(); err != nil {
		return cli.Usage(err)
	}
	plays, err := playInto(ctx, s, "judges", "plays", c.Out, c.Plan.Run)
	if err != nil {
		return err
	}
	table := judges.NewTable(plays, c.Plan.Calls())
	return s.Result(table, table.Write)
}
