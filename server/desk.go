package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/job"
)

// newDesk returns a desk in this process: one part at a time, and none is begun while raters wait for a search.
func (s *Server) newDesk() *job.Local {
	media := func(study, name string) ([]byte, error) {
		f, err := s.openMedia(study, name, true)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(f)
	}
	kinds := job.Studies{Store: s.cfg.Store, Media: media, Version: s.cfg.Version}.Kinds()
	for kind, do := range kinds {
		kinds[kind] = func(ctx context.Context, body json.RawMessage, part int) ([]byte, error) {
			if !s.slots.take(ctx, true) {
				return nil, context.Cause(ctx)
			}
			s.slots.give() // to hold it for minutes would keep the crew from its work
			return do(ctx, body, part)
		}
	}
	return job.NewLocal(kinds, 1)
}

// errNoJob is a job that a study does not have.
var errNoJob = errors.New("no such job")

// deskTrouble makes a problem of an error of the desk.
func (s *Server) deskTrouble(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	s.log.ErrorContext(ctx, "the desk for jobs failed", "error", err)
	return refuse(http.StatusServiceUnavailable, "desk_unavailable", "jobs cannot be looked after now")
}

// hand hands in a job of a study and returns how it is. One that was handed in before is left alone,
// unless it failed, lost its page, or is to have more parts now.
func (s *Server) hand(ctx context.Context, study string, k kept) (kept, job.Progress, error) {
	k.key = k.Job.Key()
	_, ok, err := s.jobOf(ctx, study, k.key)
	if err == nil && !ok {
		err = s.makeRoom(ctx, study)
	}
	if err == nil {
		err = s.jobs.change(ctx, func() error { return s.handLocked(ctx, study, k) })
	}
	if err != nil {
		return k, job.Progress{}, err
	}
	return s.see(ctx, study, k.key)
}

// handLocked keeps the note and tells the desk. The caller holds jobs.changing.
func (s *Server) handLocked(ctx context.Context, study string, k kept) error {
	k.Created = s.cfg.Now().UTC()
	old, ok, err := s.jobOf(ctx, study, k.key)
	if err != nil {
		return err
	}
	if ok {
		k.Created, k.Parts = old.Created, max(k.Parts, old.Parts)
		again := old.Failure != "" || k.Parts > old.Parts
		if old.Over && !again && k.Kind == job.Report {
			_, has, err := s.cfg.Store.FindNote(ctx, study, job.ReportNote(k.Job))
			if err != nil {
				return err
			}
			again = !has
		}
		if !again {
			if old.Seconds == k.Seconds {
				return nil
			}
			old.Seconds = k.Seconds
			return s.keepJob(ctx, study, old)
		}
	}
	if err := s.keepJob(ctx, study, k); err != nil {
		return err
	}
	s.metrics.jobsSent.add(1)
	if k.Kind == job.Report { // the desk may take it for done, though its page was forgotten
		if err := s.desk.Drop(ctx, k.key); err != nil {
			return s.deskTrouble(ctx, err)
		}
	}
	return s.deskTrouble(ctx, s.desk.Submit(ctx, k.Job))
}

// see returns a job of a study and, if that is not over, how far the desk is with it. One that the desk
// does not know is handed in again; the results of one that is over are taken in.
func (s *Server) see(ctx context.Context, study, key string) (kept, job.Progress, error) {
	for range maxTries {
		k, ok, err := s.jobOf(ctx, study, key)
		if err != nil {
			return k, job.Progress{}, err
		}
		if !ok {
			return k, job.Progress{}, fmt.Errorf("server: study %q has no job %q: %w", study, key, errNoJob)
		}
		if k.Over {
			if s.jobs.leave(study, key) { // another server took it in; this one's desk may still be at it
				err = s.deskTrouble(ctx, s.desk.Drop(ctx, key))
			}
			return k, job.Progress{Parts: k.Parts, Done: k.Done}, err
		}
		s.jobs.follow(study, key)
		p, err := s.desk.Progress(ctx, key)
		switch {
		case errors.Is(err, job.ErrUnknown) || err == nil && p.Parts < k.Parts:
			err = s.jobs.change(ctx, func() error { return s.handAgain(ctx, study, key) })
		case err != nil:
			err = s.deskTrouble(ctx, err)
		case p.Over() || p.Parts > k.Parts && p.Done >= k.Parts: // there may be more parts than these: of a study that is described alike
			var over bool
			err = s.jobs.change(ctx, func() (err error) {
				over, err = s.takeIn(ctx, study, key)
				return err
			})
			if err == nil && !over {
				return k, p, nil
			}
		default:
			return k, p, nil
		}
		if err != nil {
			return k, job.Progress{}, err
		}
	}
	return kept{}, job.Progress{}, fmt.Errorf("server: job %q of study %q: %w", key, study, prefer.ErrConflict)
}

// handAgain hands in a job the desk does not know, unless it is over or gone: who took it in kept the result
// before the desk forgot it.
func (s *Server) handAgain(ctx context.Context, study, key string) error {
	k, ok, err := s.jobOf(ctx, study, key)
	if err != nil || !ok || k.Over {
		return err
	}
	return s.deskTrouble(ctx, s.desk.Submit(ctx, k.Job))
}

// takeIn keeps what came of a job, if it is over, and has the desk forget it.
func (s *Server) takeIn(ctx context.Context, study, key string) (over bool, err error) {
	k, ok, err := s.jobOf(ctx, study, key)
	if err != nil || !ok || k.Over {
		return true, err
	}
	p, err := s.desk.Progress(ctx, key)
	if errors.Is(err, job.ErrUnknown) {
		return true, nil // see looks again
	}
	if err != nil || p.Parts < k.Parts {
		return false, s.deskTrouble(ctx, err)
	}
	results, err := s.desk.Results(ctx, key)
	if errors.Is(err, job.ErrUnknown) {
		return true, nil
	}
	if err != nil || len(results) < k.Parts {
		return false, s.deskTrouble(ctx, err)
	}
	results = results[:k.Parts]
	k.Done = 0
	for _, r := range results {
		if r != nil {
			k.Done++
		}
	}
	if k.Done < k.Parts && !p.Over() {
		return false, nil
	}
	if k.Done < k.Parts {
		k.Failure = cmp.Or(strings.TrimPrefix(p.Failure, "job: "), "some of it was not done, and nobody said why")
	}
	switch k.Kind {
	case job.Simulation:
		result, err := job.Simulated(k.Job, results)
		if err != nil {
			return false, err
		}
		for i := range result.Levels {
			result.Levels[i].People = nil
		}
		k.Result = &result
	case job.Report:
		_, has, err := s.cfg.Store.FindNote(ctx, study, job.ReportNote(k.Job))
		if err != nil {
			return false, err
		}
		if !has && k.Failure == "" {
			k.Failure = "somebody was forgotten since, and the page with her: ask for it again"
		}
	}
	k.Over = true
	if err := s.keepJob(ctx, study, k); err != nil {
		return false, err
	}
	if k.Failure != "" {
		s.metrics.jobsFailed.add(1)
	} else {
		s.metrics.jobsDone.add(1)
	}
	s.jobs.leave(study, key)
	return true, s.deskTrouble(ctx, s.desk.Drop(ctx, key))
}
