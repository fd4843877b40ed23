// Package schema reads a study as people write it down, in JSON, and publishes what that may be.
package schema

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/exact"
)

//go:embed study.json
var study string

// Study returns the JSON Schema of what ReadStudy reads.
func Study() string { return study }

// ReadStudy reads the description of a new study: JSON with the fields of prefer.Config, and params, constraints and
// items with their circular features, either under "space" or beside the rest. A field it does not know is an error.
func ReadStudy(r io.Reader) (prefer.Config, error) {
	var file struct {
		prefer.Config
		Schema      string             `json:"$schema"`
		Budget      *int               `json:"budget"`    // in place of the config's, where 0 stands for none
		Tolerance   json.RawMessage    `json:"tolerance"` // in place of the config's, to blame it by name
		Parameters  []prefer.Parameter `json:"params"`
		Constraints []string           `json:"constraints"`
		Items       []prefer.Item      `json:"items"`
		Circular    map[string]float64 `json:"circular"`
		Own         bool               `json:"own"`
	}
	text, err := io.ReadAll(r)
	if err == nil {
		err = exact.Decode(text, &file)
	}
	if err != nil {
		return prefer.Config{}, fmt.Errorf("prefer: the study is not what it should be: %w", err)
	}
	beside := len(file.Parameters) + len(file.Constraints) + len(file.Items) + len(file.Circular)
	under := len(file.Space.Parameters) + len(file.Space.Constraints) + len(file.Space.Items) + len(file.Space.Circular)
	switch {
	case beside > 0 && under > 0:
		return prefer.Config{}, errors.New("prefer: the study has params, constraints or items both under \"space\" and beside it, want one place")
	case beside > 0:
		file.Space = prefer.Space{Parameters: file.Parameters, Constraints: file.Constraints, Items: file.Items, Circular: file.Circular, Own: file.Own}
	}
	switch {
	case file.Mixture != 0:
		return prefer.Config{}, errors.New("prefer: the study has \"mixture\", which is gone: it was slower and seldom better; leave it out")
	case file.Search.Nested:
		return prefer.Config{}, errors.New("prefer: the study has \"nested\" under \"search\", which is gone: it found the same questions; leave it out")
	}
	cfg := file.Config
	if file.Budget != nil {
		if cfg.Budget = *file.Budget; cfg.Budget < 1 {
			return prefer.Config{}, &FieldError{"budget", cfg.Budget, fmt.Errorf("prefer: budget = %d answers, want at least 1; leave it out for no end but the verdict's own", cfg.Budget)}
		}
	}
	if file.Tolerance == nil {
		return cfg, cfg.Validate()
	}
	if err := json.Unmarshal(file.Tolerance, &cfg.Tolerance); err != nil {
		return prefer.Config{}, &FieldError{"tolerance", file.Tolerance, fmt.Errorf("prefer: tolerance = %s: %w", file.Tolerance, err)}
	}
	err = cfg.Validate()
	without := cfg
	without.Tolerance = prefer.Tolerance{}
	if err != nil && without.Validate() == nil {
		err = &FieldError{"tolerance", file.Tolerance, err}
	}
	return cfg, err
}

// FieldError is what is wrong with one field of a study file.
type FieldError struct {
	Field string
	Value any
	Err   error
}

func (e *FieldError) Error() string { return e.Err.Error() }

func (e *FieldError) Unwrap() error { return e.Err }
