package server

import (
	"net/http"

	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/media"
	"github.com/prefer-bo/prefer/server/problem"
)

// serveMedia serves a file of a study: to raters of it what belongs to an item, to the owner uploads as well. What is not
// there, or none of the media by its ending, is a 404.
func (s *Server) serveMedia(w http.ResponseWriter, r *http.Request) {
	study, name := r.PathValue("study"), r.PathValue("file")
	by := asker(r.Context())
	missing := problem.New(http.StatusNotFound, "no_media", "there is no such file")
	if !by.mayEnter(study) {
		problem.Write(w, otherStudy)
		return
	}
	var item bool
	err := s.studies.With(r.Context(), study, func(open *live.Study) error {
		item = open.HasMedia(name)
		return nil
	})
	if err != nil {
		problem.Write(w, problem.Of(r.Context(), s.log, err))
		return
	}
	kind := media.ContentType(name)
	if !item && !by.Owner || kind == media.Unknown {
		problem.Write(w, missing)
		return
	}
	f, err := s.files.Open(study, name, item)
	if err != nil {
		problem.Write(w, missing)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		problem.Write(w, missing)
		return
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox") // an SVG may hold a script
	h.Set("Cache-Control", "private, max-age=3600")
	http.ServeContent(w, r, name, info.ModTime(), f)
}
