package page

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/demo"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/store/contract"
)

// start shows the owner the studies there are, and ways to make one.
func (p *Pages) start(w http.ResponseWriter, r *http.Request) error {
	if to := p.begin(r); to != "" {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return nil
	}
	demos, err := demo.Drawn()
	if err != nil {
		return err
	}
	studies, err := p.Studies.List(r.Context())
	if err != nil {
		return err
	}
	slices.SortFunc(studies, func(a, b contract.Info) int { return b.Changed.Compare(a.Changed) })
	frame := Frame{Root: p.Root, Title: "prefer", Owner: true}
	return p.write(w, http.StatusOK, "", Start{Frame: frame, Demos: demos, Studies: studies, Uploads: p.Files.Uploads != "", Limits: limits})
}

// startParams makes a study of the form on the start page.
func (p *Pages) startParams(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Name      string             `json:"name"`
		Prompt    string             `json:"prompt"`
		Params    []prefer.Parameter `json:"params"`
		People    prefer.People      `json:"people"`
		Budget    *int               `json:"budget"`
		Tolerance *string            `json:"tolerance"`
		Page      live.Appearance    `json:"page"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	cfg := prefer.Config{Space: prefer.Box(body.Params...), Prompt: body.Prompt}
	if cfg.People = body.People; body.People != "" && body.People != prefer.Shared && body.People != prefer.PerRater {
		return problem.Field("body.people", body.People, fmt.Sprintf("people is %q, want %q or %q", body.People, prefer.Shared, prefer.PerRater))
	}
	if err := cfg.Validate(); err != nil {
		return problem.Explain(r.Context(), p.Logger, err, "body.params")
	}
	if body.Budget != nil {
		if cfg.Budget = *body.Budget; cfg.Budget < 1 {
			return problem.Field("body.budget", cfg.Budget, fmt.Sprintf("a person gives %d answers, want at least 1, or nothing for no end but the verdict's own", cfg.Budget))
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
	return p.create(w, r, slug(body.Name), cfg, live.Settings{ShowResult: true, Page: body.Page})
}

// create makes a study under this name, or with a number after it if that is taken, and replies with the name.
func (p *Pages) create(w http.ResponseWriter, r *http.Request, name string, cfg prefer.Config, settings live.Settings) error {
	name, err := p.freeName(r.Context(), name)
	if err != nil {
		return err
	}
	if err := p.Studies.Create(r.Context(), name, cfg, settings); err != nil {
		return problem.Explain(r.Context(), p.Logger, err, "body.name")
	}
	return reply(w, map[string]string{"name": name})
}

// slug keeps of a name what an address can hold without escapes; spaces become dashes.
func slug(text string) string {
	out := strings.Map(func(c rune) rune {
		switch {
		case c == ' ' || c == '/' || c == '\\':
			return '-'
		case c < ' ' || strings.ContainsRune("?#%&\"'<>", c):
			return -1
		}
		return c
	}, strings.TrimSpace(text))
	return strings.Trim(out, "-.")
}
