package experiments

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/simulate"
)

type Simulate struct {
	Path       string        `arg:"" name:"study" help:"A study, or its settings in JSON as for \"prefer init --config\" (- for standard input)." completion:"file"`
	Store      string        `help:"Database of the study instead of a file: postgres://…" placeholder:"URL"`
	Study      string        `help:"Name of the study. Default: the file's." placeholder:"NAME"`
	Raters     int           `help:"Simulated people at each level of noise; with --group, populations." default:"24" least:"1"`
	Noise      string        `help:"Levels of noise: prior, low, high, a share of wrong answers like 20%, or σ like 0.25 of the spread." default:"prior" placeholder:"LEVEL,…"`
	Questions  *int          `help:"Maximum questions per simulated rater, over all contexts. Default 60; with --group 20." least:"1" placeholder:"N"`
	Decisive   bool          `help:"Simulated raters never say \"can't tell\"."`
	Clearly    string        `help:"When people say \"clearly\": never, beyond the median difference of random options, the median of those seen so far, always, at random. Defaults to what the model believes of people." enum:",never,median,seen,always,random" default:"" placeholder:"WHEN"`
	Group      []int         `help:"Estimate how many raters the group's pick needs. Numbers to try, for example 3,6,12,24." placeholder:"N,…"`
	Similarity float64       `help:"With --group: correlation of two raters' utilities." default:"0.5" placeholder:"R"`
	Within     float64       `help:"With --group: the share of what the best option gains over one at random that a right pick may miss, as in 0.1. Defaults to that of the study's tolerance, or 0.05." placeholder:"P"`
	Seconds    float64       `help:"Seconds per answer." default:"5"`
	Seed       uint64        `help:"Random seed."`
	Jobs       int           `help:"Raters simulated in parallel; the result does not depend on it. Defaults to the number of processors." least:"0" placeholder:"N"`
	Queue      string        `help:"Queue for \"prefer worker\", which then runs the simulation: postgres://…" placeholder:"URL"`
	MethodCmd  string        `help:"Command that chooses the questions, see docs/guides/extend.md." placeholder:"COMMAND"`
	CmdTimeout time.Duration `help:"Timeout of such a command for one question." default:"1m" placeholder:"TIME"`
	Drop       bool          `help:"With --queue: delete this simulation and its results from the queue."`
}

func (c Simulate) Run(ctx context.Context, s cli.Streams) error {
	levels, err := c.check()
	if err != nil {
		return err
	}
	study, err := c.config(ctx, s.In)
	if err != nil {
		return err
	}
	if c.MethodCmd != "" {
		own, end, err := commandFlags{MethodCmd: []string{c.MethodCmd}, CmdTimeout: c.CmdTimeout}.start(s)
		if err != nil {
			return err
		}
		defer end()
		for name, method := range own.Methods {
			study.Method, study.Chooser = name, method
		}
	}
	config := simulate.Config{Study: study, Raters: c.Raters, Noise: levels, Decisive: c.Decisive, Clearly: c.Clearly, Seed: c.Seed, Jobs: c.Jobs}
	cli.Set(&config.MaxQuestions, c.Questions)
	if c.Group != nil {
		return c.group(ctx, s, config)
	}
	if c.Drop {
		return c.drop(ctx, s, config)
	}
	run, goesOn := c.runHere, ""
	if c.Queue != "" {
		run, goesOn = c.runOnQueue, "; the workers go on with the others, and the same command waits for them"
	}
	result, err := run(ctx, s, config)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	perAnswer := time.Duration(c.Seconds * float64(time.Second))
	err = errors.Join(s.Result(result, func(w io.Writer) error { return writeSimulation(w, result, perAnswer) }), err)
	if errors.Is(err, context.Canceled) {
		done := 0
		for _, l := range result.Levels {
			done += l.Finished
		}
		return fmt.Errorf("stopped: the numbers are those of the %d of %d people who had finished%s", done, c.Raters*len(levels), goesOn)
	}
	return err
}

