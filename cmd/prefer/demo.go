package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

type demoCommand struct {
	Name string        `arg:"" optional:"" help:"${demos}. Defaults to colour where the terminal has colours, else coffee."`
	Seed *uint64       `help:"Same seed, same first questions and, with --auto, same film. Defaults to another one every time." placeholder:"N"`
	Auto bool          `help:"A simulated rater with a hidden favourite answers."`
	Pace time.Duration `help:"With --auto, how long a question stays on the screen." default:"700ms"`
	Keep string        `help:"Keep the study in this file, to go on with \"prefer play FILE\"." placeholder:"FILE.db"`
}

// Help is printed by --help.
func (demoCommand) Help() string {
	return `Twenty questions, and the pick. Needs nothing and leaves nothing behind.

  prefer demo
  prefer demo places --keep places.db
  prefer demo coffee --auto --seed 1`
}

// demoNames is for the help.
func demoNames() string {
	var out []string
	for _, d := range demos {
		out = append(out, d.name+" ("+d.about+")")
	}
	return strings.Join(out, ", ")
}

// find returns the demo that is meant.
func (c demoCommand) find(s streams) (demo, error) {
	if c.Name == "" {
		_, screen := screenOf(s.in, s.out, s.err)
		if newStyle(os.Getenv, screen != nil).paints() {
			return demos[0], nil
		}
		return demos[1], nil
	}
	for _, d := range demos {
		if d.name == c.Name {
			return d, nil
		}
	}
	return demo{}, usageError{fmt.Errorf("demo %q, want one of %s", c.Name, demoNames())}
}

func (c demoCommand) Run(ctx context.Context, s streams) (err error) {
	d, err := c.find(s)
	if err != nil {
		return err
	}
	if c.Seed == nil {
		seed := uint64(time.Now().UnixNano()) % 10_000 // short enough to type again
		c.Seed = &seed
	}
	sit := &sitting{length: demoLength}
	cfg := prefer.Config{Space: d.space, Prompt: d.prompt, Seed: *c.Seed}
	if c.Keep == "" {
		sit.study, err = prefer.New(ctx, cfg)
	} else {
		var k kept
		if k, err = (studyFlags{Path: c.Keep}).create(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, k.Close()) }()
		sit.again = func(ctx context.Context) (*prefer.Study, error) { return k.Study(ctx, k.name) }
		sit.study, err = k.Create(ctx, k.name, cfg)
	}
	if errors.Is(err, store.ErrExists) {
		return fmt.Errorf("%w; go on with it: prefer play %s", err, quoted(c.Keep))
	}
	if err != nil {
		return err
	}
	tb := table{in: s.in, out: s.out, err: s.err, pace: c.Pace}
	if c.Auto {
		tb.film = newTaste(sit.study, *c.Seed)
	}
	o, g, err := tb.sit(ctx, sit)
	if err != nil {
		return err
	}
	return c.farewell(s, d, tb, g, o)
}

// farewell prints the pick, in a film what was hidden, and how to start a study of one's own.
func (c demoCommand) farewell(s streams, d demo, tb table, g *gallery, o outlook) error {
	if o.answers > 0 {
		fmt.Fprintf(s.err, "After %s, %s:\n", count(o.answers, "answer"), d.about)
		for _, line := range g.summary(o) {
			if _, err := fmt.Fprintln(s.out, line); err != nil {
				return err
			}
		}
	}
	if tb.film != nil {
		fmt.Fprintf(s.err, "The hidden favourite was:\n")
		if _, err := fmt.Fprintln(s.out, g.line(tb.film.best)); err != nil {
			return err
		}
		fmt.Fprintf(s.err, "Seed %d: %s.\n", *c.Seed, tb.film.nearness(o.Best.Option))
	}
	fmt.Fprintln(s.err)
	if c.Keep != "" {
		fmt.Fprintf(s.err, "All of it is in %s: prefer play %s goes on.\n", c.Keep, quoted(c.Keep))
	}
	fmt.Fprintln(s.err, "A study of your own:\n  prefer init tea.db --param sugar=0..5 --param minutes=1..8 --param 'kind=green|black|mint'\n  prefer play tea.db")
	return nil
}
