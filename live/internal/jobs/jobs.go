// Package jobs looks after the long work of studies, simulations and reports, from submission to result.
package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/store/contract"
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
	Store token.Store

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
	cfg      Config
	own      *job.Local    // the runner, if it is this process
	changing chan struct{} // held while one is submitted or collected; a channel, so that waiting honours a context
	all      sync.Map      // by followed, those this process looks after: it collects what came of them even if nobody asks
}

type followed struct{ study, key string }

// New returns the jobs of studies. Close ends those that this process does.
func New(cfg Config) *Jobs {
	j := &Jobs{cfg: cfg, changing: make(chan struct{}, 1)}
	if j.cfg.Runner == nil {
		kinds := job.Kinds{}
		for kind, do := range cfg.Kinds {
			kinds[kind] = func(ctx context.Context, body json.RawMessage, part int) ([]byte, error) {
				if err := cfg.Before(ctx); err != nil {
					return nil, err
				}
				return do(ctx, body, part)
			}
		}
		j.own = job.NewLocal(kinds, 1)
		j.cfg.Runner = j.own
	}
	return j
}

// Close ends the jobs that this process does.
func (j *Jobs) Close() {
	if j.own != nil {
		j.own.Close()
	}
}

// isNoJob reports whether an error says that there is no such job.
func isNoJob(err error) bool {
	e, ok := errors.AsType[*token.Error](err)
	return ok && e.Code == NoJob
}

// trouble makes a refusal of an error of the runner, which may tell where that is.
func (j *Jobs) trouble(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	j.cfg.Logger.ErrorContext(ctx, "the runner of jobs failed", "error", err)
	return token.Refuse(NoRunner, "jobs cannot be looked after now")
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
	return j.described(ctx, study, n.key)
}

// described looks at a job and describes it without results of a simulation that is not over.
func (j *Jobs) described(ctx context.Context, study, key string) (Job, error) {
	n, p, err := j.look(ctx, study, key)
	if err != nil {
		return Job{}, err
	}
	return n.describe(p, nil)
}

// submit keeps the note and tells the runner. The caller holds changing.
func (j *Jobs) submit(ctx context.Context, study string, n note) error {
	n.Created = j.cfg.Now().UTC()
	old, ok, err := j.find(ctx, study, n.key)
	if err != nil {
		return err
	}
	if ok {
		n.Created, n.Parts = old.Created, max(n.Parts, old.Parts)
		again := old.Failure != "" || n.Parts > old.Parts
		if old.Over && !again && n.Kind == job.Report {
			has, err := j.hasPage(ctx, study, n)
			if err != nil {
				return err
			}
			again = !has
		}
		if !again {
			if old.Seconds == n.Seconds {
				return nil
			}
			old.Seconds = n.Seconds
			return j.keepNote(ctx, study, old)
		}
	}
	if err := j.keepNote(ctx, study, n); err != nil {
		return err
	}
	j.cfg.Sent.Add(1)
	if n.Kind == job.Report { // the runner may take it for done, though its page was forgotten
		if err := j.cfg.Runner.Drop(ctx, n.key); err != nil {
			return j.trouble(ctx, err)
		}
	}
	return j.trouble(ctx, j.cfg.Runner.Submit(ctx, n.Job))
}

// maxTries is how often a job is looked at again because it moved on meanwhile; maxWait is how long store and runner are waited for.
const (
	maxTries = 20
	maxWait  = 20 * time.Second
)

// look returns a job of a study and, if that is not over, how far the runner is with it.
func (j *Jobs) look(ctx context.Context, study, key string) (note, job.Progress, error) {
	for range maxTries {
		n, ok, err := j.find(ctx, study, key)
		if err != nil {
			return n, job.Progress{}, err
		}
		if !ok {
			return n, job.Progress{}, token.Refuse(NoJob, "study %q has no job %q: no such job", study, key)
		}
		if n.Over {
			if j.leave(study, key) { // another process collected it; this one's runner may still be at it
				err = j.trouble(ctx, j.cfg.Runner.Drop(ctx, key))
			}
			return n, job.Progress{Parts: n.Parts, Done: n.Done}, err
		}
		j.all.Store(followed{study, key}, true)
		p, err := j.cfg.Runner.Progress(ctx, key)
		unknown := errors.Is(err, job.ErrUnknown)
		if err != nil && !unknown {
			return n, p, j.trouble(ctx, err)
		}
		over := p.Over() || p.Done >= n.Parts // there may be more parts than these: of a study that is described alike
		if !unknown && p.Parts >= n.Parts && !over {
			return n, p, nil
		}
		var moved bool
		err = j.change(ctx, func() (err error) {
			moved, err = j.advance(ctx, study, key)
			return err
		})
		if err != nil || !moved {
			return n, p, err
		}
	}
	return note{}, job.Progress{}, fmt.Errorf("live: job %q of study %q: %w", key, study, prefer.ErrConflict)
}

