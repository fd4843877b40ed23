// Package schema reads a study as people write it down, in JSON, and publishes what that may be.
package schema

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/prefer-bo/prefer"
)

//go:embed study.json
var study string

// Study returns the JSON Schema of what ReadStudy reads.
func Study() string { return study }

// ReadStudy reads the description of a new study: JSON with the fields of prefer.Config, and params, constraints or
// items either under "space" or beside the rest. A field it does not know is an error.
func ReadStudy(r io.Reader) (prefer.Config, error) {
	var file struct {
		prefer.Config
		Schema      string             `json:"$schema"`
		Parameters  []prefer.Parameter `json:"params"`
		Constraints []string           `json:"constraints"`
		Items       []prefer.Item      `json:"items"`
	}
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return prefer.Config{}, fmt.Errorf("prefer: the study is not what it should be: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return prefer.Config{}, errors.New("prefer: the study goes on after its closing brace")
	}
	beside := len(file.Parameters) + len(file.Constraints) + len(file.Items)
	under := len(file.Space.Parameters) + len(file.Space.Constraints) + len(file.Space.Items)
	switch {
	case beside > 0 && under > 0:
		return prefer.Config{}, errors.New("prefer: the study has params, constraints or items both under \"space\" and beside it, want one place")
	case beside > 0:
		file.Space = prefer.Space{Parameters: file.Parameters, Constraints: file.Constraints, Items: file.Items}
	}
	switch {
	case file.Mixture != 0:
		return prefer.Config{}, errors.New("prefer: the study has \"mixture\", which is gone: it was slower and seldom better; leave it out")
	case file.Search.Nested:
		return prefer.Config{}, errors.New("prefer: the study has \"nested\" under \"search\", which is gone: it found the same questions; leave it out")
	}
	if err := file.Config.Validate(); err != nil {
		return prefer.Config{}, err
	}
	return file.Config, nil
}
