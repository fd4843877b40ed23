package main

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/problem"
)

type benchDesign struct {
	Problems []string `help:"Problems, whose dimensions and noise the file is for. Defaults to the paper's six." placeholder:"NAME,…"`
	Noise    []string `help:"Levels of noise to state σ for: low, high, none, or a rate." default:"low,high"`
	Seeds    string   `help:"Seeds, as in 0-19 or 3,7." default:"0-19"`
	PerDim   int      `help:"Initial pairs per dimension." default:"4" placeholder:"N"`
	Out      string   `help:"File to write." default:"designs.json" placeholder:"FILE"`
}

// designed is what was written, as programs get it.
type designed struct {
	File     string   `json:"file"`
	Seeds    int      `json:"seeds"`
	Problems []string `json:"problems"`
}

func (c benchDesign) Run(s streams) error {
	if c.PerDim < 1 {
		return flagError("--per-dim", c.PerDim, "want at least 1")
	}
	rates, err := rates(c.Noise)
	if err != nil {
		return err
	}
	seeds, err := bench.ParseSeeds(c.Seeds)
	if err != nil {
		return badFlag(err, "--seeds", c.Seeds)
	}
	var problems []problem.Problem
	names := bench.Grid{Problems: c.Problems}.WithDefaults().Problems
	for _, name := range names {
		p, err := problem.ByName(name)
		if err != nil {
			return badFlag(err, "--problems", name)
		}
		problems = append(problems, p)
	}
	designs, err := bench.NewDesigns(problems, rates, seeds, c.PerDim)
	if err != nil {
		return err
	}
	data, err := json.Marshal(designs)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.Out, append(data, '\n'), 0o644); err != nil {
		return err
	}
	return s.talk(designed{c.Out, len(seeds), names}, "%s: %d seeds for %s\n", c.Out, len(seeds), strings.Join(names, ", "))
}
