package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/job"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/store"
)

// kept is a job as the study remembers it, in a note: enough to hand it in again if the desk has forgotten
// it, and in the end what came of it. So a server that is started again, or another one, can answer.
type kept struct {
	job.Job
	Created time.Time `json:"created"`

	// Of a simulation.
	Seconds float64          `json:"seconds,omitempty"` // a person takes for an answer
	Result  *simulate.Result `json:"result,omitempty"`  // when it is over, without the people

	// Of a report.
	Answers int `json:"answers,omitempty"` // it takes in

	Over    bool   `json:"over,omitempty"`
	Done    int    `json:"done,omitempty"` // parts, when it is over
	Failure string `json:"failure,omitempty"`

	key string
}

// Names of the notes begin so. A report is made from answers, and so is the note about it: both are removed when
// anybody is forgotten.
const (
	jobNote    = "errand/" // as logs written so far have it
	reportNote = store.Derived + jobNote
)

// jobNoteOf returns the name of the note about a job, by its key.
func jobNoteOf(key string) string {
	if strings.HasPrefix(key, job.Report+"-") {
		return reportNote + key
	}
	return jobNote + key
}

func readKept(n store.Note) (kept, error) {
	k := kept{key: strings.TrimPrefix(strings.TrimPrefix(n.Name, store.Derived), jobNote)}
	err := json.Unmarshal([]byte(n.Body), &k)
	if err == nil {
		err = k.Validate()
	}
	if err != nil {
		return k, fmt.Errorf("server: study %q: the note %q cannot be read: %w: %w", n.Study, n.Name, err, store.ErrCorrupt)
	}
	return k, nil
}

// jobOf returns a job of a study; ok is false if there is none.
func (s *Server) jobOf(ctx context.Context, study, key string) (k kept, ok bool, err error) {
	n, ok, err := s.cfg.Store.FindNote(ctx, study, jobNoteOf(key))
	if err != nil || !ok {
		return k, false, err
	}
	k, err = readKept(n)
	return k, err == nil, err
}

// jobsOf returns the jobs of a study, the newest first.
func (s *Server) jobsOf(ctx context.Context, study string) ([]kept, error) {
	var all []kept
	for _, begins := range []string{jobNote, reportNote} {
		notes, err := s.cfg.Store.Notes(ctx, study, begins)
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			k, err := readKept(n)
			if err != nil {
				return nil, err
			}
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.key, b.key)) })
	return all, nil
}

func (s *Server) keepJob(ctx context.Context, study string, k kept) error {
	body, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return s.cfg.Store.KeepNote(ctx, store.Note{Study: study, Name: jobNoteOf(k.key), Body: string(body)})
}

// dropJob forgets a job, with what came of it. The note goes first: while it is there, who finds the desk
// without the job hands it in again.
func (s *Server) dropJob(ctx context.Context, study, key string) error {
	names := []string{jobNoteOf(key)}
	if strings.HasPrefix(key, job.Report+"-") {
		names = append(names, store.Derived+key)
	}
	for _, name := range names {
		if err := s.cfg.Store.DropNote(ctx, study, name); err != nil {
			return err
		}
	}
	s.jobs.leave(study, key)
	return s.deskTrouble(ctx, s.desk.Drop(ctx, key))
}

// maxJobs is how many a study has; a new one takes the place of the oldest that is over.
const maxJobs = 20

// makeRoom drops the oldest jobs that are over, until one more fits.
func (s *Server) makeRoom(ctx context.Context, study string) error {
	all, err := s.jobsOf(ctx, study)
	if err != nil {
		return err
	}
	for i, left := len(all)-1, len(all); i >= 0 && left >= maxJobs; i-- {
		k, _, err := s.see(ctx, study, all[i].key)
		if err != nil {
			return err
		}
		if !k.Over {
			continue
		}
		if err := s.dropJob(ctx, study, k.key); err != nil {
			return err
		}
		left--
	}
	if all, err = s.jobsOf(ctx, study); err == nil && len(all) >= maxJobs {
		err = refuse(http.StatusConflict, "too_many_jobs", fmt.Sprintf("%d jobs of this study are not over yet: wait for them, or delete one", len(all)))
	}
	return err
}
