package studies

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/live"
)

// TestSchemaSettings: the schema that init prints knows every setting that a study file may have.
func TestSchemaSettings(t *testing.T) {
	type part struct {
		Properties map[string]part `json:"properties"`
	}
	var doc part
	if err := json.Unmarshal([]byte(exchange.StudySchema()), &doc); err != nil {
		t.Fatal(err)
	}
	check := func(where string, of reflect.Type, known map[string]part) {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if _, ok := known[name]; name != "" && name != "-" && !ok {
				t.Errorf("the schema has no %s%s", where, name)
			}
		}
	}
	check("", reflect.TypeFor[live.Settings](), doc.Properties)
	check("checks.", reflect.TypeFor[live.Checks](), doc.Properties["checks"].Properties)
	check("sitting.", reflect.TypeFor[live.Phases](), doc.Properties["sitting"].Properties)
}
