// Package job runs long work in the background: simulations and reports.
//
//	runner := job.NewLocal(job.Studies{}.Kinds(), func(context.Context) error { return nil })
//	simulation, err := job.NewSimulation(simulate.Config{Study: cfg})
//	err = runner.Submit(ctx, simulation)
//	progress, err := runner.Progress(ctx, simulation.Key()) // until it is Over
//	results, err := runner.Results(ctx, simulation.Key())
//	table, err := job.Simulated(simulation, results)
//
// A job comes in parts. Each is a function of the job's body and its own number alone, so parts can be done anywhere, in any order, and again after a machine
// was lost. A Runner takes jobs and has them done: Local in this process, package queue by workers on other machines. Both are held to the same tests.
package job

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Job is a piece of long work.
type Job struct {
	Kind  string          `json:"kind"`
	Body  json.RawMessage `json:"body"`
	Parts int             `json:"parts"`
}

// MaxParts is the most parts a job may have.
const MaxParts = 100_000

// ErrUnknown is returned for a job that a runner does not have.
var ErrUnknown = errors.New("no such job")

// Key names a job by what is to be done, so that the same is done once however often it is asked for. The number of parts is left out: a job can grow.
func (j Job) Key() string {
	sum := sha256.Sum256(slices.Concat([]byte(j.Kind), []byte{0}, j.Body))
	return fmt.Sprintf("%s-%x", j.Kind, sum[:16])
}

// Validate reports what makes no sense.
func (j Job) Validate() error {
	switch {
	case j.Kind == "":
		return errors.New("job: Job.Kind is empty, want the name of a kind")
	case j.Parts < 1 || j.Parts > MaxParts:
		return fmt.Errorf("job: Job.Parts = %d, want 1 to %d", j.Parts, MaxParts)
	case !json.Valid(j.Body):
		return fmt.Errorf("job: Job.Body = %.40q, want JSON", j.Body)
	}
	return nil
}

// Kinds are the kinds of jobs somebody can do, by name: each does one part.
type Kinds map[string]func(ctx context.Context, body json.RawMessage, part int) ([]byte, error)

// Do does a part of a job. A kind that panics has failed.
func (k Kinds) Do(ctx context.Context, kind string, body json.RawMessage, part int) (result []byte, err error) {
	do := k[kind]
	if do == nil {
		return nil, fmt.Errorf("job: kind %q, which this program does not know: is it older than who sent the job?", kind)
	}
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, fmt.Errorf("job: part %d of a %s panicked: %v", part, kind, p)
		}
	}()
	return do(ctx, body, part)
}

// Progress is how far a job is.
type Progress struct {
	Parts   int `json:"parts"`
	Waiting int `json:"waiting"`
	Running int `json:"running"`
	Done    int `json:"done"`
	Failed  int `json:"failed"` // for good

	// Failure is what went wrong with the first part that failed.
	Failure string `json:"failure,omitempty"`

	// Workers is how many workers there are. None: parts wait until one comes.
	Workers int `json:"workers"`
}

// State is a word for how far it is: waiting, running, done or failed.
func (p Progress) State() string {
	switch {
	case p.Failed > 0:
		return "failed"
	case p.Done == p.Parts:
		return "done"
	case p.Done+p.Running > 0:
		return "running"
	}
	return "waiting"
}

// Over reports whether nothing more will happen by itself.
func (p Progress) Over() bool { return p.Waiting+p.Running == 0 }

// Runner takes jobs and has them done. It is safe for concurrent use.
type Runner interface {
	// Submit hands in a job. Parts that are done, waiting or running are left alone, those that had failed get another attempt.
	Submit(ctx context.Context, j Job) error

	// Progress tells how far a job is, or ErrUnknown.
	Progress(ctx context.Context, key string) (Progress, error)

	// Results returns what each part gave; nil for those that are not done.
	Results(ctx context.Context, key string) ([][]byte, error)

	// Drop forgets a job, with its results; what is not done yet will not be. One that is not there is no error.
	Drop(ctx context.Context, key string) error
}

// Studies is what kinds of jobs need of the place where studies are kept.
type Studies struct {
	// Store keeps the studies. Nil: jobs about them fail.
	Store store.Store

	// Media reads the file behind an item of a study, for pictures in reports. Nil: there are none.
	Media func(study, name string) ([]byte, error)

	// Draw returns what draws the options of a study as SVG, for pictures in reports, or nil. Nil: nothing is drawn.
	Draw func(ctx context.Context, name string, study *prefer.Study) (func(space.Option) string, error)

	// Checks says of every rater of a study, by name, how the checks among their questions went; a rater without checks is missing. Nil: reports do not say.
	Checks func(ctx context.Context, name string, study *prefer.Study) (map[string]string, error)

	// Version names the program in reports, as in "prefer v1.2.0".
	Version string
}

// Kinds are all there are.
func (s Studies) Kinds() Kinds {
	return Kinds{Simulation: doPerson, Report: s.doReport}
}

// read reads a body. A field it does not know would change what is asked for, and is an error.
func read(kind string, body json.RawMessage, into any) error {
	if err := strictjson.Decode(body, into); err != nil {
		return fmt.Errorf("job: the body of a %s is not what it should be: %w", kind, err)
	}
	return nil
}
