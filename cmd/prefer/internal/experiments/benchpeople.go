package experiments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/bench/people"
	"github.com/prefer-bo/prefer/say"
)

// benchPeople measures what is learned from several people.
type benchPeople struct {
	Numbers     int      `help:"Populations of each kind, space and size." default:"10" placeholder:"N"`
	Seed        uint64   `help:"Another seed, other people."`
	Populations []string `help:"Kinds: ${populations}. Defaults to all." placeholder:"NAME,…"`
	Spaces      []string `help:"What they are about: numbers of parameters, 4m for mixed ones with a choice." default:"2,4,6,4m" placeholder:"N,…"`
	Family      string   `help:"Tastes: smooth, rugged, conjoint, or a family by name. Defaults to any." placeholder:"NAME"`
	People      []int    `help:"How many they are." default:"3,6,12" placeholder:"N,…"`
	Careless    []int    `help:"How many of them answer without looking; left out where that is more than a quarter." default:"0" placeholder:"N,…"`
	Arms        []string `help:"How is learned from them: ${people_arms}. Defaults to all." placeholder:"NAME,…"`
	Method      string   `help:"Method: ${methods}." default:"kg" placeholder:"NAME"`
	Marks       []int    `help:"Numbers of answers of each after which is looked." name:"answers" default:"5,10,15,20" placeholder:"N,…"`
	Config      string   `help:"What else is set in the studies, as JSON; needs --label." placeholder:"JSON"`
	Label       string   `help:"What is added to the names of the arms in the file: for --config, or a change of the program itself." placeholder:"TEXT"`
	Jobs        int      `help:"Populations at a time. Defaults to the number of processors; the result does not depend on it." placeholder:"N"`
	Out         string   `help:"Results file; what it already has is not played again, and all arms in it are compared. Not with --quick." default:"people.jsonl" placeholder:"FILE"`
	Baseline    string   `help:"The arm that others are compared with. Defaults to the first." placeholder:"ARM"`
	Quick       bool     `help:"A small set that takes some seconds, with limits; the exit code is 1 if one is broken."`
}

func (c benchPeople) Run(ctx context.Context, s cli.Streams) (err error) {
	plan, err := c.plan()
	if err != nil {
		return err
	}
	if c.Quick {
		c.Out = "" // what is checked is played
	}
	file, err := people.OpenFile(c.Out)
	if err != nil {
		return cli.WrapFileError("--out", c.Out, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	show := cli.NewProgress(s.Err, "people", time.Now)
	studies, err := plan.Run(ctx, file, show.Count("studies"))
	show.End()
	if err != nil {
		return err
	}
	table, err := people.NewTable(studies, plan.WithDefaults().Marks, c.Baseline)
	if err != nil {
		return cli.WrapFlagError(err, "--baseline", c.Baseline)
	}
	checks, err := people.PlayChecks(ctx, c.Seed)
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
	if err := s.Result(said, table.Write); err != nil || len(said.Broken) == 0 {
		return err
	}
	fmt.Fprintln(s.Err, strings.Join(said.Broken, "\n"))
	return fmt.Errorf("%s broken", say.Count(len(said.Broken), "limit"))
}

func (c benchPeople) plan() (people.Plan, error) {
	p := people.Plan{Numbers: c.Numbers, Seed: c.Seed, Populations: c.Populations, Spaces: c.Spaces, Family: c.Family, People: c.People,
		Careless: c.Careless, Method: c.Method, Marks: c.Marks, Label: c.Label, Jobs: c.Jobs}
	if c.Numbers < 1 {
		return p, cli.FlagError("--numbers", c.Numbers, "want at least 1")
	}
	if c.Quick {
		p = people.Quick()
		p.Jobs = c.Jobs
	}
	for _, name := range c.Arms {
		i := slices.Index(people.ArmNames(), name)
		if i < 0 {
			return p, cli.FlagError("--arms", name, "want some of "+strings.Join(people.ArmNames(), ", "))
		}
		p.Arms = append(p.Arms, people.Arms()[i])
	}
	if err := labelledConfig(c.Config, c.Label, &p.Study); err != nil {
		return p, err
	}
	if err := p.Validate(); err != nil {
		return p, cli.Usagef("%v", err)
	}
	return p, nil
}
