package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
	"golang.org/x/sync/errgroup"
)

// Result is what came of a simulation.
type Result struct {
	Raters       int     `json:"raters"` // invited at each level
	MaxQuestions int     `json:"max_questions"`
	Confidence   float64 `json:"confidence"` // of the study's verdicts
	Seed         uint64  `json:"seed"`
	Levels       []Level `json:"levels"`
}

// Run simulates a study. If ctx ends before it is done, Run returns the people who had finished until then and the cause.
func Run(ctx context.Context, c Config) (Result, error) {
	c, l, err := c.ready()
	if err != nil {
		return Result{}, err
	}
	found, err := parallel(ctx, c, c.Parts(), c.MaxQuestions, func(ctx context.Context, i int, answered func()) (One, error) { return c.part(ctx, l, i, answered) })
	return c.result(found), err
}

// parallel simulates n parts of so many answers at most, Jobs at a time, until one fails or ctx ends. It returns those that had finished, nil for the others,
// and why it ended.
func parallel[T any](ctx context.Context, c Config, n, most int, part func(ctx context.Context, i int, answered func()) (T, error)) ([]*T, error) {
	found, given := make([]*T, n), make([]int, n)
	var mu sync.Mutex
	count := func(i int, finished *T) {
		mu.Lock()
		defer mu.Unlock()
		if found[i] = finished; finished == nil {
			given[i]++
		}
		if c.Progress == nil {
			return
		}
		p, work := Progress{Runs: n}, 0.0
		for k, answers := range given {
			p.Questions += answers
			if found[k] != nil {
				p.Done++
				answers = most
			}
			work += float64(answers) / float64(most)
		}
		p.Share = work / float64(n)
		c.Progress(p)
	}
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(c.Jobs)
	for i := range n {
		group.Go(func() error {
			if running.Err() != nil {
				return context.Cause(running)
			}
			one, err := part(running, i, func() { count(i, nil) })
			if err == nil {
				count(i, &one)
			}
			return err
		})
	}
	return found, cmp.Or(group.Wait(), context.Cause(ctx))
}

// ready is Complete, and the options at which utilities are looked at.
func (c Config) ready() (Config, []*landscape, error) {
	c, err := c.Complete()
	if err != nil {
		return c, nil, err
	}
	l, err := newLandscape(c.Study.Space)
	return c, l, err
}

// Complete checks the description and fills in its defaults and those of the study.
func (c Config) Complete() (Config, error) {
	if err := c.Validate(); err != nil {
		return c, err
	}
	c = c.withDefaults()
	study, err := prefer.New(context.Background(), c.Study) // it is kept nowhere
	if err != nil {
		return c, err
	}
	c.Study = study.Config()
	settings := 1
	if len(c.Study.Space.Contexts()) > 0 {
		l, err := newLandscape(c.Study.Space)
		if err != nil {
			return c, err
		}
		settings = len(l)
	}
	if b := c.Study.Budget; b > 0 {
		c.MaxQuestions = min(c.MaxQuestions, b*settings)
	}
	if c.MaxQuestions < settings {
		return c, fmt.Errorf("simulate: Config.MaxQuestions = %d, want at least one under each of the %d settings of the contexts", c.MaxQuestions, settings)
	}
	return c, nil
}

// A simulation can be spread over many machines: part i·len(Noise) + k is rater i at level k, a function of the
// description and the number alone. More raters are further parts.

func (c Config) Parts() int {
	c = c.withDefaults()
	return c.Raters * len(c.Noise)
}

// Part simulates with one person. Config.Raters, Jobs and Progress do not matter.
func Part(ctx context.Context, c Config, part int) (One, error) {
	if part < 0 {
		return One{}, fmt.Errorf("simulate: part %d, want 0 or more", part)
	}
	c.Raters = 0
	c, l, err := c.ready()
	if err != nil {
		return One{}, err
	}
	return c.part(ctx, l, part, func() {})
}

// Merge returns what Run would, given its parts; nil are those that are missing.
func Merge(c Config, parts []*One) (Result, error) {
	c, err := c.Complete()
	if err != nil {
		return Result{}, err
	}
	if len(parts) != c.Parts() {
		return Result{}, fmt.Errorf("simulate: %d parts, want %d: %d raters at %d levels of noise", len(parts), c.Parts(), c.Raters, len(c.Noise))
	}
	return c.result(parts), nil
}

