package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/simulate"
)

// Simulation is the kind of job that simulates people; a part is one of them.
const Simulation = "simulation"

// simulation is the body: what a person depends on. How many come is the number of parts.
type simulation struct {
	Study        prefer.Config    `json:"study"`
	Noise        []simulate.Noise `json:"noise"`
	MaxQuestions int              `json:"max_questions"`
	Seed         uint64           `json:"seed"`
	Decisive     bool             `json:"decisive,omitempty"`
	Clearly      string           `json:"clearly,omitempty"`
}

// NewSimulation makes a job of a simulation. A Truth cannot travel.
func NewSimulation(c simulate.Config) (Job, error) {
	if c.Truth != nil {
		return Job{}, errors.New("job: Config.Truth is a function, which cannot be sent anywhere; use simulate.Run")
	}
	if c.Study.Chooser != nil {
		return Job{}, fmt.Errorf("job: Config.Study.Chooser, the method %q, is a function, which cannot be sent anywhere; use simulate.Run", c.Study.Method)
	}
	c, err := c.Complete()
	if err != nil {
		return Job{}, err
	}
	body, err := json.Marshal(simulation{c.Study, c.Noise, c.MaxQuestions, c.Seed, c.Decisive, c.Clearly})
	return Job{Kind: Simulation, Body: body, Parts: c.Parts()}, err
}

func (r *simulation) config(body json.RawMessage) (simulate.Config, error) {
	if err := read(Simulation, body, r); err != nil {
		return simulate.Config{}, err
	}
	return simulate.Config{Study: r.Study, Noise: r.Noise, MaxQuestions: r.MaxQuestions, Seed: r.Seed, Decisive: r.Decisive, Clearly: r.Clearly}, nil
}

func doPerson(ctx context.Context, body json.RawMessage, part int) ([]byte, error) {
	c, err := new(simulation).config(body)
	if err != nil {
		return nil, err
	}
	one, err := simulate.Part(ctx, c, part)
	if err != nil {
		return nil, err
	}
	return json.Marshal(one)
}

// Simulated returns what came of a simulation so far, given the results of its parts.
func Simulated(j Job, results [][]byte) (simulate.Result, error) {
	c, err := new(simulation).config(j.Body)
	if err != nil {
		return simulate.Result{}, err
	}
	levels := max(1, len(c.Noise))
	if len(results)%levels != 0 {
		return simulate.Result{}, fmt.Errorf("job: %d results at %d levels of noise, want as many at each", len(results), levels)
	}
	c.Raters = len(results) / levels
	parts := make([]*simulate.One, len(results))
	for i, text := range results {
		if text == nil {
			continue
		}
		parts[i] = new(simulate.One)
		if err := json.Unmarshal(text, parts[i]); err != nil {
			return simulate.Result{}, fmt.Errorf("job: result %d of a %s: %w", i, Simulation, err)
		}
	}
	return simulate.Merge(c, parts)
}
