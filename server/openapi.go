package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer/exchange"
)

// schemaName names a type in openapi.json: as in Go, or as it was called when clients were first written.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	return cmp.Or(map[string]string{"Calibration": "Foretold", "Correlation": "Agreement", "Tally": "BlindShare", "Phases": "Sitting"}[name], name)
}

// optionSchema describes space.Option, which writes itself.
type optionSchema struct{}

func (optionSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Description: "A setting of every parameter by name, or {\"item\": id}.",
		AdditionalProperties: valueSchema{}.Schema(nil)}
}

// valueSchema describes space.Value.
type valueSchema struct{}

func (valueSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeNumber}, {Type: huma.TypeString}, {Type: huma.TypeBoolean}}}
}

// objectSchema describes what the study file's own schema describes better.
type objectSchema struct{}

func (objectSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// studyFile is the name of the schema of a study file among the components.
const studyFile = "StudyFile"

// nullable are the fields that may be null where huma knows no more than that they are objects.
var nullable = []string{"Told.next", "Group.best"}

// describe returns the OpenAPI document: what huma knows, and the published schema of a study file.
func describe(api huma.API) ([]byte, error) {
	text, err := json.Marshal(api.OpenAPI())
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	moved := strings.ReplaceAll(exchange.StudySchema(), "#/$defs/", "#/components/schemas/"+studyFile+".")
	var file map[string]any
	if err := json.Unmarshal([]byte(moved), &file); err != nil {
		return nil, fmt.Errorf("server: the schema of a study file: %w", err)
	}
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	for name, def := range file["$defs"].(map[string]any) {
		schemas[studyFile+"."+name] = def
	}
	for _, at := range nullable {
		name, field, _ := strings.Cut(at, ".")
		properties := schemas[name].(map[string]any)["properties"].(map[string]any)
		properties[field] = map[string]any{"oneOf": []any{properties[field], map[string]any{"type": "null"}}}
	}
	delete(file, "$defs")
	delete(file, "$schema")
	delete(file, "$id")
	for _, path := range doc["paths"].(map[string]any) { // as contract.CheckName has it; huma would refuse the rest in words of its own
		for _, operation := range path.(map[string]any) {
			parameters, _ := operation.(map[string]any)["parameters"].([]any)
			for _, each := range parameters {
				if p := each.(map[string]any); p["in"] == "path" && p["name"] == "study" {
					p["schema"] = map[string]any{"type": "string", "minLength": 1, "maxLength": 200, "pattern": `^[^/\x00-\x1f\x7f-\x9f]+$`}
				}
			}
		}
	}
	properties := file["properties"].(map[string]any)
	properties["name"] = map[string]any{"type": "string", "minLength": 1, "maxLength": 200, "description": "What the study is called."}
	properties["from"] = map[string]any{"type": "string", "description": "Earlier study of this server: everybody begins with what its people have in common."}
	maps.Copy(properties, schemas["Settings"].(map[string]any)["properties"].(map[string]any))
	file["required"] = []string{"name"}
	schemas[studyFile] = file
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err = e.Encode(doc)
	return out.Bytes(), err
}
