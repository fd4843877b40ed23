package simulate

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// Config describes a simulation. Only Study.Space has no default.
type Config struct {
	// Study is the study to simulate. Each simulated person has one alone, with a seed of its own; journal
	// and snapshot are left aside.
	Study prefer.Config

	// Raters is the number of simulated people at each level of noise. Defaults to 24.
	Raters int

	// Noise are the levels. The same people come at each. Defaults to Prior alone.
	Noise []Noise

	// MaxQuestions is when a person without an ending goes home. Defaults to 60. A budget of
	// the study's own that is smaller comes first. In a study with contexts the questions are asked
	// under each of their settings in turn, and the budget is that of each.
	MaxQuestions int

	// Decisive people never say "can't tell", though the study may offer it: they choose a side at any difference.
	Decisive bool

	// Clearly is when people say "clearly" where the study has grades: "never", beyond the "median" difference of random
	// options, beyond the median of those "seen" so far, "always" or at "random". Defaults to where the prior of the model
	// says.
	Clearly string

	// Seed fixes the people and their noise.
	Seed uint64

	// Truth, if not nil, gives the utility of a person in place of a draw from the prior. Under the noise Prior
	// it is in units of the noise.
	Truth func(rater int) func(space.Option) float64

	// Jobs is the number of people at a time. Defaults to the number of processors. The result does not depend
	// on it.
	Jobs int

	// Progress, if not nil, is told after every answer how far the simulation is. Calls do not overlap.
	Progress func(Progress)
}

// Progress is how far a simulation is.
type Progress struct {
	Runs, Done int     // people at all levels; of which finished
	Questions  int     // answers so far
	Share      float64 // of the work, 0 to 1, were everybody to need all questions
}

const (
	defaultRaters    = 24
	defaultQuestions = 60
	maxRaters        = 100_000
	maxQuestions     = 1000 // beyond, a question takes seconds, and nobody answers so many
)

func (c Config) withDefaults() Config {
	if c.Raters == 0 {
		c.Raters = defaultRaters
	}
	if len(c.Noise) == 0 {
		c.Noise = []Noise{Prior}
	}
	if c.MaxQuestions == 0 {
		c.MaxQuestions = defaultQuestions
	}
	if c.Jobs == 0 {
		c.Jobs = runtime.GOMAXPROCS(0)
	}
	c.Study.Journal = nil
	if c.Study.Search.Workers == 0 {
		c.Study.Search.Workers = 1 // people are the parallel thing
	}
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
	var errs []error
	for _, n := range c.Noise {
		errs = append(errs, n.Validate())
	}
	return errors.Join(append(errs, c.Study.Validate())...)
}
