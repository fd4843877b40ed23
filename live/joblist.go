package live

import (
	"context"
	"errors"
	"strings"

	"github.com/prefer-bo/prefer/job"
	"github.com/prefer-bo/prefer/store/contract"
)

// maxJobs is how many a study has; a new one takes the place of the oldest that is over.
const maxJobs = 20

// Job returns a job of a study with what came of it so far.
func (s *Studies) Job(ctx context.Context, study, id string) (out Job, err error) {
	err = s.With(ctx, study, func(*Study) error { // there is such a study
		n, p, err := s.Jobs.look(ctx, study, id)
		if err != nil {
			return err
		}
		var results [][]byte
		if !n.Over && n.Kind == job.Simulation && p.Done > 0 {
			results, err = s.Jobs.runner.Results(ctx, id)
			if err != nil && !errors.Is(err, job.ErrUnknown) { // collected meanwhile: the next look tells
				return s.Jobs.trouble(ctx, err)
			}
		}
		out, err = n.describe(p, results)
		return err
	})
	return out, err
}

// ListJobs returns the jobs of a study, the newest first. Of simulations that are not over it has no results.
func (s *Studies) ListJobs(ctx context.Context, study string) (out []Job, err error) {
	err = s.With(ctx, study, func(*Study) error {
		all, err := s.Jobs.notes(ctx, study)
		if err != nil {
			return err
		}
		out = []Job{}
		for _, n := range all {
			n, p, err := s.Jobs.look(ctx, study, n.key)
			if isCode(err, NoJob) {
				continue // dropped meanwhile
			}
			if err != nil {
				return err
			}
			one, err := n.describe(p, nil)
			if err != nil {
				return err
			}
			out = append(out, one)
		}
		return nil
	})
	return out, err
}

// DropJob forgets a job of a study, with what came of it.
func (s *Studies) DropJob(ctx context.Context, study, id string) error {
	return s.With(ctx, study, func(*Study) error {
		n, _, err := s.Jobs.look(ctx, study, id)
		if err != nil {
			return err
		}
		return s.Jobs.drop(ctx, study, n.key)
	})
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
