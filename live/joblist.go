package live

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/job"
	"github.com/prefer-bo/prefer/store/contract"
)

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
		n, p, err := s.Jobs.look(ctx, study, n.key)
		if isCode(err, NoJob) {
			continue // dropped meanwhile
		}
		if err != nil {
			return nil, err
		}
		one, err := n.describe(p, nil)
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
		names = append(names, contract.Derived+key)
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
func (j *Jobs) Waiting() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.all)
}

func (j *Jobs) follow(study, key string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.all[followed{study, key}] = true
}

// leave reports whether the job was looked after until now.
func (j *Jobs) leave(study, key string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	f := followed{study, key}
	was := j.all[f]
	delete(j.all, f)
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
		j.mu.Lock()
		all := slices.Collect(maps.Keys(j.all))
		j.mu.Unlock()
		for _, f := range all {
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
