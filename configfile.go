package prefer

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
)

// ConfigSchema is the published JSON Schema of what ReadConfig reads.
//
//go:embed schema/study.json
var ConfigSchema []byte

// ReadConfig reads a study as people write it down: JSON with the fields of Config, and params,
// constraints or items either under "space" or beside the rest. A field it does not know is an error.
func ReadConfig(r io.Reader) (Config, error) {
	var file struct {
		Config
		Schema      string      `json:"$schema"`
		Parameters  []Parameter `json:"params"`
		Constraints []string    `json:"constraints"`
		Items       []Item      `json:"items"`
	}
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return Config{}, fmt.Errorf("prefer: the study is not what it should be: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return Config{}, fmt.Errorf("prefer: the study goes on after its closing brace")
	}
	beside := len(file.Parameters) + len(file.Constraints) + len(file.Items)
	under := len(file.Space.Parameters) + len(file.Space.Constraints) + len(file.Space.Items)
	switch {
	case beside > 0 && under > 0:
		return Config{}, fmt.Errorf("prefer: the study has params, constraints or items both under \"space\" and beside it, want one place")
	case beside > 0:
		file.Space = Space{Parameters: file.Parameters, Constraints: file.Constraints, Items: file.Items}
	}
	if err := file.Config.Validate(); err != nil {
		return Config{}, err
	}
	return file.Config, nil
}
