package main

import (
	"context"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// table is where a sitting takes place: on a terminal with keys, or line by line.
type table struct {
	in       io.Reader
	out, err io.Writer
	film     *taste // answers in place of a person
	pace     time.Duration
}

// sit runs a sitting to its end and returns how it stands then.
func (tb table) sit(ctx context.Context, s *sitting) (outlook, *gallery, error) {
	cfg := s.open().Config()
	if keyboard, screen := screenOf(tb.in, tb.out, tb.err); screen != nil {
		g := newGallery(s.open(), newStyle(os.Getenv, true))
		t, err := openTerminal(keyboard, screen)
		if err != nil {
			return outlook{}, g, err
		}
		p := &player{sit: s, term: t, gallery: g, answers: cfg.Answers, prompt: cfg.Prompt, film: tb.film, pace: tb.pace}
		if err := playOn(ctx, t, p); err != nil || p.fresh {
			return p.out, g, err
		}
		out, err := s.look(ctx)
		return out, g, err
	}
	file, _ := tb.in.(*os.File)
	g := newGallery(s.open(), newStyle(os.Getenv, false))
	p := &linePlayer{sit: s, gallery: g, answers: cfg.Answers, prompt: cfg.Prompt, in: tb.in, out: tb.err, film: tb.film,
		timed: file != nil && term.IsTerminal(int(file.Fd()))}
	err := p.play(ctx)
	return p.outlook, g, err
}

// playOn gives the terminal back whatever happens, a panic included.
func playOn(ctx context.Context, t *terminal, p *player) (err error) {
	defer func() {
		if e := t.close(); err == nil {
			err = e
		}
	}()
	return p.play(ctx)
}
