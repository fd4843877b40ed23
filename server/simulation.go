package server

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/job"
	"github.com/prefer-bo/prefer/simulate"
)

// Simulation is what came of a simulation of people who are not there.
type Simulation struct {
	Raters       int               `json:"raters" doc:"People at each level of noise."`
	MaxQuestions int               `json:"max_questions"`
	Confidence   float64           `json:"confidence" doc:"Of the study's verdicts."`
	Seed         uint64            `json:"seed"`
	Levels       []SimulationLevel `json:"levels" nullable:"false"`
	Caveat       string            `json:"caveat" doc:"Belongs beside every number."`
}

// SimulationLevel is what came of the people at one level of noise.
type SimulationLevel struct {
	Noise string `json:"noise"`
	simulate.Summary
	Near     string `json:"near" doc:"How near a person's best a good pick is."`
	Sentence string `json:"sentence" doc:"For a protocol: questions, minutes, and how good the picks were."`
}

func newSimulation(r simulate.Result, seconds float64) *Simulation {
	out := &Simulation{Raters: r.Raters, MaxQuestions: r.MaxQuestions, Confidence: r.Confidence, Seed: r.Seed, Caveat: simulate.Caveat}
	for _, l := range r.Levels {
		level := SimulationLevel{Noise: l.Noise.String(), Summary: l.Summary, Near: l.Near(), Sentence: l.Sentence(time.Duration(seconds * float64(time.Second)))}
		if level.Questions == nil { // nobody has finished
			level.Questions = []simulate.Quantile{}
		}
		if level.Budgets == nil {
			level.Budgets = []simulate.Budget{}
		}
		out.Levels = append(out.Levels, level)
	}
	return out
}

type simulationInput struct {
	Study string          `path:"study"`
	Body  *simulationBody `required:"false"`
}

type simulationBody struct {
	Raters       int      `json:"raters,omitempty" minimum:"1" maximum:"1000" default:"24" doc:"Simulated people at each level of noise. More than before: the simulation grows."`
	Noise        []string `json:"noise,omitempty" minItems:"1" maxItems:"6" nullable:"false" doc:"Levels of noise: prior (as the model expects; the default), low, high, a share of wrong answers like 20%, or σ in units of the utility's spread like 0.25."`
	MaxQuestions int      `json:"max_questions,omitempty" minimum:"1" maximum:"300" default:"60" doc:"When a person without a verdict goes home."`
	Seed         uint64   `json:"seed,omitempty" doc:"Another seed, other people."`
	Seconds      float64  `json:"seconds_per_answer,omitempty" exclusiveMinimum:"0" maximum:"3600" default:"5" doc:"How long a person takes for an answer."`
}

// maxSimulated bounds people × levels × questions: some hours of one processor.
const maxSimulated = 100_000

func (s *Server) registerSimulations() {
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/simulations", "simulate", "Simulate the study with simulated people", forOwner, func(op *huma.Operation) {
		op.DefaultStatus = http.StatusAccepted
	}), s.simulate)
}

func (s *Server) simulate(ctx context.Context, in *simulationInput) (out *acceptedOutput, err error) {
	body := simulationBody{Raters: 24, MaxQuestions: 60, Seconds: 5}
	if in.Body != nil {
		body = *in.Body
	}
	c := simulate.Config{Raters: body.Raters, MaxQuestions: body.MaxQuestions, Seed: body.Seed}
	for i, text := range body.Noise {
		n, err := simulate.ParseNoise(text)
		if err != nil {
			return nil, invalid(fmt.Sprintf("body.noise[%d]", i), text, err.Error())
		}
		c.Noise = append(c.Noise, n)
	}
	if all := c.Raters * max(1, len(c.Noise)) * c.MaxQuestions; all > maxSimulated {
		return nil, invalid("body", all, fmt.Sprintf("%d raters at %d levels of noise with %d questions each are %d questions, want at most %d: ask for fewer, or use \"prefer simulate\"",
			c.Raters, max(1, len(c.Noise)), c.MaxQuestions, all, maxSimulated))
	}
	err = s.with(ctx, in.Study, func(r *running) error {
		c.Study = r.cfg
		if items := r.study.Items(); items != nil { // those that joined, too
			c.Study.Space.Items = make([]prefer.Item, len(items))
			for i, it := range items {
				c.Study.Space.Items[i] = prefer.Item{ID: it.ID, Features: it.Features} // simulated people look at nothing else
			}
		}
		e, err := job.NewSimulation(c)
		if err != nil {
			return invalid("path.study", in.Study, err.Error())
		}
		out, err = s.accept(ctx, r.name, kept{Job: e, Seconds: body.Seconds})
		return err
	})
	return out, s.explain(ctx, err, "")
}
