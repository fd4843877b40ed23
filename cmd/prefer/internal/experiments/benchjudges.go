package experiments

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/bench/judges"
)

// benchJudges measures how many calls of a judge it takes to find the best of a list.
type benchJudges struct {
	Players     []string `help:"Who asks: ${judge_players}. Defaults to all." placeholder:"NAME,…"`
	Tastes      []string `help:"What prompts are worth: ${judge_tastes}. Defaults to all." placeholder:"NAME,…"`
	Knows       []string `help:"What is known of prompts: names, or features of which 70 % of their worth is made." default:"names" placeholder:"NAME,…"`
	Prompts     int      `help:"How many there are." default:"40" placeholder:"N"`
	Budgets     []int    `help:"Numbers of calls after which is looked." default:"40,80,120" placeholder:"N,…"`
	Repetitions int      `help:"Plays of each." default:"50" placeholder:"N"`
	Noise       float64  `help:"Scale of the judge's logistic noise, in standard deviations of what prompts are worth." default:"0.4" placeholder:"S"`
	Bias        float64  `help:"Its bias to what is shown first, in logits." default:"0.5" placeholder:"B"`
	Lapse       float64  `help:"Share of its answers that are random." default:"0.15" placeholder:"P"`
	Seed        uint64   `help:"Another seed, other prompts and answers."`
	Jobs        int      `help:"Plays at a time; the result does not depend on it." default:"1" placeholder:"N"`
	Out         string   `help:"Results file; what it already has is not played again." default:"judges.jsonl" placeholder:"FILE"`
}

func (c benchJudges) Run(ctx context.Context, s cli.Streams) (err error) {
	if len(c.Budgets) == 0 || slices.Min(c.Budgets) < 1 {
		return cli.FlagError("--budgets", c.Budgets, "want numbers of calls")
	}
	plan := judges.Plan{Players: c.Players, Tastes: c.Tastes, Knows: c.Knows, Prompts: c.Prompts, Calls: slices.Max(c.Budgets), Repetitions: c.Repetitions,
		Judge: judges.Judge{Scale: c.Noise, Bias: c.Bias, Lapse: c.Lapse}, Seed: c.Seed, Jobs: c.Jobs}
	if err := plan.Validate(); err != nil {
		return cli.Usagef("%v", err)
	}
	file, err := judges.OpenFile(c.Out)
	if err != nil {
		return cli.WrapFileError("--out", c.Out, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	show := cli.NewProgress(s.Err, "judges", time.Now)
	plays, err := plan.Run(ctx, file, show.Count("plays"))
	show.End()
	if err != nil {
		return err
	}
	table := judges.NewTable(plays, c.Budgets)
	return s.Result(table, table.Write)
}
