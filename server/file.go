package server

import (
	"io/fs"
	"net/http"
	"os"
)

// serveMedia serves a file of a study: to raters what belongs to an item, to the owner uploads as well.
func (s *Server) serveMedia(w http.ResponseWriter, r *http.Request) {
	study, name := r.PathValue("study"), r.PathValue("file")
	by := asker(r.Context())
	missing := refuse(http.StatusNotFound, "no_media", "there is no such file")
	if !by.owner && by.study != study {
		writeProblem(w, refuse(http.StatusForbidden, "other_study", "this token belongs to another study"))
		return
	}
	var item bool
	err := s.with(r.Context(), study, func(r *running) error {
		r.look(func(b *book) { item = b.media[name] })
		return nil
	})
	if err != nil {
		writeProblem(w, s.problem(r.Context(), err))
		return
	}
	kind := contentType(name)
	if !item && !by.owner || kind == "application/octet-stream" {
		writeProblem(w, missing)
		return
	}
	f, err := s.openMedia(study, name, item)
	if err != nil {
		writeProblem(w, missing)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		writeProblem(w, missing)
		return
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox") // an SVG may hold a script
	h.Set("Cache-Control", "private, max-age=3600")
	http.ServeContent(w, r, name, info.ModTime(), f)
}

// openMedia opens a file of the folder a study was made of, if an item has it, or of its uploads.
func (s *Server) openMedia(study, name string, item bool) (*os.File, error) {
	if dir := s.cfg.Folders[study]; dir != "" && item {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		if f, err := root.Open(name); err == nil {
			return f, nil
		}
	}
	if s.cfg.Media == "" {
		return nil, fs.ErrNotExist
	}
	root, err := s.mediaRoot(study, false)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Open(name)
}