// check reads the levels of noise, and reports flags that do not go together.
func (c Simulate) check() (levels []simulate.Noise, err error) {
	for _, text := range strings.Split(c.Noise, ",") {
		n, err := simulate.ParseNoise(strings.TrimSpace(text))
		if err != nil {
			return nil, cli.WrapFlagError(fmt.Errorf("--noise: %w", err), "--noise", text)
		}
		levels = append(levels, n)
	}
	switch {
	case !(c.Seconds > 0 && c.Seconds < 1e6):
		return nil, cli.FlagError("--seconds", c.Seconds, "want a positive number")
	case c.Queue != "" && c.Jobs > 0:
		return nil, cli.Usagef("--jobs %d goes without --queue, whose workers have their own: \"prefer worker --jobs %d\"", c.Jobs, c.Jobs)
	case c.Queue != "" && c.MethodCmd != "":
		return nil, cli.Usagef("--method-cmd runs here: the workers of --queue do not have it")
	case c.Queue != "" && c.Group != nil:
		return nil, cli.Usagef("--group runs here: the workers of --queue simulate one person each")
	case c.Queue == "" && c.Drop:
		return nil, cli.Usagef("--drop goes with --queue; without it nothing is kept")
	}
	return levels, nil
}

func (Simulate) runHere(ctx context.Context, s cli.Streams, config simulate.Config) (simulate.Result, error) {
	defer showProgress(s, &config, "people")()
	return simulate.Run(ctx, config)
}

// showProgress has a simulation show how far it is, and returns what ends that.
func showProgress(s cli.Streams, config *simulate.Config, things string) (end func()) {
	p := cli.NewProgress(s.Err, "simulate", time.Now)
	config.Progress = func(at simulate.Progress) {
		p.Show(at.Share, fmt.Sprintf("%d of %d %s, %d answers", at.Done, at.Runs, things, at.Questions))
	}
	return p.End
}

func (c Simulate) config(ctx context.Context, in io.Reader) (prefer.Config, error) {
	if c.Store == "" && (c.Path == "-" || strings.HasSuffix(strings.ToLower(c.Path), ".json")) {
		return cli.ReadConfig(c.Path, in, &live.Settings{}) // simulated raters need no checks
	}
	var cfg prefer.Config
	flags := cli.StudyFlags{Path: c.Path, Store: c.Store, Study: c.Study}
	err := flags.WithStore(ctx, func(k cli.StudyStore) error {
		study, err := k.Store.Study(ctx, k.Name)
		if err != nil {
			return err
		}
		cfg = study.Config()
		if items := study.Items(false); items != nil { // those that joined, too
			cfg.Space.Items = items
		}
		return nil
	})
	return cfg, err
}

//go:embed simulation.tmpl
var simulationText string

//go:embed simulationgroup.tmpl
var groupText string

func percent(share float64) float64 { return 100 * share }

func writeSimulation(w io.Writer, r simulate.Result, perAnswer time.Duration) error {
	return cli.WriteTemplate(tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight), simulationText, template.FuncMap{
		"part": part, "printable": cli.Printable, "less": func(a, b int) int { return a - b }, "percent": percent,
		"took":     func(n int) string { return cli.FormatDuration(time.Duration(n) * perAnswer) },
		"sentence": func(l simulate.Level) string { return l.Sentence(perAnswer) },
		"name": func(k prefer.VerdictKind) string {
			if !k.Done() {
				return "not yet"
			}
			return strings.ReplaceAll(string(k), "_", " ")
		},
	}, map[string]any{"R": r, "Budgets": simulate.Budgets, "Caveat": simulate.Caveat})
}

func part(s prefer.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(s.Count)/float64(s.Of))
}

type grouped struct {
	simulate.GroupResult
	Enough   int    `json:"enough"` // people; 0 if none of the numbers was
	Sentence string `json:"sentence"`
	Caveat   string `json:"caveat"`
}

// group simulates how many people it takes until the group's pick is right.
func (c Simulate) group(ctx context.Context, s cli.Streams, config simulate.Config) error {
	switch {
	case len(config.Noise) > 1:
		return cli.FlagError("--noise", c.Noise, "want one level with --group")
	case !(c.Similarity > 0 && c.Similarity <= 1):
		return cli.FlagError("--similarity", c.Similarity, "want a correlation above 0, at which there is nothing to agree on, and at most 1")
	case !(c.Within >= 0 && c.Within < 1):
		return cli.FlagError("--within", c.Within, "want a share between 0 and 1, as in 0.1")
	}
	for i, n := range c.Group {
		if n < 1 || n > 1000 || i > 0 && n <= c.Group[i-1] {
			return cli.FlagError("--group", n, "want numbers of people from 1 to 1000, each larger than the one before, as in 3,6,12,24")
		}
	}
	end := showProgress(s, &config, "populations")
	r, err := simulate.RunGroup(ctx, simulate.GroupConfig{Config: config, Sizes: c.Group, Similarity: c.Similarity, Populations: c.Raters, Within: c.Within})
	end()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	said := s.Result(grouped{r, r.Enough(), r.Sentence(), simulate.Caveat}, func(w io.Writer) error {
		return cli.WriteTemplate(tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight), groupText, template.FuncMap{"part": part, "percent": percent},
			map[string]any{"R": r, "Caveat": simulate.Caveat})
	})
	if err != nil {
		return errors.Join(said, fmt.Errorf("stopped: the numbers are those of the %d of %d populations that had finished", r.Populations, c.Raters))
	}
	return said
}

