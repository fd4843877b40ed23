package server

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/server/page"
	"github.com/prefer-bo/prefer/store"
)

// Settings are what the server does with a study; the study itself knows nothing of them. They are kept as a
// note beside its log.
type Settings struct {
	// Checks tell careful raters from careless ones.
	Checks Checks `json:"checks,omitzero" doc:"How careful raters are told from careless ones."`

	// ShowResult lets raters see the best option and the rest of the result.
	ShowResult bool `json:"show_result,omitempty" doc:"Raters may see the result."`

	// Page is how the study looks in a browser.
	Page page.Appearance `json:"page,omitzero" doc:"How the study looks in a browser."`
}

// Checks are put among the questions without a mark. The zero value checks nothing.
type Checks struct {
	// RepeatRate is the share of questions that put an earlier one again, sides exchanged.
	RepeatRate float64 `json:"repeat_rate,omitempty" minimum:"0" maximum:"0.5" doc:"Share of questions that repeat an earlier one, sides exchanged."`

	// MinRT is the time in milliseconds below which an answer is refused as too quick.
	MinRT int `json:"min_rt_ms,omitempty" minimum:"0" maximum:"60000" doc:"An answer quicker than this is refused and not recorded."`

	// Catch are pairs everybody can answer who looks.
	Catch []Catch `json:"catch,omitempty" maxItems:"100" doc:"Pairs whose answer is known; each rater gets one every catch_every questions."`

	// CatchEvery is how many questions lie between two of them. Defaults to 10.
	CatchEvery int `json:"catch_every,omitempty" minimum:"0" maximum:"1000" doc:"Questions between two catch questions; 10 by default."`
}

// Catch is a pair whose answer is known.
type Catch struct {
	Better prefer.Option `json:"better"`
	Worse  prefer.Option `json:"worse"`
}

// settingsNote is the note that settings are kept in.
const settingsNote = "settings"

func (s *Server) readSettings(ctx context.Context, study string) (Settings, error) {
	var out Settings
	note, ok, err := s.cfg.Store.FindNote(ctx, study, settingsNote)
	if err != nil || !ok {
		return out, err
	}
	if err := json.Unmarshal([]byte(note.Body), &out); err != nil {
		return out, fmt.Errorf("server: study %q: its settings cannot be read: %w: %w", study, err, store.ErrCorrupt)
	}
	return out, nil
}

func (s *Server) keepSettings(ctx context.Context, study string, settings Settings) error {
	body, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	return s.cfg.Store.KeepNote(ctx, store.Note{Study: study, Name: settingsNote, Body: string(body)})
}

// validate reports checks that make no sense in a study.
func (c Settings) validate(cfg prefer.Config) error {
	if err := c.Page.Validate(); err != nil {
		return invalid("body.page", nil, strings.TrimPrefix(err.Error(), "page: "))
	}
	if name := c.Page.Template.Unknown(templateNames(cfg.Space)); name != "" {
		return invalid("body.page.template", name, fmt.Sprintf("the template has a place for %q, which is no parameter or feature of the study", name))
	}
	k := c.Checks
	switch {
	case !(k.RepeatRate >= 0 && k.RepeatRate <= 0.5):
		return invalid("body.checks.repeat_rate", k.RepeatRate, fmt.Sprintf("repeat_rate = %g, want 0 to 0.5", k.RepeatRate))
	case k.MinRT < 0 || k.MinRT > 60_000:
		return invalid("body.checks.min_rt_ms", k.MinRT, fmt.Sprintf("min_rt_ms = %d, want 0 to 60000", k.MinRT))
	case k.CatchEvery < 0 || k.CatchEvery > 1000 || k.CatchEvery == 1:
		return invalid("body.checks.catch_every", k.CatchEvery, fmt.Sprintf("catch_every = %d, want 2 to 1000, or 0 for 10", k.CatchEvery))
	case len(k.Catch) > 100:
		return invalid("body.checks.catch", len(k.Catch), fmt.Sprintf("%d catch questions, want at most 100", len(k.Catch)))
	case len(k.Catch) == 0:
		return nil
	}
	scratch, err := prefer.New(context.Background(), cfg)
	if err != nil {
		return invalid("body", nil, err.Error())
	}
	for i, c := range k.Catch {
		d := prefer.Duel{First: c.Better, Second: c.Worse, Answer: prefer.Answer{Choice: prefer.First}}
		if _, err := scratch.Observe(context.Background(), d); err != nil {
			return invalid(fmt.Sprintf("body.checks.catch[%d]", i), c, err.Error())
		}
	}
	return nil
}
