package live

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
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/store"
)

// Jobs are the long work of studies: simulations and reports. A job is noted beside its study, then submitted to the runner, again if the runner has forgotten
// it or has too few parts. When it is over, the process that looks first collects the results into the note. A dropped job loses its note first.
type Jobs struct {
	store    store.Store
	runner   job.Runner
	own      *job.Local // the runner, if it is this room's own
	counters *Counters
	log      *slog.Logger
	now      func() time.Time

	changing chan struct{} // held while one is submitted or collected; a channel, so that waiting honours a context

	all sync.Map // by followed, those this room looks after: it collects what came of them even if nobody asks
}

type followed struct{ study, key string }

func newJobs(s *Studies) *Jobs {
	j := &Jobs{store: s.store, runner: s.cfg.Runner, counters: s.Counters, log: s.log, now: s.cfg.Now, changing: make(chan struct{}, 1)}
	if j.runner == nil {
		kinds := job.Kinds{}
		for kind, do := range s.cfg.Kinds {
			kinds[kind] = func(ctx context.Context, body json.RawMessage, part int) ([]byte, error) {
				if !s.processors.take(ctx, true) { // none is begun while raters wait for a search
					return nil, context.Cause(ctx)
				}
				s.processors.give() // to hold it for minutes would keep verdicts from being worked out
				return do(ctx, body, part)
			}
		}
		j.own = job.NewLocal(kinds, 1)
		j.runner = j.own
	}
	return j
}

func (j *Jobs) close() {
	if j.own != nil {
		j.own.Close()
	}
}

