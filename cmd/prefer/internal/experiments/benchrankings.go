package experiments

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/bench/rankings"
)

// benchRankings measures what pairs a ranking should become.
type benchRankings struct {
	Laws        []string `help:"How rankings come about: thurstone, plackett-luce." default:"thurstone,plackett-luce" placeholder:"NAME,…"`
	Items       int      `help:"Number of items." default:"12"`
	Sizes       []int    `help:"How many of them a ranking has." default:"3,5,8" placeholder:"N,…"`
	Rankings    []int    `help:"Numbers of rankings." default:"10,40" placeholder:"N,…"`
	Pairs       []string `help:"What pairs they become: all, adjacent, first, disjoint." default:"all,adjacent,first,disjoint" placeholder:"NAME,…"`
	Spread      float64  `help:"Standard deviation of the utilities." default:"1"`
	Repetitions int      `help:"Studies of each kind." default:"40"`
	Seed        uint64   `help:"Another seed, other utilities and rankings."`
	Jobs        int      `help:"Studies at a time; the result does not depend on it." default:"1"`
}

func (c benchRankings) Run(ctx context.Context, s cli.Streams) error {
	var rows []rankings.Row
	for _, law := range c.Laws {
		for _, size := range c.Sizes {
			for _, n := range c.Rankings {
				p := rankings.Plan{Law: rankings.Law(law), Items: c.Items, Size: size, Rankings: n, Spread: c.Spread, Repetitions: c.Repetitions, Seed: c.Seed, Jobs: c.Jobs}
				if err := p.Validate(); err != nil {
					return cli.Usagef("%v", err)
				}
				for _, name := range c.Pairs {
					b, err := rankings.ParseBreaking(name)
					if err != nil {
						return cli.WrapFlagError(err, "--pairs", name)
					}
					show := cli.NewProgress(s.Err, fmt.Sprintf("%s, %d rankings of %d, %s", law, n, size, b), time.Now)
					played, err := p.Run(ctx, b, func(played, of int) {
						show.Show(float64(played)/float64(of), fmt.Sprintf("%d of %d studies", played, of))
					})
					show.End()
					if err != nil {
						return err
					}
					rows = append(rows, p.Summarize(b, played))
				}
			}
		}
	}
	return s.Result(rows, func(w io.Writer) error { return rankings.Write(w, rows) })
}
