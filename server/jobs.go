package server

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/simulate"
)

type jobInput struct {
	Study string `path:"study"`
	Job   string `path:"job" maxLength:"200"`
}

type jobsOutputBody struct {
	Jobs []live.Job `json:"jobs" nullable:"false" doc:"The newest first."`
}

// acceptedOutput answers who asks for a job.
type acceptedOutput struct {
	Location string `header:"Location"`
	Body     live.Job
}

type simulationBody struct {
	Raters       int      `json:"raters,omitempty" minimum:"1" maximum:"1000" default:"24" doc:"Simulated raters at each level of noise. A larger number extends an earlier simulation."`
	Noise        []string `json:"noise,omitempty" minItems:"1" maxItems:"6" nullable:"false" doc:"Levels of noise: prior (as the model expects; the default), low, high, a share of wrong answers like 20%, or σ in units of the utility's spread like 0.25."`
	MaxQuestions int      `json:"max_questions,omitempty" minimum:"1" maximum:"300" default:"60" doc:"Maximum questions per simulated rater."`
	Seed         uint64   `json:"seed,omitempty" doc:"Random seed."`
	Seconds      float64  `json:"seconds_per_answer,omitempty" exclusiveMinimum:"0" maximum:"3600" default:"5" doc:"Seconds per answer."`
}

type reportInputBody struct {
	Rater string `json:"rater,omitempty" maxLength:"200" doc:"In a study per rater: the rater; without one, the group."`
	Title string `json:"title,omitempty" maxLength:"200" doc:"Defaults to the study's name."`
}

type pageOutput struct {
	Type   string `header:"Content-Type"`
	Policy string `header:"Content-Security-Policy"`
	Body   []byte
}

// reportPolicy is for a page with what people wrote, opened with the owner's cookie: an origin of its own, no scripts, nothing from elsewhere.
const reportPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'"

func registerJobs(s *Server) {
	register(s, operation(http.MethodGet, "/v1/studies/{study}/jobs", "jobs", "The simulations and reports of a study", gate.Owner), func(ctx context.Context, in *studyInput) (jobsOutputBody, error) {
		all, err := s.studies.Jobs.List(ctx, in.Study)
		for i := range all {
			all[i] = s.addressed(in.Study, all[i])
		}
		return jobsOutputBody{all}, err
	})
	register(s, operation(http.MethodGet, "/v1/studies/{study}/jobs/{job}", "job", "Progress and result of a simulation or report", gate.Owner), func(ctx context.Context, in *jobInput) (live.Job, error) {
		j, err := s.studies.Jobs.Get(ctx, in.Study, in.Job)
		return s.addressed(in.Study, j), err
	})
	registerChange(s, operation(http.MethodDelete, "/v1/studies/{study}/jobs/{job}", "drop-job", "Delete a simulation or report with its result", gate.Owner), func(ctx context.Context, in *jobInput) error {
		return s.studies.Jobs.Drop(ctx, in.Study, in.Job)
	})
	reply(s, operation(http.MethodPost, "/v1/studies/{study}/simulations", "simulate", "Simulate the study", gate.Owner, replyWith(http.StatusAccepted)), s.simulate)
	reply(s, operation(http.MethodPost, "/v1/studies/{study}/reports", "report", "Create a report about the study", gate.Owner, replyWith(http.StatusAccepted)), func(ctx context.Context, in *studyBody[*reportInputBody]) (*acceptedOutput, error) {
		about := given(in.Body)
		j, err := s.studies.Report(ctx, in.Study, about.Rater, about.Title)
		return s.accept(in.Study, j), err
	})
	reply(s, operation(http.MethodGet, "/v1/studies/{study}/jobs/{job}/page", "report-page", "The page of a report", gate.Owner, replyAs("One page that needs no other file and no script.", "text/html")), func(ctx context.Context, in *jobInput) (*pageOutput, error) {
		text, err := s.studies.Jobs.Page(ctx, in.Study, in.Job)
		return &pageOutput{Type: "text/html; charset=utf-8", Policy: reportPolicy, Body: []byte(text)}, err
	})
}

func (s *Server) jobURL(study, id string) string {
	return s.cfg.Prefix + "/v1/studies/" + url.PathEscape(study) + "/jobs/" + url.PathEscape(id)
}

func (s *Server) addressed(study string, j live.Job) live.Job {
	if j.Kind == job.Report && j.State == "done" {
		j.URL = s.jobURL(study, j.ID) + "/page"
	}
	return j
}

func (s *Server) accept(study string, j live.Job) *acceptedOutput {
	return &acceptedOutput{s.jobURL(study, j.ID), s.addressed(study, j)}
}

// simulate starts a simulation of a study. Too many people are a 422, too many jobs a 409.
func (s *Server) simulate(ctx context.Context, in *studyBody[*simulationBody]) (*acceptedOutput, error) {
	body := simulationBody{Raters: 24, MaxQuestions: 60, Seconds: 5}
	if in.Body != nil {
		body = *in.Body
	}
	c := simulate.Config{Raters: body.Raters, MaxQuestions: body.MaxQuestions, Seed: body.Seed}
	for i, text := range body.Noise {
		n, err := simulate.ParseNoise(text)
		if err != nil {
			return nil, problem.Field(fmt.Sprintf("body.noise[%d]", i), text, err.Error())
		}
		c.Noise = append(c.Noise, n)
	}
	j, err := s.studies.Simulate(ctx, in.Study, c, body.Seconds)
	return s.accept(in.Study, j), err
}