func (c Config) result(parts []*One) Result {
	out := Result{Raters: c.Raters, MaxQuestions: c.MaxQuestions, Confidence: c.Study.Confidence, Seed: c.Seed}
	for k, n := range c.Noise {
		level := Level{Noise: n, MaxQuestions: c.MaxQuestions, Confidence: c.Study.Confidence, Tolerance: c.Study.Tolerance}
		for part := k; part < len(parts); part += len(c.Noise) {
			if parts[part] != nil {
				level.People = append(level.People, *parts[part])
			}
		}
		level.summarise()
		out.Levels = append(out.Levels, level)
	}
	return out
}

func (c Config) part(ctx context.Context, l []*landscape, part int, answered func()) (One, error) {
	rater, n := part/len(c.Noise), c.Noise[part%len(c.Noise)]
	p, err := invite(c, l, rater, n)
	if err != nil {
		return One{}, err
	}
	one, err := p.run(ctx, c.Study, c.MaxQuestions, answered)
	if ctx.Err() != nil {
		return one, context.Cause(ctx)
	}
	if err != nil {
		return one, fmt.Errorf("simulate: simulated person %d at noise %v: %w", rater, n, err)
	}
	one.Rater = rater
	return one, nil
}

// Config describes a simulation. Only Study.Space has no default.
type Config struct {
	Study  prefer.Config // the study to simulate. Each simulated person has one alone, with a seed of its own; journal and snapshot are left aside
	Raters int           // the number of simulated people at each level of noise. Defaults to 24
	Noise  []Noise       // the levels. The same people come at each. Defaults to Prior alone

	// MaxQuestions is when a person without an ending goes home. Defaults to 60. A budget of the study's own that is smaller comes first. In a study with
	// contexts the questions are asked under each of their settings in turn, and the budget is that of each.
	MaxQuestions int

	// Decisive people never say "can't tell", though the study may offer it: they choose a side at any difference.
	Decisive bool

	// Clearly is when people say "clearly" where the study has grades: "never", beyond the "median" difference of random options, beyond the median of those
	// "seen" so far, "always" or at "random". Defaults to where the prior of the model says.
	Clearly string

	// Seed fixes the people and their noise.
	Seed uint64

	// Truth, if not nil, gives the utility of a person in place of a draw from the prior. Under the noise Prior it is in units of the noise.
	Truth func(rater int) func(space.Option) float64

	Jobs     int            // the number of people at a time. Defaults to the number of processors. The result does not depend on it
	Progress func(Progress) // if not nil, is told after every answer how far the simulation is. Calls do not overlap
}

// Progress is how far a simulation is.
type Progress struct {
	Runs, Done int     // people at all levels; of which finished
	Questions  int     // answers so far
	Share      float64 // of the work, 0 to 1, were everybody to need all questions
}

const (
	maxRaters    = 100_000
	maxQuestions = 1000 // beyond, a question takes seconds, and nobody answers so many
)

func (c Config) withDefaults() Config {
	c.Raters, c.MaxQuestions, c.Jobs = cmp.Or(c.Raters, 24), cmp.Or(c.MaxQuestions, 60), cmp.Or(c.Jobs, runtime.GOMAXPROCS(0))
	c.Noise = xslices.Or(c.Noise, Prior)
	c.Study.Journal, c.Study.Search.Workers = nil, cmp.Or(c.Study.Search.Workers, 1) // people are the parallel thing
	return c
}

// Validate reports the first field that makes no sense.
func (c Config) Validate() error {
	switch {
	case c.Raters < 0 || c.Raters > maxRaters:
		return fmt.Errorf("simulate: Config.Raters = %d, want 1 to %d", c.Raters, maxRaters)
	case c.MaxQuestions < 0 || c.MaxQuestions > maxQuestions:
		return fmt.Errorf("simulate: Config.MaxQuestions = %d, want 1 to %d", c.MaxQuestions, maxQuestions)
	case c.Jobs < 0:
		return fmt.Errorf("simulate: Config.Jobs = %d, want at least 1", c.Jobs)
	}
	if _, err := problem.ParseClearly(c.Clearly); c.Clearly != "" && err != nil {
		return fmt.Errorf("simulate: Config.Clearly: %w", err)
	}
	errs := xslices.Map(c.Noise, func(n Noise) error { return n.Validate() })
	return errors.Join(append(errs, c.Study.Validate())...)
}