// advance submits a job again, or keeps the results of one that is over in its note. moved says to look at it again. The caller holds changing.
func (j *Jobs) advance(ctx context.Context, study, key string) (moved bool, err error) {
	p, unknown := j.cfg.Runner.Progress(ctx, key)
	if unknown != nil && !errors.Is(unknown, job.ErrUnknown) {
		return false, j.trouble(ctx, unknown)
	}
	n, ok, err := j.find(ctx, study, key) // after the runner: who collects a job keeps the result before that forgets it
	if err != nil || !ok || n.Over {
		return true, err
	}
	if unknown != nil || p.Parts < n.Parts {
		return true, j.trouble(ctx, j.cfg.Runner.Submit(ctx, n.Job))
	}
	results, err := j.cfg.Runner.Results(ctx, key)
	if errors.Is(err, job.ErrUnknown) {
		return true, nil
	}
	if err != nil || len(results) < n.Parts {
		return false, j.trouble(ctx, err)
	}
	results = results[:n.Parts]
	n.Done = len(slices.DeleteFunc(slices.Clone(results), func(r []byte) bool { return r == nil }))
	if n.Done < n.Parts {
		if !p.Over() {
			return false, nil
		}
		n.Failure = cmp.Or(strings.TrimPrefix(p.Failure, "job: "), "some of it was not done, and nobody said why")
	}
	switch n.Kind {
	case job.Simulation:
		result, err := job.Simulated(n.Job, results)
		if err != nil {
			return false, err
		}
		for i := range result.Levels {
			result.Levels[i].People = nil
		}
		n.Result = &result
	case job.Report:
		has, err := j.hasPage(ctx, study, n)
		if err != nil {
			return false, err
		}
		if !has && n.Failure == "" {
			n.Failure = "somebody was forgotten since, and the page with her: ask for it again"
		}
	}
	n.Over = true
	if err := j.keepNote(ctx, study, n); err != nil {
		return false, err
	}
	count := j.cfg.Done
	if n.Failure != "" {
		count = j.cfg.Failed
	}
	count.Add(1)
	return true, j.forget(ctx, study, key)
}

// forget has the runner forget a job.
func (j *Jobs) forget(ctx context.Context, study, key string) error {
	j.leave(study, key)
	return j.trouble(ctx, j.cfg.Runner.Drop(ctx, key))
}

// get looks at a job of a study that is there.
func (j *Jobs) get(ctx context.Context, study, id string) (note, job.Progress, error) {
	if err := j.cfg.Exists(ctx, study); err != nil {
		return note{}, job.Progress{}, err
	}
	return j.look(ctx, study, id)
}

// Get returns a job of a study with what came of it so far.
func (j *Jobs) Get(ctx context.Context, study, id string) (Job, error) {
	n, p, err := j.get(ctx, study, id)
	if err != nil {
		return Job{}, err
	}
	var results [][]byte
	if !n.Over && n.Kind == job.Simulation && p.Done > 0 {
		results, err = j.cfg.Runner.Results(ctx, id)
		if err != nil && !errors.Is(err, job.ErrUnknown) { // collected meanwhile: the next look tells
			return Job{}, j.trouble(ctx, err)
		}
	}
	return n.describe(p, results)
}

// List returns the jobs of a study, the newest first. Of simulations that are not over it has no results.
func (j *Jobs) List(ctx context.Context, study string) ([]Job, error) {
	if err := j.cfg.Exists(ctx, study); err != nil {
		return nil, err
	}
	all, err := j.notes(ctx, study)
	out := []Job{}
	for _, n := range all {
		one, err := j.described(ctx, study, n.key)
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
	n, _, err := j.get(ctx, study, id)
	if err != nil {
		return "", err
	}
	if n.Kind != job.Report {
		return "", token.Refuse(NoReport, "this job is a %s, which has no page", n.Kind)
	}
	page, has, err := j.cfg.Store.FindNote(ctx, study, job.ReportNote(n.Job))
	if err == nil && !has {
		err = token.Refuse(NoReport, "the page is not there, or not yet: the job says how far it is")
	}
	return page.Body, err
}

// Drop forgets a job of a study, with what came of it.
func (j *Jobs) Drop(ctx context.Context, study, id string) error {
	if _, _, err := j.get(ctx, study, id); err != nil {
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
	names := []string{noteName(key)}
	if strings.HasPrefix(key, job.Report+"-") {
		names = append(names, contract.Derived+key)
	}
	for _, name := range names {
		if err := j.cfg.Store.DropNote(ctx, study, name); err != nil {
			return err
		}
	}
	return j.forget(ctx, study, key)
}

// makeRoom drops the oldest jobs that are over, until one more fits.
func (j *Jobs) makeRoom(ctx context.Context, study string) error {
	all, err := j.notes(ctx, study)
	if err != nil {
		return err
	}
	left := len(all)
	for i := len(all) - 1; i >= 0 && left >= maxJobs; i-- {
		n, _, err := j.look(ctx, study, all[i].key)
		if err != nil {
			return err
		}
		if !n.Over {
			continue
		}
		if err := j.drop(ctx, study, n.key); err != nil {
			return err
		}
		left--
	}
	if left >= maxJobs {
		return token.Refuse(TooManyJobs, "%d jobs of this study are not over yet: wait for them, or delete one", left)
	}
	return nil
}

// maxJobs is how many a study has; a new one takes the place of the oldest that is over.
const maxJobs = 20

// Waiting returns how many jobs this process looks after that are not over.
func (j *Jobs) Waiting() (n int) {
	for range j.all.Range {
		n++
	}
	return n
}

// leave reports whether the job was looked after until now.
func (j *Jobs) leave(study, key string) bool {
	_, was := j.all.LoadAndDelete(followed{study, key})
	return was
}

// How often jobs are looked at: seldom where store or runner cannot be reached.
const (
	often  = time.Second
	seldom = 15 * time.Second
)

// Collect collects what came of jobs until ctx ends.
func (j *Jobs) Collect(ctx context.Context) {
	tick := time.NewTicker(often)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		tick.Reset(often)
		for each := range j.all.Range {
			f := each.(followed)
			waiting, stop := context.WithTimeout(ctx, maxWait)
			_, _, err := j.look(waiting, f.study, f.key)
			if isNoJob(err) { // deleted, or somebody was forgotten
				err = j.forget(waiting, f.study, f.key)
			}
			stop()
			if err != nil { // store or runner cannot be reached
				tick.Reset(seldom)
				break
			}
		}
	}
}
