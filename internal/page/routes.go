//go:build !js

package page

import "strings"

// registerOwner lays out the owner's pages: studies there are and new ones, people, settings and files of a study.
func (p *Pages) registerOwner(mux mux) {
	mux.HandleFunc("GET /{$}", p.forOwner(p.start))
	mux.HandleFunc("GET /start/sample/{demo}", p.try(p.sample))
	mux.HandleFunc("POST /start/demo", p.forOwner(p.startDemo))
	mux.HandleFunc("POST /start/params", p.forOwner(p.startParams))
	mux.HandleFunc("POST /start/paste", p.forOwner(p.paste))
	mux.HandleFunc("GET /start/stage", p.forOwner(p.stage))
	mux.HandleFunc("POST /start/files", p.forOwner(p.startFiles))
	for pattern, show := range map[string]show{"GET /sheet": p.sheet, "POST /files": p.add, "POST /describe": p.describe, "GET /owner": p.named(p.people), "GET /jobs": p.jobs, "GET /thumb": p.thumb, "GET /qr": p.qr, "POST /pause": p.pause} {
		mux.HandleFunc(strings.Replace(pattern, " ", " /s/{study}", 1), p.visit(p.ownersOnly(show, false)))
	}
}
