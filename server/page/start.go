package page

import (
	"net/http"
	"slices"
	"strings"
	"time"

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
	return p.write(w, http.StatusOK, "", Start{Frame: frame, Demos: demos, Studies: shelf(studies, time.Now()), Fold: shelved, Uploads: p.Files.Uploads != "", Limits: limits})
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
