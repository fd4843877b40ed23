package job

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/report"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/store"
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

// Report is the kind of job that writes a report about a study. The page is kept beside the study, as the
// note ReportNote names, and nowhere else, so that forgetting a rater or deleting the study reaches it.
const Report = "report"

// ReportRequest says what a report is about.
type ReportRequest struct {
	Study string `json:"study"`
	Seq   int    `json:"seq"`             // of the last event it takes in
	Rater string `json:"rater,omitempty"` // in a study per rater, whose taste; without one it is about the group
	Title string `json:"title,omitempty"` // defaults to the study's name

	Procedure string `json:"conduct,omitempty"` // how questions were put to people
	Budget    int    `json:"budget,omitempty"`  // answers that each was to give
}

// NewReport makes a job of it.
func NewReport(r ReportRequest) (Job, error) {
	if r.Study == "" || r.Seq < 1 {
		return Job{}, fmt.Errorf("job: a report on study %q up to event %d, want a name and a number from 1 on", r.Study, r.Seq)
	}
	body, err := json.Marshal(r)
	return Job{Kind: Report, Body: body, Parts: 1}, err
}

// ReportNote is the name of the note that holds the page.
func ReportNote(j Job) string { return store.Derived + j.Key() }

// doReport writes a report and keeps it. Its result is the size of the page.
func (s Studies) doReport(ctx context.Context, body json.RawMessage, _ int) ([]byte, error) {
	if s.Store == nil {
		return nil, errors.New("job: a report needs the store the study is in, and this worker has none: start it with --store")
	}
	var r ReportRequest
	if err := read(Report, body, &r); err != nil {
		return nil, err
	}
	kept, err := s.Store.Study(ctx, r.Study)
	if err != nil {
		return nil, err
	}
	events := kept.Events(0)
	if r.Seq < 1 || r.Seq > len(events) {
		return nil, fmt.Errorf("job: a report on study %q up to event %d, but it has %d", r.Study, r.Seq, len(events))
	}
	study := kept
	if r.Seq < len(events) { // answers have come since
		if study, err = prefer.Open(ctx, events[:r.Seq], prefer.OpenOptions{}); err != nil {
			return nil, err
		}
	}
	o := report.Options{Title: cmp.Or(r.Title, r.Study), Rater: r.Rater, Version: s.Version, Procedure: r.Procedure, Budget: r.Budget}
	if s.Media != nil {
		o.Media = func(name string) ([]byte, error) { return s.Media(r.Study, name) }
	}
	if s.Draw != nil {
		if o.Draw, err = s.Draw(ctx, r.Study, study); err != nil {
			return nil, err
		}
	}
	if s.Checks != nil {
		if o.Checks, err = s.Checks(ctx, r.Study, study); err != nil {
			return nil, err
		}
	}
	var page bytes.Buffer
	if err := report.Write(ctx, &page, study, o); err != nil {
		return nil, err
	}
	if err := s.Store.KeepDerived(ctx, kept, ReportNote(Job{Kind: Report, Body: body}), page.String()); err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"bytes":%d}`, page.Len()), nil
}
