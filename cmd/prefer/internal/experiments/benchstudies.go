package experiments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
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
func playInto[K comparable, R trial.Row[K]](ctx context.Context, s cli.Streams, title, things, path string, play func(context.Context, *trial.File[K, R], trial.Progress) ([]R, error)) (all []R, err error) {
	file, err := trial.OpenFile[K, R](path)
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
	all, err := trial.ReadRows(f, check)
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
	if i := slices.IndexFunc(plan.Arms, func(arm string) bool { return !slices.Contains(people.Arms(), arm) }); i >= 0 {
		return cli.FlagError("--arms", plan.Arms[i], "want some of "+strings.Join(people.Arms(), ", "))
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
	table.Checks = &checks
	said := struct {
		people.Table
		Broken []string `json:"broken,omitempty"` // limits, in words
	}{Table: table}
	if c.Quick {
		said.Broken = people.Broken(table)
	}
	return errors.Join(s.Result(said, table.Write), brokenError(s, said.Broken, ""))
}

func brokenError(s cli.Streams, broken []string, of string) error {
	if len(broken) == 0 {
		return nil
	}
	fmt.Fprintln(s.Err, strings.Join(broken, "\n"))
	return fmt.Errorf("%s%s broken", say.Count(len(broken), "limit"), of)
}

type benchStatements struct {
	Tastes   int      `help:"Tastes of each space and family." default:"10" least:"1"`
	Seed     uint64   `help:"Random seed."`
	Spaces   []string `help:"What they are about: numbers of parameters, 3m for mixed ones, list (60 items with features), plain (without), constrained, contexts, crossed (a list with parameters), shared (one study of several people), or people of their own tastes: ${populations}." name:"dims" default:"1,2" placeholder:"N,…"`
	Families []string `help:"Families of tastes: smooth, rugged, or one by name." default:"smooth,rugged" placeholder:"NAME,…"`
	Raters   []string `help:"Kind of rater: ${taste_raters}." default:"ordinary" placeholder:"NAME,…"`
	Answers  int      `help:"Maximum answers per study. Defaults to 60, 80 for lists, 20 each in contexts and of several people." least:"0" placeholder:"N"`
	Every    int      `help:"Check the verdict after every so many answers while it is far off." default:"2" least:"1" placeholder:"N"`
	Config   string   `help:"What else is set in the studies, as JSON: {\"answers\":{\"forced\":true}} for studies without \"can't tell\"." placeholder:"JSON"`
	Jobs     int      `help:"Studies in parallel; the result does not depend on it. Defaults to the number of processors." least:"0" placeholder:"N"`
	Out      string   `help:"Also write every study with its statements to this file, one JSON line each." placeholder:"FILE"`
	From     []string `help:"Play nothing; make the table of studies that were written with --out." type:"existingfile" placeholder:"FILE,…"`
	Quick    bool     `help:"A small set that takes a minute, with limits; the exit code is 1 if one is broken."`
	cli.ForceFlag
}

func (c benchStatements) Run(ctx context.Context, s cli.Streams) error {
	plans := []statements.Plan{{Tastes: c.Tastes, Seed: c.Seed, Spaces: c.Spaces, Families: c.Families, Raters: c.Raters, Answers: c.Answers, Every: c.Every}}
	if c.Quick {
		plans = statements.Quick()
	}
	for i := range plans {
		plans[i].Jobs = c.Jobs
		if err := parseConfig(c.Config, &plans[i].Study); err != nil {
			return err
		}
		if err := plans[i].Validate(); err != nil {
			return cli.Usagef("%v", err)
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
	said := struct {
		statements.Table
		Broken []string `json:"broken,omitempty"` // limits, in words
	}{Table: statements.NewTable(studies)}
	if c.Quick {
		for _, l := range statements.Limits() {
			if err := l.Check(studies); err != nil {
				said.Broken = append(said.Broken, err.Error())
			}
		}
	}
	return errors.Join(s.Result(said, said.Write), brokenError(s, said.Broken, fmt.Sprintf(" of %d", len(statements.Limits()))))
}

func (c benchStatements) studies(ctx context.Context, s cli.Streams, plans []statements.Plan) (all []statements.Study, err error) {
	if len(c.From) > 0 {
		plans = nil
	}
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
	Players     []string `help:"Methods to compare: ${judge_players}. Defaults to all." placeholder:"NAME,…"`
	Tastes      []string `help:"What prompts are worth: ${judge_tastes}. Defaults to all." placeholder:"NAME,…"`
	Knows       []string `help:"What is known of prompts: names, or features of which 70 % of their worth is made." default:"names" placeholder:"NAME,…"`
	Prompts     int      `help:"Number of prompts." default:"40" placeholder:"N"`
	Budgets     []string `help:"Evaluate after these numbers of calls; done: when prefer stops, at most 200, and as many for the others." default:"40,80,120" placeholder:"N,…"`
	Repetitions int      `help:"Repetitions of each." default:"50" placeholder:"N"`
	Noise       float64  `help:"Scale of the judge's logistic noise, in standard deviations of what prompts are worth." default:"0.4" placeholder:"S"`
	Bias        float64  `help:"The judge's bias towards what is shown first, in logits." default:"0.5" placeholder:"B"`
	Lapse       float64  `help:"Share of random answers." default:"0.15" placeholder:"P"`
	Always      float64  `help:"Share of calls in which the judge takes what is shown first." placeholder:"P"`
	Seed        uint64   `help:"Random seed."`
	Jobs        int      `help:"Repetitions in parallel; the result does not depend on it." default:"1" placeholder:"N"`
	Out         string   `help:"Results file; what it already has is not played again." default:"judges.jsonl" placeholder:"FILE"`
}

func (c benchJudges) Run(ctx context.Context, s cli.Streams) (err error) {
	var budgets []int
	for _, b := range c.Budgets {
		if n, err := strconv.Atoi(b); err == nil && n > 0 {
			budgets = append(budgets, n)
		} else if b != "done" {
			return cli.FlagError("--budgets", c.Budgets, "want numbers of calls, and done")
		}
	}
	plan := judges.Plan{Players: c.Players, Tastes: c.Tastes, Knows: c.Knows, Prompts: c.Prompts, Calls: slices.Max(append(budgets, 0)), Repetitions: c.Repetitions,
		Done:  len(budgets) < len(c.Budgets),
		Judge: judges.Judge{Scale: c.Noise, Bias: c.Bias, Lapse: c.Lapse, Always: c.Always}, Seed: c.Seed, Jobs: c.Jobs}
	if err := plan.Validate(); err != nil {
		return cli.Usagef("%v", err)
	}
	plays, err := playInto(ctx, s, "judges", "plays", c.Out, plan.Run)
	if err != nil {
		return err
	}
	table := judges.NewTable(plays, budgets)
	return s.Result(table, table.Write)
}
