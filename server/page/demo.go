package page

import (
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/prefer-bo/prefer/internal/demo"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
)

func findDemo(name string) (demo.Demo, error) {
	demos, err := demo.Drawn()
	if err != nil {
		return demo.Demo{}, err
	}
	at := slices.IndexFunc(demos, func(d demo.Demo) bool { return d.Name == name })
	if at < 0 {
		return demo.Demo{}, problem.New(http.StatusNotFound, "no_demo", fmt.Sprintf("there is no demonstration %.40q", name))
	}
	return demos[at], nil
}

// demoLook is how a demonstration is drawn.
func demoLook(d demo.Demo) live.Appearance {
	return live.Appearance{Template: live.Template{Kind: "svg", Text: d.Drawing}, Goal: d.Goal}
}

// sample draws an option of a demonstration, for the start page.
func (p *Pages) sample(w http.ResponseWriter, r *http.Request) error {
	d, err := findDemo(r.PathValue("demo"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	w.Header().Set("Cache-Control", "private, max-age=3600")
	_, _ = io.WriteString(w, fill(demoLook(d).Template, Values(d.Config.Space.Items, d.Sample))) // the browser may be gone
	return nil
}

// startDemo makes a study of a demonstration, under a name that is free.
func (p *Pages) startDemo(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Name string `json:"name"`
	}
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	d, err := findDemo(body.Name)
	if err != nil {
		return err
	}
	return p.create(w, r, d.Name, d.Config, live.Settings{ShowResult: true, Page: demoLook(d)})
}
