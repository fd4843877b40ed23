package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/prefer-bo/prefer/bench/renders"
)

// benchRenders measures how many answers it takes to find one of the best of many pictures.
type benchRenders struct {
	Pictures []int    `help:"Numbers of pictures." default:"200,2000" placeholder:"N,…"`
	Setups   []string `help:"What studies know of pictures: names alone, features of their pixels, or both, features and that each has something of its own." name:"knows" default:"names,both" placeholder:"NAME,…"`
	Tastes   int      `help:"Number of people." default:"20"`
	Answers  int      `help:"Answers that each gives." default:"60"`
	Every    int      `help:"Answers from one look at the pick to the next." default:"5"`
	Errors   float64  `help:"Share of answers that are wrong." default:"0.12"`
	Own      float64  `help:"Share of a taste that is about single pictures, and that nothing tells but asking." default:"0.2"`
	Seed     uint64   `help:"Another seed, other pictures and people."`
	Jobs     int      `help:"Studies at a time; the result does not depend on it." default:"1"`
}

func (c benchRenders) Run(ctx context.Context, s streams) error {
	var all []renders.Summary
	for _, n := range c.Pictures {
		for _, setup := range c.Setups {
			p := renders.Plan{Pictures: n, Setup: setup, Tastes: c.Tastes, Answers: c.Answers, Every: c.Every, Errors: c.Errors, Own: c.Own, Seed: c.Seed, Jobs: c.Jobs}
			show, done := newProgress(s.err, fmt.Sprintf("%d pictures, %s", n, setup), time.Now), 0
			played, err := p.Run(ctx, func() {
				done++
				show.show(float64(done)/float64(c.Tastes), fmt.Sprintf("%d of %d studies", done, c.Tastes))
			})
			show.end()
			if err != nil {
				return err
			}
			all = append(all, p.Summarize(played))
		}
	}
	return s.result(all, func(w io.Writer) error { return renders.Write(w, all) })
}
