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
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/bench/tastes"
	"github.com/prefer-bo/prefer/problem"
)

// benchTastes measures what asks on tastes people could have.
type benchTastes struct {
	Tastes   int      `help:"Number of tastes, of each family and number of parts that is named." default:"200"`
	Seed     uint64   `help:"Another seed, other people."`
	Shape    string   `help:"What they are about: any, box (continuous parameters), mixed, list (60 items with features), plain (without)." enum:"any,box,mixed,list,plain" default:"any"`
	Families []string `help:"Families of tastes: smooth, rugged, conjoint, or one by name. Defaults to all of them." name:"family" placeholder:"NAME,…"`
	Dims     []int    `help:"Numbers of parameters or features, 1 to 8. Defaults to any." placeholder:"N,…"`
	Raters   []string `help:"Who answers: ${taste_raters}." default:"ordinary" placeholder:"NAME,…"`
	Methods  []string `help:"Methods: ${methods}." default:"kg" placeholder:"NAME,…"`
	Marks    []int    `help:"Numbers of answers after which the pick is looked at." name:"answers" default:"5,10,15,20,30,40" placeholder:"N,…"`
	modelFlags
	Ties     bool     `help:"Offer \"can't tell\" to everybody, not only to raters who say it."`
	Config   string   `help:"What else is set in the studies, as JSON; needs --label." placeholder:"JSON"`
	Label    string   `help:"What these choices are called in the file, in place of the flags that differ from the default: for a change of the program itself." placeholder:"TEXT"`
	Jobs     int      `help:"Tastes at a time. Defaults to the number of processors; the result does not depend on it." placeholder:"N"`
	Out      string   `help:"Results file; what it already has is not played again, and all of it is compared." default:"tastes.jsonl" placeholder:"FILE"`
	Against  []string `help:"Results files of other runs to compare with." type:"existingfile" placeholder:"FILE,…"`
	Baseline string   `help:"What the others are compared with, as in default/kg. Defaults to the first there is, of --against before --out." placeholder:"SETUP/METHOD"`
}

func (c benchTastes) Run(ctx context.Context, s cli.Streams) (err error) {
	plan, err := c.plan()
	if err != nil {
		return err
	}
	sources, err := c.against(plan)
	if err != nil {
		return err
	}
	file, err := tastes.OpenFile(c.Out)
	if err != nil {
		return cli.WrapFileError("--out", c.Out, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	show := cli.NewProgress(s.Err, plan.WithDefaults().Label, time.Now)
	ours, err := plan.Run(ctx, file, show.Count("studies"))
	show.End()
	if err != nil {
		return err
	}
	sources = append(sources, tastes.Source{Name: base(c.Out), Studies: ours})
	table, err := tastes.NewTable(tastes.Together(sources...), c.Marks, c.Baseline)
	if err != nil {
		return cli.WrapFlagError(err, "--baseline", c.Baseline)
	}
	return s.Result(table, table.Write)
}

func (c benchTastes) plan() (tastes.Plan, error) {
	p := tastes.Plan{Tastes: c.Tastes, Seed: c.Seed, Families: c.Families, Dims: c.Dims, Raters: c.Raters, Methods: c.Methods,
		Marks: c.Marks, Setup: c.setup(), Ties: c.Ties, Label: c.Label, Jobs: c.Jobs}
	switch c.Shape {
	case "box":
		p.Shape = problem.Box
	case "mixed":
		p.Shape = problem.Mixed
	case "list":
		p.Shape = problem.List
	case "plain":
		p.Shape = problem.PlainList
	}
	if c.Tastes < 1 {
		return p, cli.FlagError("--tastes", c.Tastes, "want at least 1")
	}
	if err := labelledConfig(c.Config, c.Label, &p.Study); err != nil {
		return p, err
	}
	if err := p.Validate(); err != nil {
		return p, cli.Usagef("%v", err)
	}
	return p, nil
}

// labelledConfig reads the flag --config of studies that are kept under a --label.
func labelledConfig(config, label string, into *prefer.Config) error {
	if config != "" && label == "" {
		return cli.Usagef("--config needs --label, the name under which its rows are kept")
	}
	return parseConfig(config, into)
}

// parseConfig reads the flag --config, if it is given.
func parseConfig(config string, into *prefer.Config) error {
	if config == "" {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(config))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return cli.WrapFlagError(err, "--config", config)
	}
	return nil
}

func (c benchTastes) against(plan tastes.Plan) ([]tastes.Source, error) {
	var out []tastes.Source
	for _, path := range c.Against {
		all, err := readStudies(path, tastes.Read)
		if err != nil {
			return nil, err
		}
		out = append(out, tastes.Source{Name: base(path), Studies: plan.Select(all)})
	}
	return out, nil
}

// readStudies reads a results file.
func readStudies[T any](path string, read func(io.Reader) ([]T, error)) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := read(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return all, err
}

// base returns the name of a results file.
func base(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }
