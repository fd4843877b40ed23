// Package jobs looks after the long work of studies, simulations and reports, from submission to result.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/store"
)

// The codes of refusals.
const (
	NoJob       token.Code = "no_job"        // there is no such job
	NoReport    token.Code = "no_report"     // there is no page, or not yet
	TooManyJobs token.Code = "too_many_jobs" // others must be over first
	NoRunner    token.Code = "runner_unavailable"
)

// Config says what jobs need of the studies they are about.
type Config struct {
	// Store keeps the notes.
	Store store.Notes

	// Runner does the jobs. Nil: this process does the Kinds, one part at a time, each after Before has returned.
	Runner job.Runner
	Kinds  job.Kinds
	Before func(context.Context) error

	// Exists returns why there is no such study, or nil.
	Exists func(ctx context.Context, study string) error

	// Sent, Done and Failed count jobs.
	Sent, Done, Failed *atomic.Int64

	Logger *slog.Logger
	Now    func() time.Time
}

// Jobs are the long work of studies: simulations and reports. A job is noted beside its study, then submitted to the runner, again if the runner has forgotten
// it or has too few parts. When it is over, the process that looks first collects the results into the note. A dropped job loses its note first.
type Jobs struct {
	Close func() // ends the jobs that this process does

	cfg      Config
	changing chan struct{} // held while one is submitted or collected; a channel, so that waiting honours a context
	all      sync.Map      // by followed, those this process looks after: it collects what came of them even if nobody asks
}

type followed struct{ study, key string }

// New returns the jobs of studies. Close ends those that this process does.
func New(cfg Config) *Jobs {
	j := &Jobs{Close: func() {}, cfg: cfg, changing: make(chan struct{}, 1)}
	if j.cfg.Runner == nil {
		own := job.NewLocal(cfg.Kinds, cfg.Before)
		j.cfg.Runner, j.Close = own, own.Close
	}
	return j
}

// isNoJob reports whether an error says that there is no such job, or no study.
func isNoJob(err error) bool {
	e, ok := errors.AsType[*token.Error](err)
	return ok && e.Code == NoJob || errors.Is(err, store.ErrNoStudy)
}

// trouble makes a refusal of an error of the runner, which may tell where that is.
func (j *Jobs) trouble(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	j.cfg.Logger.ErrorContext(ctx, "the runner of jobs failed", "error", err)
	return token.Refuse(NoRunner, "jobs are not available now")
}

// change runs do while no other job of this room is submitted or collected.
func (j *Jobs) change(ctx context.Context, do func() error) error {
	select {
	case j.changing <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-j.changing }()
	return do()
}

// Simulate starts a simulation for people who take so many seconds for an answer.
func (j *Jobs) Simulate(ctx context.Context, study string, c simulate.Config, seconds float64) (Job, error) {
	s, err := job.NewSimulation(c)
	if err != nil {
		return Job{}, token.RefuseField("study", study, "%s", err)
	}
	return j.start(ctx, study, note{Job: s, Seconds: seconds})
}

// Report starts a report that takes in so many answers.
func (j *Jobs) Report(ctx context.Context, about job.ReportRequest, answers int) (Job, error) {
	r, err := job.NewReport(about)
	if err != nil {
		return Job{}, err
	}
	return j.start(ctx, about.Study, note{Job: r, Answers: answers})
}

// start has a job done and returns its state. An earlier one is left alone, unless it failed, lost its page, or is to have more parts.
func (j *Jobs) start(ctx context.Context, study string, n note) (Job, error) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), maxWait) // a job that was begun is finished
	defer stop()
	n.key = n.Job.Key()
	_, ok, err := j.find(ctx, study, n.key)
	if err == nil && !ok {
		err = j.makeRoom(ctx, study)
	}
	if err == nil {
		err = j.change(ctx, func() error { return j.submit(ctx, study, n) })
	}
	if err != nil {
		return Job{}, err
	}
	return j.described(ctx, study, n.key, false)
}

// described looks at a job and describes it, with results of a simulation that is not over if those are wanted.
func (j *Jobs) described(ctx context.Context, study, key string, partial bool) (Job, error) {
	n, p, err := j.look(ctx, study, key)
	if err != nil {
		return Job{}, err
	}
	var results [][]byte
	if partial && !n.Over && n.Kind == job.Simulation && p.Done > 0 {
		results, err = j.cfg.Runner.Results(ctx, key)
		if err != nil && !errors.Is(err, job.ErrUnknown) { // collected meanwhile: the next look tells
			return Job{}, j.trouble(ctx, err)
		}
	}
	return n.describe(p, results)
}

// Get returns a job of a study with what came of it so far.
func (j *Jobs) Get(ctx context.Context, study, id string) (Job, error) {
	return j.described(ctx, study, id, true)
}

// List returns the jobs of a study, the newest first. Of simulations that are not over it has no results.
func (j *Jobs) List(ctx context.Context, study string) ([]Job, error) {
	if err := j.cfg.Exists(ctx, study); err != nil {
		return nil, err
	}
	all, err := j.notes(ctx, study)
	out := []Job{}
	for _, n := range all {
		one, err := j.described(ctx, study, n.key, false)
		if isNoJob(err) {
			continue // dropped meanwhile
		}
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, err
}

// Page returns the page of a report that is done.
func (j *Jobs) Page(ctx context.Context, study, id string) (string, error) {
	n, _, err := j.look(ctx, study, id)
	if err != nil {
		return "", err
	}
	if n.Kind != job.Report {
		return "", token.Refuse(NoReport, "this job is a %s, which has no page", n.Kind)
	}
	page, has, err := j.cfg.Store.FindNote(ctx, study, job.ReportNote(n.Job))
	if err == nil && !has {
		err = token.Refuse(NoReport, "the page does not exist yet: see the job's progress")
	}
	return page.Body, err
}

// Drop forgets a job of a study, with what came of it.
func (j *Jobs) Drop(ctx context.Context, study, id string) error {
	if _, _, err := j.look(ctx, study, id); err != nil {
		return err
	}
	return j.drop(ctx, study, id)
}

// Deleting returns a function that has the runner forget the jobs of a study, to be called once the study is deleted.
func (j *Jobs) Deleting(ctx context.Context, study string) (forget func(), err error) {
	all, err := j.notes(ctx, study)
	return func() {
		for _, n := range all {
			if err := j.forget(ctx, study, n.key); err != nil {
				j.cfg.Logger.Warn("a job of a deleted study is left", "study", study, "job", n.key, "error", err)
			}
		}
	}, err
}

// drop forgets a job, its note first.
func (j *Jobs) drop(ctx context.Context, study, key string) error {
	for _, name := range []string{noteName(key), store.Derived + key} { // the page of a report; a simulation has none
		if err := j.cfg.Store.DropNote(ctx, study, name); err != nil {
			return err
		}
	}
	return j.forget(ctx, study, key)
}
