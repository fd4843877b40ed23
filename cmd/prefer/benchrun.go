package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/bench"
)

// sweepFlags describe a sweep.
type sweepFlags struct {
	gridFlags
	setupFlags
	Questions int    `help:"Questions after the initial pairs." default:"100"`
	Early     bool   `help:"Also write the rows before the last initial pair."`
	Design    string `help:"Take initial pairs and the rater's noise from this file." type:"existingfile" placeholder:"FILE"`
	Jobs      int    `help:"Cells at the same time. Defaults to the number of processors." placeholder:"N"`
}

func (f sweepFlags) sweep() (*bench.Sweep, error) {
	cells, err := f.cells()
	if err != nil {
		return nil, err
	}
	setup, err := f.setup()
	if err != nil {
		return nil, err
	}
	if f.Questions < 0 {
		return nil, usageError{fmt.Errorf("--questions %d, want at least 0", f.Questions)}
	}
	designs, err := readDesigns(f.Design)
	if err != nil {
		return nil, err
	}
	if f.Design != "" {
		setup.Design = strings.TrimSuffix(filepath.Base(f.Design), ".json")
	}
	return &bench.Sweep{
		Runner: bench.Runner{Setup: setup, Questions: f.Questions, Early: f.Early, Designs: designs, Now: time.Now},
		Cells:  cells, Jobs: f.Jobs,
	}, nil
}

type benchRun struct {
	sweepFlags
	Out   string `help:"Results file; what it already has is not run again." default:"results.jsonl"`
	Queue string `help:"Database in which the cells wait for \"prefer worker\", in place of running them here: postgres://…" placeholder:"URL"`
	Wait  bool   `help:"With --queue: show progress until they are done."`
}

// Help is printed by --help.
func (benchRun) Help() string {
	return "Without flags these are the paper's experiments: six problems, two levels of noise, four methods, 20 seeds, 100 questions. " +
		"What the results file has is not run again, so a command that was stopped or killed is simply repeated, and more seeds " +
		"or questions can be added later. Everything but the seconds depends on the cell and the setup alone.\n\n" +
		"With --queue the cells are run by \"prefer worker\" on any number of machines, --jobs is theirs, and \"prefer bench report --queue\" " +
		"reads the rows. What the queue has is not run again either, but for cells that failed."
}

func (c benchRun) Run(ctx context.Context, s streams) error {
	sweep, err := c.sweep()
	if err != nil {
		return err
	}
	if c.Queue != "" {
		return enqueueSweep(ctx, s, sweep, c.Queue, c.Wait)
	}
	if c.Wait {
		return usageError{errors.New("--wait goes with --queue; without it the cells are run here")}
	}
	return runSweep(ctx, s, sweep, c.Out)
}

// runSweep runs what is missing, with progress on the terminal.
func runSweep(ctx context.Context, s streams, sweep *bench.Sweep, path string) (err error) {
	file, err := bench.OpenFile(path)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := file.Close(); err == nil {
			err = cerr
		}
	}()
	bar := newMeter(s.err, sweep.Setup.Name(), time.Now)
	sweep.Progress = bar.show
	defer bar.end()
	return sweep.Run(ctx, file)
}
