package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/store/contract"
)

type ensureInput struct {
	Study   string `path:"study"`
	RawBody []byte `contentType:"application/json"`
}

type ensureOutput struct {
	Status int
	Body   Study
}

// ensure makes a study, or finds the one of that name if it was made of the same configuration: sent twice it is sent once. The
// settings of one that is there stay as they are. The owner may; one of another configuration is a 409 that says in what it differs.
func (s *Server) ensure(ctx context.Context, in *ensureInput) (*ensureOutput, error) {
	d, err := s.readStudy(ctx, in.RawBody, in.Study)
	if err != nil {
		return nil, err
	}
	out := &ensureOutput{Status: http.StatusCreated}
	if err = s.studies.Create(ctx, d.name, d.config, d.settings); errors.Is(err, contract.ErrExists) {
		out.Status = http.StatusOK
		err = s.studies.With(ctx, d.name, func(open *live.Study) error { return madeOf(ctx, open, d) })
	}
	if err != nil {
		return nil, s.explain(ctx, err, "body.name")
	}
	found, err := s.study(ctx, &studyInput{d.name})
	if err == nil {
		out.Body = found.Body
	}
	return out, err
}

// madeOf reports in what the configuration that a study was made of differs from a description.
func madeOf(ctx context.Context, open *live.Study, d *description) error {
	wanted, err := prefer.New(ctx, d.made())
	if err != nil {
		return err
	}
	theirs, ours := open.Study.Events(0)[0].Created.Config, wanted.Events(0)[0].Created.Config
	was, err := fieldsOf(theirs)
	if err != nil {
		return err
	}
	is, err := fieldsOf(ours)
	if err != nil {
		return err
	}
	other := differing(was, is, "")
	if said := slices.DeleteFunc(slices.Clone(other), derived); len(said) > 0 {
		other = said
	}
	if len(other) > 0 {
		return problem.New(http.StatusConflict, "study_differs", fmt.Sprintf("there is a study %q that was made with another %s: choose another name, or delete it", d.name, strings.Join(other, ", ")))
	}
	return nil
}

// made is the configuration as Create keeps it.
func (d *description) made() prefer.Config {
	cfg := d.config
	if cfg.Budget == 0 {
		cfg.Budget = d.settings.Page.Goal
	}
	return cfg
}

// derived reports whether a field follows from others unless somebody sets it: of the model by the space and the answers, say.
func derived(field string) bool {
	top, _, _ := strings.Cut(field, ".")
	return !slices.Contains([]string{"space", "answers", "prompt", "people", "budget", "seed", "method"}, top)
}

// fieldsOf returns a configuration as a log has it.
func fieldsOf(c prefer.Config) (map[string]any, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // a seed may have more digits than a float64
	var fields map[string]any
	if err := d.Decode(&fields); err != nil {
		return nil, err
	}
	space, _ := fields["space"].(map[string]any)
	params, _ := space["params"].([]any)
	for _, p := range params {
		if p, ok := p.(map[string]any); ok && (p["type"] == nil || p["type"] == "") {
			p["type"] = "float" // what it is where nobody says
		}
	}
	return fields, nil
}

// differing names the fields in which two configurations differ, those of a space one by one.
func differing(a, b map[string]any, under string) (names []string) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		x, y := a[name], b[name]
		inA, nestedA := x.(map[string]any)
		inB, nestedB := y.(map[string]any)
		if nestedA && nestedB && under == "" {
			names = append(names, differing(inA, inB, name+".")...)
		} else if !equalJSON(x, y) {
			names = append(names, under+name)
		}
	}
	return names
}

// equalJSON compares values as they were decoded.
func equalJSON(a, b any) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}
