package page

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"

	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/space"
)

// Situation is the page that asks somebody under which contexts she will answer.
type Situation struct {
	Frame
	Keep   map[string]string // what else the address says
	Fields []Field
}

// Field is a context to choose a value of.
type Field struct {
	Name    string
	Choices []Setting // none where any number will do
}

// Setting is a value, or a setting of all contexts, with what an address says of it.
type Setting struct{ Words, Address string }

// maxChoices is the number of values up to which they are listed.
const maxChoices = 100

// situation asks for the contexts that an address does not tell.
func (p *Pages) situation(w http.ResponseWriter, v visitor, q url.Values) error {
	view := Situation{Frame: p.frame(v, v.Name, "answer"), Keep: map[string]string{}}
	for _, name := range []string{"check", "more", "SESSION_ID"} {
		if text := q.Get(name); text != "" {
			view.Keep[name] = text
		}
	}
	for _, at := range v.Config.Space.Contexts() {
		f := Field{Name: at.Name}
		if values := at.Values(); len(values) <= maxChoices {
			for _, value := range values {
				f.Choices = append(f.Choices, Setting{chart.Number(value), written(space.Option{at.Name: value})})
			}
		}
		view.Fields = append(view.Fields, f)
	}
	return p.write(w, http.StatusOK, v.origins(), view)
}

// written writes what is fixed as an address has it.
func written(fixed space.Option) string {
	text, err := json.Marshal(fixed)
	if err != nil {
		return "" // no value of a study
	}
	return string(text)
}

// elsewhere returns the visitor's open question that is under other contexts than these, or "": whoever comes under new ones
// cannot answer it.
func (v visitor) elsewhere(fixed space.Option) string {
	here := v.Config.Space.Context(fixed)
	for _, q := range v.Study.Study.OpenQuestions(v.rater) {
		if q.Blind == nil && !maps.Equal(v.Config.Space.Context(q.First), here) {
			return string(q.ID)
		}
	}
	return ""
}

// settled returns the contexts that a result is about if nobody says: those the visitor was last under, else the first.
func (v visitor) settled() space.Option {
	if at := v.Context(v.rater); at != nil {
		return at
	}
	if all := v.Study.Study.Contexts(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// others lists the settings of the contexts beside the one that is looked at, with their addresses.
func (v visitor) others(at *url.URL, fixed space.Option) (out []Setting) {
	here, q := v.Config.Space.Context(fixed), at.Query()
	for _, each := range v.Study.Study.Contexts() {
		if !maps.Equal(each, here) {
			q.Set("fixed", written(each))
			out = append(out, Setting{each.String(), "?" + q.Encode()})
		}
	}
	return out
}
