//go:build !js

package page

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/paste"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// paste proposes a template and parameters for what somebody pasted. Nothing is kept, and no address opened.
func (p *Pages) paste(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Text string `json:"text"`
		HTML string `json:"html"` // that a style sheet belongs to
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	out, err := paste.Read(body.Text, body.HTML)
	if err != nil {
		return problem.Field("body.text", nil, err.Error())
	}
	return reply(w, out)
}

// startParams makes a study of the form on the start page. What makes no sense is said by field, as the form has it: body.params[2].high.
func (p *Pages) startParams(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Name        string            `json:"name"`
		Prompt      string            `json:"prompt"`
		Params      []space.Parameter `json:"params"`
		Constraints []string          `json:"constraints"`
		People      prefer.People     `json:"people"`
		Budget      *int              `json:"budget"`
		Tolerance   *string           `json:"tolerance"`
		RepeatRate  float64           `json:"repeat_rate"`
		Page        live.Appearance   `json:"page"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	name := slug(body.Name)
	if name == "" {
		return problem.Field("body.name", body.Name, "the study has no name: give it one")
	}
	if body.People != "" && body.People != prefer.Shared && body.People != prefer.PerRater {
		return problem.Field("body.people", body.People, fmt.Sprintf("people is %q, want %q or %q", body.People, prefer.Shared, prefer.PerRater))
	}
	cfg := prefer.Config{Prompt: body.Prompt, People: body.People, Space: space.Space{Parameters: body.Params, Constraints: body.Constraints}}
	if field, err := wrong(cfg.Space); err != nil {
		return problem.Field("body."+field, nil, strings.TrimPrefix(err.Error(), "prefer: "))
	}
	if body.Budget != nil {
		if cfg.Budget = *body.Budget; cfg.Budget < 1 {
			return problem.Field("body.budget", cfg.Budget, fmt.Sprintf("a rater gives %d answers, want at least 1, or empty to stop at the verdict", cfg.Budget))
		}
	}
	if body.Tolerance != nil {
		var err error
		if cfg.Tolerance, err = prefer.ParseTolerance(*body.Tolerance); err == nil {
			err = cfg.Validate()
		}
		if err != nil {
			return problem.Field("body.tolerance", *body.Tolerance, strings.TrimPrefix(err.Error(), "prefer: "))
		}
	}
	return p.create(w, r, name, cfg, live.Settings{ShowResult: true, Page: body.Page, Checks: live.Checks{RepeatRate: body.RepeatRate}})
}

// wrong finds the first thing about a space that makes no sense, and the field it is in.
func wrong(s space.Space) (field string, err error) {
	valid := func(s space.Space) error { return prefer.Config{Space: s}.Validate() }
	other := space.Float("a parameter beside it", 0, 1) // contexts alone would be no space
	seen := map[string]bool{}
	for i, q := range s.Parameters {
		at := fmt.Sprintf("params[%d]", i)
		switch q.Name = strings.TrimSpace(q.Name); {
		case q.Name == "":
			return at + ".name", fmt.Errorf("parameter %d has no name", i+1)
		case seen[q.Name]:
			return at + ".name", fmt.Errorf("two parameters are called %q", q.Name)
		}
		seen[q.Name] = true
		if err := valid(space.Box(q, other)); err != nil {
			return at + "." + slip(q, func(q space.Parameter) bool { return valid(space.Box(q, other)) == nil }), err
		}
	}
	all := space.Box(s.Parameters...)
	if err := valid(all); err != nil {
		return "params", err
	}
	for i := range s.Constraints {
		all.Constraints = s.Constraints[:i+1]
		if err := valid(all); err != nil {
			return fmt.Sprintf("constraints[%d]", i), err
		}
	}
	return "", nil
}

// slip returns the field of a parameter that makes no sense: the first without which it would, else an end of its range.
func slip(p space.Parameter, valid func(space.Parameter) bool) string {
	if len(p.Choices) > 0 || p.Type == space.Categorical("").Type || p.Type == space.Ordinal("").Type {
		return "choices"
	}
	for _, f := range []struct {
		name    string
		without func(*space.Parameter)
	}{
		{"step", func(p *space.Parameter) { p.Step = 0 }},
		{"log", func(p *space.Parameter) { p.Log = false }},
		{"circular", func(p *space.Parameter) { p.Circular = false }},
		{"context", func(p *space.Parameter) { p.Context = false }},
		{"low", func(p *space.Parameter) { p.Low = math.Floor(min(p.Low, p.High-1)) }},
	} {
		q := p
		if f.without(&q); valid(q) && (f.name != "low" || p.Low != math.Floor(p.Low)) {
			return f.name
		}
	}
	return cmp.Or(map[bool]string{true: "type"}[p.Type != "" && p.Type != space.Float("", 0, 0).Type && p.Type != space.Int("", 0, 0).Type], "high")
}

//go:embed static/stage.html
var stagePage string

// stage is the page in which the form previews a template: an origin of its own, without network but for pictures and pages from ?origin=.
func (p *Pages) stage(w http.ResponseWriter, r *http.Request) error {
	from := ""
	if text := r.URL.Query().Get("origin"); text != "" {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || text != u.Scheme+"://"+u.Host || strings.ContainsAny(text, " ;,'\"*") {
			return problem.Field("query.origin", text, fmt.Sprintf("origin is %.80q, want a scheme and a host like https://example.org", text))
		}
		from = " " + text
	}
	w.Header().Del("X-Frame-Options") // the policy says it better
	return send(w, "text/html; charset=utf-8", "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"+from+
		"; font-src data:; media-src data: blob:; frame-src"+cmp.Or(from, " 'none'")+"; frame-ancestors 'self'", stagePage)
}
