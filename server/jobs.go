package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer/job"
)

// Job is long work about a study that was asked for, and how far it is.
type Job struct {
	ID      string    `json:"job"`
	Kind    string    `json:"kind" enum:"simulation,report"`
	State   string    `json:"state" enum:"waiting,running,done,failed"`
	Parts   int       `json:"parts" doc:"Of a simulation, people at all levels of noise."`
	Done    int       `json:"done" doc:"How many of them are."`
	Workers *int      `json:"workers,omitempty" doc:"How many workers there are, while it is not over. None: it waits until one comes."`
	Created time.Time `json:"created"`
	Failure string    `json:"failure,omitempty" doc:"What went wrong. Asking for the same again is another attempt."`

	Result *Simulation `json:"result,omitempty" doc:"Of a simulation: what came of it so far; in the list only when it is over."`

	Seq     int    `json:"seq,omitempty" doc:"Of a report: the number of the last event it takes in."`
	Answers int    `json:"answers,omitempty" doc:"Of a report: how many answers it takes in."`
	Rater   string `json:"rater,omitempty" doc:"Of a report: whose taste it is about."`
	URL     string `json:"url,omitempty" doc:"Of a report that is done: its page."`
}

type jobInput struct {
	Study string `path:"study"`
	Job   string `path:"job" maxLength:"200"`
}

type jobsOutput struct {
	Body struct {
		Jobs []Job `json:"jobs" nullable:"false" doc:"The newest first."`
	}
}

// acceptedOutput answers who asks for a job.
type acceptedOutput struct {
	Location string `header:"Location"`
	Body     Job
}

func (s *Server) registerJobs() {
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/jobs", "jobs", "The simulations and reports of a study", forOwner), s.listJobs)
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/jobs/{job}", "job", "How far a simulation or report is, and what came of it", forOwner),
		func(ctx context.Context, in *jobInput) (*output[Job], error) {
			e, err := s.job(ctx, in.Study, in.Job)
			return &output[Job]{e}, s.explain(ctx, err, "")
		})
	huma.Register(s.api, operation(http.MethodDelete, "/v1/studies/{study}/jobs/{job}", "drop-job", "Drop a simulation or report, and what came of it", forOwner),
		func(ctx context.Context, in *jobInput) (*struct{}, error) {
			err := s.withJob(ctx, in.Study, in.Job, func(k kept, _ job.Progress) error { return s.dropJob(ctx, in.Study, k.key) })
			return nil, s.explain(ctx, err, "")
		})
}

// withJob runs do on a job of a study that is there.
func (s *Server) withJob(ctx context.Context, study, key string, do func(kept, job.Progress) error) error {
	return s.with(ctx, study, func(r *running) error {
		k, p, err := s.see(ctx, r.name, key)
		if err != nil {
			return err
		}
		return do(k, p)
	})
}

func (s *Server) listJobs(ctx context.Context, in *studyInput) (*jobsOutput, error) {
	out := &jobsOutput{}
	err := s.with(ctx, in.Study, func(r *running) error {
		all, err := s.jobsOf(ctx, r.name)
		if err != nil {
			return err
		}
		out.Body.Jobs = []Job{}
		for _, k := range all {
			k, p, err := s.see(ctx, r.name, k.key)
			if errors.Is(err, errNoJob) {
				continue // dropped meanwhile
			}
			if err != nil {
				return err
			}
			e, err := s.describeJob(r.name, k, p, nil)
			if err != nil {
				return err
			}
			out.Body.Jobs = append(out.Body.Jobs, e)
		}
		return nil
	})
	return out, s.explain(ctx, err, "")
}

// job returns a job of a study with what came of it so far.
func (s *Server) job(ctx context.Context, study, key string) (out Job, err error) {
	err = s.withJob(ctx, study, key, func(k kept, p job.Progress) (err error) {
		var results [][]byte
		if !k.Over && k.Kind == job.Simulation && p.Done > 0 {
			results, err = s.desk.Results(ctx, key)
			if err != nil && !errors.Is(err, job.ErrUnknown) { // taken in meanwhile: the next look tells
				return s.deskTrouble(ctx, err)
			}
		}
		out, err = s.describeJob(study, k, p, results)
		return err
	})
	return out, err
}

// describeJob puts together what is told of a job. results are those of its parts so far, of a simulation that is
// not over.
func (s *Server) describeJob(study string, k kept, p job.Progress, results [][]byte) (Job, error) {
	e := Job{ID: k.key, Kind: k.Kind, State: p.State(), Parts: k.Parts, Done: min(p.Done, k.Parts), Created: k.Created, Failure: k.Failure, Answers: k.Answers}
	switch {
	case k.Failure != "":
		e.State = "failed"
	case !k.Over:
		e.Workers, e.Failure = &p.Workers, p.Failure
	}
	switch k.Kind {
	case job.Simulation:
		result := k.Result
		if len(results) >= k.Parts {
			partial, err := job.Simulated(k.Job, results[:k.Parts])
			if err != nil {
				return e, err
			}
			result = &partial
		}
		if result != nil {
			e.Result = newSimulation(*result, k.Seconds)
		}
	case job.Report:
		var about job.ReportRequest
		if err := json.Unmarshal(k.Body, &about); err != nil {
			return e, err
		}
		e.Seq, e.Rater = about.Seq, about.Rater
		if e.State == "done" {
			e.URL = s.jobURL(study, k.key) + "/page"
		}
	}
	return e, nil
}

func (s *Server) jobURL(study, key string) string {
	return s.cfg.Prefix + "/v1/studies/" + url.PathEscape(study) + "/jobs/" + url.PathEscape(key)
}

// accept hands in a job and returns what to answer.
func (s *Server) accept(ctx context.Context, study string, k kept) (*acceptedOutput, error) {
	lasting, stop := lasting(ctx) // what was begun is finished
	defer stop()
	k, p, err := s.hand(lasting, study, k)
	if err != nil {
		return nil, err
	}
	e, err := s.describeJob(study, k, p, nil)
	return &acceptedOutput{s.jobURL(study, k.key), e}, err
}