// isCode reports whether an error is a refusal of this kind.
func isCode(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// trouble makes a refusal of an error of the runner, which may tell where that is.
func (j *Jobs) trouble(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	j.log.ErrorContext(ctx, "the runner of jobs failed", "error", err)
	return refuse(NoRunner, "jobs cannot be looked after now")
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

// start has a job done and returns its state. An earlier one is left alone, unless it failed, lost its page, or is to have more parts.
func (j *Jobs) start(ctx context.Context, study string, n jobNote) (Job, error) {
	ctx, stop := lasting(ctx) // what was begun is finished
	defer stop()
	n.key = n.Job.Key()
	_, ok, err := j.note(ctx, study, n.key)
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
func (j *Jobs) submit(ctx context.Context, study string, n jobNote) error {
	n.Created = j.now().UTC()
	old, ok, err := j.note(ctx, study, n.key)
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
	j.counters.JobsSent.Add(1)
	if n.Kind == job.Report { // the runner may take it for done, though its page was forgotten
		if err := j.runner.Drop(ctx, n.key); err != nil {
			return j.trouble(ctx, err)
		}
	}
	return j.trouble(ctx, j.runner.Submit(ctx, n.Job))
}

// look returns a job of a study and, if that is not over, how far the runner is with it.
func (j *Jobs) look(ctx context.Context, study, key string) (jobNote, job.Progress, error) {
	for range maxTries {
		n, ok, err := j.note(ctx, study, key)
		if err != nil {
			return n, job.Progress{}, err
		}
		if !ok {
			return n, job.Progress{}, refuse(NoJob, "study %q has no job %q: no such job", study, key)
		}
		if n.Over {
			if j.leave(study, key) { // another process collected it; this one's runner may still be at it
				err = j.trouble(ctx, j.runner.Drop(ctx, key))
			}
			return n, job.Progress{Parts: n.Parts, Done: n.Done}, err
		}
		j.all.Store(followed{study, key}, true)
		p, err := j.runner.Progress(ctx, key)
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
	return jobNote{}, job.Progress{}, fmt.Errorf("live: job %q of study %q: %w", key, study, prefer.ErrConflict)
}

// advance submits a job again, or keeps the results of one that is over in its note. moved says to look at it again. The caller holds changing.
func (j *Jobs) advance(ctx context.Context, study, key string) (moved bool, err error) {
	p, unknown := j.runner.Progress(ctx, key)
	if unknown != nil && !errors.Is(unknown, job.ErrUnknown) {
		return false, j.trouble(ctx, unknown)
	}
	n, ok, err := j.note(ctx, study, key) // after the runner: who collects a job keeps the result before that forgets it
	if err != nil || !ok || n.Over {
		return true, err
	}
	if unknown != nil || p.Parts < n.Parts {
		return true, j.trouble(ctx, j.runner.Submit(ctx, n.Job))
	}
	results, err := j.runner.Results(ctx, key)
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
	count := &j.counters.JobsDone
	if n.Failure != "" {
		count = &j.counters.JobsFailed
	}
	count.Add(1)
	return true, j.forget(ctx, study, key)
}

// forget has the runner forget a job.
func (j *Jobs) forget(ctx context.Context, study, key string) error {
	j.leave(study, key)
	return j.trouble(ctx, j.runner.Drop(ctx, key))
}

// lookJob looks at a job of a study that is there.
func (s *Studies) lookJob(ctx context.Context, study, id string) (n jobNote, p job.Progress, err error) {
	err = s.With(ctx, study, func(*Study) (err error) {
		n, p, err = s.Jobs.look(ctx, study, id)
		return err
	})
	return n, p, err
}

// Job returns a job of a study with what came of it so far.
func (s *Studies) Job(ctx context.Context, study, id string) (Job, error) {
	n, p, err := s.lookJob(ctx, study, id)
	if err != nil {
		return Job{}, err
	}
	var results [][]byte
	if !n.Over && n.Kind == job.Simulation && p.Done > 0 {
		results, err = s.Jobs.runner.Results(ctx, id)
		if err != nil && !errors.Is(err, job.ErrUnknown) { // collected meanwhile: the next look tells
			return Job{}, s.Jobs.trouble(ctx, err)
		}
	}
	return n.describe(p, results)
}

// ListJobs returns the jobs of a study, the newest first. Of simulations that are not over it has no results.
func (s *Studies) ListJobs(ctx context.Context, study string) ([]Job, error) {
	var all []jobNote
	err := s.With(ctx, study, func(*Study) (err error) {
		all, err = s.Jobs.notes(ctx, study)
		return err
	})
	out := []Job{}
	for _, n := range all {
		one, err := s.Jobs.described(ctx, study, n.key)
		if isCode(err, NoJob) {
			continue // dropped meanwhile
		}
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, err
}

// DropJob forgets a job of a study, with what came of it.
func (s *Studies) DropJob(ctx context.Context, study, id string) error {
	if _, _, err := s.lookJob(ctx, study, id); err != nil {
		return err
	}
	return s.Jobs.drop(ctx, study, id)
}

// drop forgets a job, its note first.
func (j *Jobs) drop(ctx context.Context, study, key string) error {
	names := []string{noteName(key)}
	if strings.HasPrefix(key, job.Report+"-") {
		names = append(names, store.Derived+key)
	}
	for _, name := range names {
		if err := j.store.DropNote(ctx, study, name); err != nil {
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
		return refuse(TooManyJobs, "%d jobs of this study are not over yet: wait for them, or delete one", left)
	}
	return nil
}

// maxJobs is how many a study has; a new one takes the place of the oldest that is over.
const maxJobs = 20

// Waiting returns how many jobs the room looks after that are not over.
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

// lookAfter collects what came of jobs until ctx ends.
func (j *Jobs) lookAfter(ctx context.Context) {
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
			patient, stop := context.WithTimeout(ctx, maxWait)
			_, _, err := j.look(patient, f.study, f.key)
			if isCode(err, NoJob) { // deleted, or somebody was forgotten
				err = j.forget(patient, f.study, f.key)
			}
			stop()
			if err != nil { // store or runner cannot be reached
				tick.Reset(seldom)
				break
			}
		}
	}
}
