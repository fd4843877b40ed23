package exchange

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strconv"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

//go:embed study.json
var studySchema string

// StudySchema returns the JSON Schema of study files.
func StudySchema() string { return studySchema }

// ReadStudy reads the description of a new study: JSON with the fields of prefer.Config, and params, constraints and
// items with their circular features, either under "space" or beside the rest. A field it does not know is an error.
func ReadStudy(r io.Reader) (prefer.Config, error) {
	cfg, settings, err := ReadStudyFile(r)
	for name := range settings {
		return prefer.Config{}, fmt.Errorf("prefer: invalid study file: json: unknown field %q", name)
	}
	return cfg, err
}

// ReadStudyFile reads a study as ReadStudy does, and returns with it the settings that a server takes with a study: checks, sitting,
// show_result, own_duels and page, by these names, for live.Settings to read.
func ReadStudyFile(r io.Reader) (cfg prefer.Config, settings map[string]json.RawMessage, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return cfg, nil, err
	}
	var file studyFile
	if err := strictjson.Decode(text, &file); err != nil {
		return cfg, nil, fmt.Errorf("prefer: invalid study file: %s%w", lineOf(text, err), err)
	}
	settings = map[string]json.RawMessage{"checks": file.Checks, "sitting": file.Sitting, "show_result": file.ShowResult, "own_duels": file.OwnDuels, "page": file.Page}
	maps.DeleteFunc(settings, func(_ string, text json.RawMessage) bool { return text == nil })
	cfg, err = file.config()
	return cfg, settings, err
}

// unknownField is how encoding/json and strictjson name a field that should not be there.
var unknownField = regexp.MustCompile(`field[^"]*"(?:[^"]*\.)?([^".]+)"`)

// lineOf says in which line of a text of several an error is, if that can be told.
func lineOf(text []byte, err error) string {
	at := -1
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = int(e.Offset)
	} else if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at = int(e.Offset)
	} else if errors.Is(err, io.ErrUnexpectedEOF) {
		at = len(bytes.TrimSpace(text))
	} else if m := unknownField.FindStringSubmatch(err.Error()); m != nil {
		at = bytes.Index(text, []byte(strconv.Quote(m[1])))
	}
	if at < 0 || at > len(text) || !bytes.Contains(bytes.TrimSpace(text), []byte("\n")) {
		return ""
	}
	return fmt.Sprintf("line %d: ", 1+bytes.Count(text[:at], []byte("\n")))
}

type studyFile struct {
	prefer.Config
	Schema      string             `json:"$schema"`
	Budget      *int               `json:"budget"`    // in place of the config's, where 0 stands for none
	Tolerance   json.RawMessage    `json:"tolerance"` // in place of the config's, to blame it by name
	Parameters  []space.Parameter  `json:"params"`
	Constraints []string           `json:"constraints"`
	Items       []space.Item       `json:"items"`
	Circular    map[string]float64 `json:"circular"`
	Own         bool               `json:"own"`

	// Settings, which live.Settings reads.
	Checks     json.RawMessage `json:"checks"`
	Sitting    json.RawMessage `json:"sitting"`
	ShowResult json.RawMessage `json:"show_result"`
	OwnDuels   json.RawMessage `json:"own_duels"`
	Page       json.RawMessage `json:"page"`
}

func (file studyFile) config() (prefer.Config, error) {
	beside := len(file.Parameters) + len(file.Constraints) + len(file.Items) + len(file.Circular)
	under := len(file.Space.Parameters) + len(file.Space.Constraints) + len(file.Space.Items) + len(file.Space.Circular)
	switch {
	case beside > 0 && under > 0:
		return prefer.Config{}, errors.New("prefer: the study has params, constraints or items both under \"space\" and beside it, want one place")
	case file.Mixture != 0:
		return prefer.Config{}, errors.New("prefer: the study has \"mixture\", which no longer exists: remove it")
	case file.Search.Nested:
		return prefer.Config{}, errors.New("prefer: the study has \"nested\" under \"search\", which no longer exists: remove it")
	}
	if beside > 0 {
		file.Space = space.Space{Parameters: file.Parameters, Constraints: file.Constraints, Items: file.Items, Circular: file.Circular, Own: file.Own}
	}
	cfg := file.Config
	if file.Budget != nil {
		if cfg.Budget = *file.Budget; cfg.Budget < 1 {
			return prefer.Config{}, &FieldError{"budget", cfg.Budget, fmt.Errorf("prefer: budget = %d answers, want at least 1; omit it to stop at the verdict", cfg.Budget)}
		}
	}
	if file.Tolerance == nil {
		return cfg, cfg.Validate()
	}
	if err := json.Unmarshal(file.Tolerance, &cfg.Tolerance); err != nil {
		return prefer.Config{}, &FieldError{"tolerance", file.Tolerance, fmt.Errorf("prefer: tolerance = %s: %w", file.Tolerance, err)}
	}
	err := cfg.Validate()
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
