package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/live/token"
)

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
			return n, job.Progress{}, cmp.Or(j.cfg.Exists(ctx, study), token.Refuse(NoJob, "study %q has no job %q", study, key))
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
	n, ok, err := j.find(ctx, study, key) // after the runner: collecting a job stores its result before the runner drops it
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
			n.Failure = "the page was erased together with a rater's data: create it again"
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

func (j *Jobs) forget(ctx context.Context, study, key string) error {
	j.leave(study, key)
	return j.trouble(ctx, j.cfg.Runner.Drop(ctx, key))
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
		return token.Refuse(TooManyJobs, "%d jobs of this study are unfinished: wait for them, or delete one", left)
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
