package experiments

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/prefer-bo/prefer/say"
)

type sweepFlags struct {
	gridFlags
	commandFlags
	Setup     bench.Setup `embed:""`
	Questions int         `help:"Questions after the initial pairs." default:"100" least:"0" want:"at least 0"`
	Early     bool        `help:"Also write the rows before the last initial pair."`
	Design    string      `help:"Take initial pairs and the rater's noise from this file." type:"existingfile" placeholder:"FILE"`
	Jobs      int         `help:"Cells in parallel. Defaults to the number of processors." placeholder:"N"`
}

// sweep returns the sweep, and what ends the commands it has.
func (f sweepFlags) sweep(s cli.Streams) (_ *bench.Sweep, close func(), err error) {
	own, end, err := f.start(s)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			end()
		}
	}()
	cells, err := f.cells(own)
	if err != nil {
		return nil, nil, err
	}
	if err := f.Setup.Validate(); err != nil {
		return nil, nil, cli.Usage(err)
	}
	run := bench.Runner{Setup: f.Setup, Questions: f.Questions, Early: f.Early, Own: own, Now: time.Now}
	if f.Design != "" {
		run.Setup.Design = strings.TrimSuffix(filepath.Base(f.Design), ".json")
		file, err := os.Open(f.Design)
		if err != nil {
			return nil, nil, err
		}
		defer file.Close()
		if run.Designs, err = bench.ReadDesigns(file); err != nil {
			return nil, nil, err
		}
	}
	return &bench.Sweep{Runner: run, Cells: cells, Jobs: f.Jobs}, end, nil
}

type benchRun struct {
	sweepFlags
	Out   string `help:"Results file; what it already has is not run again." default:"results.jsonl"`
	Queue string `help:"Queue for \"prefer worker\", which then runs the cells: postgres://…" placeholder:"URL"`
	Wait  bool   `help:"With --queue: show progress until they are done."`
}

func (c benchRun) Run(ctx context.Context, s cli.Streams) error {
	if c.Queue != "" && len(c.ProblemCmd)+len(c.MethodCmd) > 0 {
		return cli.Usagef("--problem-cmd and --method-cmd run here: the workers of --queue do not have them")
	}
	sweep, end, err := c.sweep(s)
	if err != nil {
		return err
	}
	defer end()
	if c.Queue != "" {
		return enqueueSweep(ctx, s, sweep, c.Queue, c.Wait)
	}
	if c.Wait {
		return cli.Usagef("--wait goes with --queue; without it the cells are run here")
	}
	done, err := runSweep(ctx, s, sweep, c.Out)
	if err != nil {
		return err
	}
	return s.Notify(done, "")
}

type swept struct {
	Setup     string  `json:"setup"`
	File      string  `json:"file"`
	Cells     int     `json:"cells"`
	Done      int     `json:"done"`      // now, those that were there before included
	Questions int     `json:"questions"` // asked in this run
	Seconds   float64 `json:"seconds"`
}

