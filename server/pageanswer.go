package server

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/prefer-bo/prefer/server/page"
	"github.com/prefer-bo/prefer/store"
)

// maxBlind is the longest final check.
const maxBlind = 9

func (s *Server) pageAnswer(w http.ResponseWriter, r *http.Request, v visitor) error {
	look, err := v.look()
	if err != nil {
		return err
	}
	q := r.URL.Query()
	var check int
	if text := q.Get("check"); text != "" {
		if _, err := fmt.Sscanf(text, "%d", &check); err != nil || check < 1 || check > maxBlind || !v.who.owner {
			return refuse(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("check is %q, want the owner and a number of questions from 1 to %d", text, maxBlind))
		}
	}
	session := q.Get("SESSION_ID")
	if len(session) > maxName {
		return refuse(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("SESSION_ID has %d characters, want at most %d", len(session), maxName))
	}
	preload, err := page.JSON(s.preload(v))
	if err != nil {
		return err
	}
	title := v.cfg.Prompt
	if v.who.owner {
		title = v.name
	}
	return s.write(w, http.StatusOK, v.origins(), page.Answer{
		Frame: s.frame(v, title, "answer"), Look: look, Prompt: v.cfg.Prompt, Rater: v.who.rater, Session: session,
		Goal: v.settings.Page.Goal, Forced: v.cfg.Answers.Forced, Beyond: q.Get("more") != "", Check: check,
		Complete: v.completion(), Result: v.who.owner || v.settings.ShowResult, Preload: preload,
	})
}

// maxPreload is the longest list whose pictures a page fetches ahead.
const maxPreload = 48

// preload lists the pictures of a short list: the next question can be about any of them.
func (s *Server) preload(v visitor) []string {
	items := v.study.Items()
	out := []string{}
	if len(items) > maxPreload {
		return out
	}
	kind := v.settings.Page.Template.Kind
	for _, item := range items {
		switch {
		case kind == "svg" || kind == "image":
			out = append(out, v.base+"/draw?"+url.Values{"item": {item.ID}}.Encode())
		case kind == "" && mediaType(item.Media) == "image":
			out = append(out, s.mediaURL(v.name, item.Media))
		}
	}
	return out
}

// completion is where a rater goes when done.
func (v visitor) completion() string {
	if v.who.owner {
		return ""
	}
	return v.settings.Page.Complete
}

// maxName is the longest name a link may give a rater, and the longest name of a sitting.
const maxName = 100

// ownLink gives everybody who comes through a link without a name a link and a name of their own: the
// participant's ID that a recruiting service adds to the address (PROLIFIC_PID), or a made-up one. The same ID
// gets the same link again, so a participant who returns finds her place. It reports whether it has answered.
func (s *Server) ownLink(w http.ResponseWriter, r *http.Request, token string, who who) (moved bool, err error) {
	if who.rater != "" || r.PathValue("study") != "" {
		return false, nil
	}
	q := r.URL.Query()
	name := q.Get("PROLIFIC_PID")
	if name == "" {
		name = "guest-" + newToken()[:8]
	}
	odd := func(c rune) bool { return !unicode.IsPrint(c) || string(c) == derived }
	if len(name) > maxName || strings.ContainsFunc(name, odd) {
		return true, refuse(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("PROLIFIC_PID is %.40q, want at most %d printable characters without %s", name, maxName, derived))
	}
	own := tokenFor(token, name)
	if err := s.keepLink(r.Context(), who.study, name, own); err != nil {
		return true, err
	}
	path := s.cfg.Prefix + "/r/" + own
	if session := q.Get("SESSION_ID"); session != "" {
		path += "?" + url.Values{"SESSION_ID": {session}}.Encode()
	}
	http.Redirect(w, r, path, http.StatusSeeOther)
	return true, nil
}

// tokenFor derives a rater's token from that of a link for everybody: 128 bits of a hash, which nobody can
// invert or guess who does not have the link.
func tokenFor(token, name string) string {
	sum := sha256.Sum256([]byte("prefer rater " + token + "\x00" + name))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

func (s *Server) keepLink(ctx context.Context, study, rater, token string) error {
	if _, known, err := s.cfg.Store.FindNote(ctx, "", linkNote(token)); known || err != nil {
		return err
	}
	return s.cfg.Store.KeepNote(ctx, store.Note{Study: study, Name: linkNote(token), Rater: rater})
}
