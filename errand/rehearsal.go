package errand

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/rehearse"
)

// Simulation is the kind of errand that is a rehearsal with simulated people; a part is one of them.
const Simulation = "simulation"

// rehearsal is the body: what a person depends on. How many come is the number of parts.
type rehearsal struct {
	Study        prefer.Config    `json:"study"`
	Noise        []rehearse.Noise `json:"noise"`
	MaxQuestions int              `json:"max_questions"`
	Seed         uint64           `json:"seed"`
}

// NewRehearsal makes an errand of a rehearsal. A Truth cannot travel.
func NewRehearsal(c rehearse.Config) (Errand, error) {
	if c.Truth != nil {
		return Errand{}, errors.New("errand: Config.Truth is a function, which cannot be sent anywhere; use rehearse.Run")
	}
	c, err := c.Complete()
	if err != nil {
		return Errand{}, err
	}
	body, err := json.Marshal(rehearsal{c.Study, c.Noise, c.MaxQuestions, c.Seed})
	return Errand{Kind: Simulation, Body: body, Parts: c.Parts()}, err
}

// config reads a body. A field it does not know would change what is asked for, and is an error.
func (r *rehearsal) config(body json.RawMessage) (rehearse.Config, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return rehearse.Config{}, fmt.Errorf("errand: the body of a %s is not what it should be: %w", Simulation, err)
	}
	return rehearse.Config{Study: r.Study, Noise: r.Noise, MaxQuestions: r.MaxQuestions, Seed: r.Seed}, nil
}

// doPerson does a part of a rehearsal.
func doPerson(ctx context.Context, body json.RawMessage, part int) ([]byte, error) {
	c, err := new(rehearsal).config(body)
	if err != nil {
		return nil, err
	}
	one, err := rehearse.Part(ctx, c, part)
	if err != nil {
		return nil, err
	}
	return json.Marshal(one)
}

// Rehearsed returns what came of a rehearsal so far, given the results of its parts.
func Rehearsed(e Errand, results [][]byte) (rehearse.Result, error) {
	c, err := new(rehearsal).config(e.Body)
	if err != nil {
		return rehearse.Result{}, err
	}
	levels := max(1, len(c.Noise))
	if len(results)%levels != 0 {
		return rehearse.Result{}, fmt.Errorf("errand: %d results at %d levels of noise, want as many at each", len(results), levels)
	}
	c.Raters = len(results) / levels
	parts := make([]*rehearse.One, len(results))
	for i, text := range results {
		if text == nil {
			continue
		}
		parts[i] = new(rehearse.One)
		if err := json.Unmarshal(text, parts[i]); err != nil {
			return rehearse.Result{}, fmt.Errorf("errand: result %d of a %s: %w", i, Simulation, err)
		}
	}
	return rehearse.Merge(c, parts)
}