func runSweep(ctx context.Context, s cli.Streams, sweep *bench.Sweep, path string) (out swept, err error) {
	file, err := bench.OpenFile(path)
	if err != nil {
		return swept{}, cli.WrapFileError("--out", path, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	start := time.Now()
	var end func() (from, to bench.Progress)
	sweep.Progress, end = sweepProgress(s.Err, sweep.Setup.Name(), time.Now)
	err = sweep.Run(ctx, file)
	first, last := end()
	return swept{Setup: sweep.Setup.Name(), File: path, Cells: last.Cells, Done: last.CellsDone,
		Questions: last.RowsDone - first.RowsDone, Seconds: time.Since(start).Seconds()}, err
}

// sweepProgress returns functions that show the progress of a sweep and, at its end, what it has done. Cells of earlier runs are named first.
func sweepProgress(w io.Writer, name string, now func() time.Time) (show func(bench.Progress), end func() (from, to bench.Progress)) {
	bar := cli.NewProgress(w, name, now)
	var first, at bench.Progress
	show = func(p bench.Progress) {
		if at.Cells == 0 {
			first = p
			if p.CellsDone > 0 {
				fmt.Fprintf(w, "%s: %d of %d cells are there already\n", name, p.CellsDone, p.Cells)
			}
		}
		at = p
		bar.Show(float64(p.RowsDone)/float64(max(1, p.Rows)), fmt.Sprintf("%d of %d cells, %d of %d questions", p.CellsDone, p.Cells, p.RowsDone, p.Rows))
	}
	end = func() (bench.Progress, bench.Progress) {
		bar.End()
		if done := at.RowsDone - first.RowsDone; done > 0 || at.CellsDone > first.CellsDone {
			fmt.Fprintf(w, "%s: %d of %d cells, %d questions in %s\n", name, at.CellsDone, at.Cells, done, cli.FormatDuration(now().Sub(bar.Start)))
		}
		return first, at
	}
	return show, end
}

func enqueueSweep(ctx context.Context, s cli.Streams, sweep *bench.Sweep, address string, wait bool) error {
	q, err := queue.Open(ctx, address)
	if err != nil {
		return err
	}
	defer q.Close()
	t, err := q.Enqueue(ctx, sweep)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "%s: %s, %d new, %d done already, %d failed and tried again\n", sweep.Setup.Name(), say.Count(t.Cells, "cell"), t.New, t.Done, t.Again)
	done := t.Done
	if wait {
		if done, err = waitFor(ctx, s, q, t); err != nil {
			return err
		}
	}
	return s.Notify(struct {
		Setup string `json:"setup"`
		Cells int    `json:"cells"`
		New   int    `json:"new"`
		Again int    `json:"again"` // had failed, and get another attempt
		Done  int    `json:"done"`  // already or, with --wait, by now
	}{sweep.Setup.Name(), t.Cells, t.New, t.Again, done}, "")
}

// waitFor shows how far the cells of a ticket are until they are done, and returns how many are.
func waitFor(ctx context.Context, s cli.Streams, q *queue.Queue, t queue.Ticket) (done int, err error) {
	p := cli.NewProgress(s.Err, "queue", time.Now)
	defer p.End()
	for {
		at, err := q.Progress(ctx, t)
		if err != nil {
			return 0, err
		}
		p.Show(float64(at.Done+at.Failed)/float64(max(1, at.Parts)),
			fmt.Sprintf("%d of %d cells done, %d running, %d waiting, %d failed", at.Done, at.Parts, at.Running, at.Waiting, at.Failed))
		if at.Over() {
			p.End()
			fmt.Fprintf(s.Err, "%d of %d cells done\n", at.Done, at.Parts)
			if at.Failed > 0 {
				return at.Done, fmt.Errorf("%s failed; \"prefer bench status\" says why, and the same command tries again", say.Count(at.Failed, "cell"))
			}
			return at.Done, nil
		}
		select {
		case <-ctx.Done():
			return at.Done, errors.New("stopped waiting; the cells go on, and the same command waits again")
		case <-time.After(time.Second):
		}
	}
}

// addQueue reads the rows of a queue into a table, and writes them to a file if one is named.
func addQueue(ctx context.Context, table *compare.Table, address, path string, f cli.ForceFlag) error {
	q, err := queue.Open(ctx, address)
	if err != nil {
		return err
	}
	defer q.Close()
	if path == "" {
		return q.Rows(ctx, table.Add)
	}
	return f.Write("--rows", path, func(w io.Writer) error {
		lines := json.NewEncoder(w)
		return q.Rows(ctx, func(r bench.Row) error { return errors.Join(lines.Encode(r), table.Add(r)) })
	})
}

type benchStatus struct {
	Queue string `help:"Queue database: postgres://…" placeholder:"URL" required:""`
}

func (c benchStatus) Run(ctx context.Context, s cli.Streams) error {
	q, err := queue.Open(ctx, c.Queue)
	if err != nil {
		return err
	}
	defer q.Close()
	status, err := q.Status(ctx)
	if err != nil {
		return err
	}
	return s.Result(status, func(w io.Writer) error { return writeStatus(w, status, time.Now()) })
}

//go:embed queuestatus.tmpl
var queueStatusText string

func writeStatus(w io.Writer, s queue.Status, now time.Time) error {
	alive, jobs := s.Alive()
	waiting := s.Waiting + s.Running
	for _, e := range s.Jobs {
		waiting += e.Waiting + e.Running
	}
	left := ""
	switch {
	case s.SecondsLeft != nil && *s.SecondsLeft > 0:
		left = "about " + cli.FormatDuration(time.Duration(*s.SecondsLeft*float64(time.Second)))
	case waiting > 0 && alive == 0:
		left = "nobody is working: start \"prefer worker\""
	case s.Waiting+s.Running > 0:
		left = "not known before the first cell is done"
	}
	here := slices.DeleteFunc(slices.Clone(s.Workers), func(k queue.WorkerStatus) bool { return !k.Alive })
	builds := map[string]bool{}
	others := slices.DeleteFunc(slices.Clone(here), func(k queue.WorkerStatus) bool { // the first of each build
		seen := builds[k.Build]
		builds[k.Build] = true
		return seen
	})
	return cli.WriteTemplate(cli.NewTable(w), queueStatusText, template.FuncMap{
		"count": say.Count, "oneCell": func(text string) string { return strings.ReplaceAll(text, "\t", " ") },
		"since": func(t time.Time) string { return cli.FormatDuration(now.Sub(t)) },
	}, map[string]any{"S": s, "Here": here, "JobsAtATime": jobs, "Left": left, "Builds": others})
}