// runOnQueue lets the workers of a queue simulate, and waits. If ctx ends first it returns what is finished, and the work goes on.
func (c Simulate) runOnQueue(ctx context.Context, s cli.Streams, config simulate.Config) (simulate.Result, error) {
	e, err := job.NewSimulation(config)
	if err != nil {
		return simulate.Result{}, err
	}
	q, err := queue.Open(ctx, c.Queue)
	if err == nil {
		defer q.Close()
		err = q.Runner().Submit(ctx, e)
	}
	if err != nil && ctx.Err() != nil {
		err = errors.New("stopped before the simulation was in the queue; the same command sends it again")
	}
	if err != nil {
		return simulate.Result{}, err
	}
	fmt.Fprintf(s.Err, "%s for the workers of %v\n", say.Count(e.Parts, "person"), q)
	results, err := waitForJob(ctx, s, q.Runner(), e)
	if err != nil && ctx.Err() == nil {
		return simulate.Result{}, err
	}
	result, bad := job.Simulated(e, results)
	return result, errors.Join(bad, err)
}

// lookEvery is how often the progress is looked at, which takes the database milliseconds.
const lookEvery = 300 * time.Millisecond

// waitForJob waits until the parts of a job are done or ctx ends, and returns the results. It waits for no parts that another command added.
func waitForJob(ctx context.Context, s cli.Streams, runner job.Runner, e job.Job) ([][]byte, error) {
	p := cli.NewProgress(s.Err, "simulate", time.Now)
	defer p.End()
	told := false
	for {
		at, err := runner.Progress(ctx, e.Key())
		done := at.Done
		var results [][]byte
		if err == nil && (at.Parts > e.Parts || at.Done == at.Parts) {
			results, done, err = firstResults(ctx, runner, e)
		}
		switch {
		case ctx.Err() != nil:
			calm, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer stop()
			results, _, err := firstResults(calm, runner, e)
			return results, errors.Join(context.Canceled, err)
		case errors.Is(err, job.ErrUnknown):
			return nil, errors.New("somebody has taken the simulation off the queue; the same command sends it again")
		case err != nil:
			return nil, err
		case done == e.Parts:
			return results, nil
		case at.Failed > 0 && (at.Parts == e.Parts || at.Over()):
			return nil, fmt.Errorf("%s of %d could not be simulated: %s; the same command tries again, with --drop it is taken off the queue", say.Count(at.Failed, "person"), e.Parts, at.Failure)
		}
		if at.Workers == 0 && !told {
			p.End()
			fmt.Fprintln(s.Err, `no worker is running, and nothing happens before one is: start "prefer worker" with the same --queue, here or elsewhere`)
		}
		told = at.Workers == 0
		p.Show(float64(done)/float64(e.Parts), fmt.Sprintf("%d of %s, %s", done, say.Count(e.Parts, "person"), say.Count(at.Workers, "worker")))
		select {
		case <-ctx.Done():
		case <-time.After(lookEvery):
		}
	}
}

// firstResults returns the results of a job's own parts, and how many there are.
func firstResults(ctx context.Context, runner job.Runner, e job.Job) (results [][]byte, done int, err error) {
	if results, err = runner.Results(ctx, e.Key()); err != nil {
		return nil, 0, err
	}
	results = results[:min(e.Parts, len(results))]
	return results, xslices.Count(results, func(r []byte) bool { return r != nil }), nil
}

func (c Simulate) drop(ctx context.Context, s cli.Streams, config simulate.Config) error {
	e, err := job.NewSimulation(config)
	if err != nil {
		return err
	}
	q, err := queue.Open(ctx, c.Queue)
	if err != nil {
		return err
	}
	defer q.Close()
	at, err := q.Runner().Progress(ctx, e.Key())
	said := fmt.Sprintf("%s taken off the queue, of whom %d had finished\n", say.Count(at.Parts, "person"), at.Done)
	if errors.Is(err, job.ErrUnknown) {
		said, err = fmt.Sprintf("this simulation is not in %v\n", q), nil
	} else if err == nil {
		err = q.Runner().Drop(ctx, e.Key())
	}
	if err == nil {
		fmt.Fprint(s.Err, said)
	}
	return err
}
