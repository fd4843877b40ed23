package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/contract"
)

// Settings are what is done with a study while people are before it; the study itself knows nothing of them. What the
// study was made with is kept as a note beside its log, what is changed while it runs in the log (prefer.Change).
type Settings struct {
	// Checks tell careful raters from careless ones.
	Checks Checks `json:"checks,omitzero" doc:"How careful raters are told from careless ones."`

	// Sitting leads people through: practice, breaks, and a check of the pick at the end.
	Sitting Sitting `json:"sitting,omitzero" doc:"How everybody is led through: practice, breaks, blind duels of the pick at the end."`

	// ShowResult lets raters see the best option and the rest of the result.
	ShowResult bool `json:"show_result,omitempty" doc:"Raters may see the result."`

	// OwnDuels lets raters tell duels that nobody asked for. They pass the checks that answers pass.
	OwnDuels bool `json:"own_duels,omitempty" doc:"Raters may tell duels of their own, which nobody asked for."`

	// Page is how the study looks in a browser.
	Page Appearance `json:"page,omitzero" doc:"How the study looks in a browser."`
}

// Checks are put among the questions without a mark. The zero value checks nothing.
type Checks struct {
	// RepeatRate is the share of questions that put an earlier one again, sides exchanged and under the same conditions.
	RepeatRate float64 `json:"repeat_rate,omitempty" minimum:"0" maximum:"0.5" doc:"Share of questions that repeat an earlier one, sides exchanged."`

	// MinRT is the time in milliseconds below which an answer is refused as too quick.
	MinRT int `json:"min_rt_ms,omitempty" minimum:"0" maximum:"60000" doc:"An answer quicker than this is refused and not recorded."`

	// Catch are pairs everybody can answer who looks. A pair may leave out parameters, the same on both sides: it goes with
	// asks that fix them, whatever to. One that is complete goes with asks whose conditions it meets.
	Catch []Catch `json:"catch,omitempty" maxItems:"100" doc:"Pairs whose answer is known; each rater gets one every catch_every questions. What both sides leave out is taken from what an ask fixes."`

	// CatchEvery is how many questions it is from one of them to the next. Defaults to 10.
	CatchEvery int `json:"catch_every,omitempty" minimum:"0" maximum:"1000" doc:"Questions from one catch question to the next; 10 by default."`

	from int // the event that made them so, 0 of those the study was made with
}

// Catch is a pair whose answer is known.
type Catch struct {
	Better space.Option `json:"better"`
	Worse  space.Option `json:"worse"`
}

// validate reports a pair that a study cannot ask. What both sides leave out may be anything; whether constraints allow it turns
// out when an ask fixes it.
func (c Catch) validate(ctx context.Context, cfg prefer.Config) error {
	open := space.Option{}
	for _, p := range cfg.Space.Parameters {
		_, better := c.Better[p.Name]
		_, worse := c.Worse[p.Name]
		switch {
		case better || worse:
		case len(p.Choices) > 0:
			open[p.Name] = p.Choices[0]
		case p.Type == space.Switch("").Type:
			open[p.Name] = space.ValueOf(false)
		default:
			open[p.Name] = space.ValueOf(p.Low)
		}
	}
	if len(open) > 0 {
		cfg.Space.Constraints = nil
	}
	cfg.Journal = nil
	scratch, err := prefer.New(ctx, cfg)
	if err != nil {
		return err
	}
	_, err = scratch.Observe(ctx, prefer.Duel{First: filled(c.Better, open), Second: filled(c.Worse, open), Answer: prefer.Answer{Choice: prefer.First}})
	return err
}

// Read reads the settings that are written beside a study, by their names, and takes them out of the fields; what is not there stays as it
// is. The error is an *Error.
func (c *Settings) Read(fields map[string]json.RawMessage) error {
	for _, part := range []struct {
		name string
		into any
	}{{"checks", &c.Checks}, {"sitting", &c.Sitting}, {"show_result", &c.ShowResult}, {"own_duels", &c.OwnDuels}, {"page", &c.Page}} {
		text, ok := fields[part.name]
		if !ok {
			continue
		}
		if err := strictjson.Decode(text, part.into); err != nil {
			return invalid(part.name, nil, "%s", err)
		}
		delete(fields, part.name)
	}
	return nil
}

// settingsNote is the note that settings are kept in.
const settingsNote = "settings"

// SettingsIn returns how a study of a store is run, as it was after the events that study knows.
func SettingsIn(ctx context.Context, st Store, name string, study *prefer.Study) (Settings, error) {
	settings, err := readSettings(ctx, st, name)
	if err != nil {
		return settings, err
	}
	return settings.after(study)
}

func readSettings(ctx context.Context, st Store, study string) (Settings, error) {
	var out Settings
	note, ok, err := st.FindNote(ctx, study, settingsNote)
	if err != nil || !ok {
		return out, err
	}
	if err := json.Unmarshal([]byte(note.Body), &out); err != nil {
		return out, fmt.Errorf("live: study %q: its settings cannot be read: %w: %w", study, err, contract.ErrCorrupt)
	}
	return out, nil
}

func (s *Studies) keepSettings(ctx context.Context, study string, settings Settings) error {
	return keepJSON(ctx, s.store, contract.Note{Study: study, Name: settingsNote}, settings)
}

// Validate reports settings that make no sense in a study.
func (c Settings) Validate(ctx context.Context, cfg prefer.Config) error {
	if err := c.Page.Validate(); errors.As(err, new(*Error)) {
		return err
	} else if err != nil {
		return invalid("page", nil, "%s", err)
	}
	if name := c.Page.Template.unknown(placeholders(cfg.Space)); name != "" {
		return invalid("page.template", name, "the template has a place for %q, which is no parameter or feature of the study", name)
	}
	if err := c.Sitting.validate(); err != nil {
		return err
	}
	k := c.Checks
	switch {
	case !(k.RepeatRate >= 0 && k.RepeatRate <= 0.5):
		return invalid("checks.repeat_rate", k.RepeatRate, "repeat_rate = %g, want 0 to 0.5", k.RepeatRate)
	case k.MinRT < 0 || k.MinRT > 60_000:
		return invalid("checks.min_rt_ms", k.MinRT, "min_rt_ms = %d, want 0 to 60000", k.MinRT)
	case k.CatchEvery < 0 || k.CatchEvery > 1000 || k.CatchEvery == 1:
		return invalid("checks.catch_every", k.CatchEvery, "catch_every = %d, want 2 to 1000, or 0 for 10", k.CatchEvery)
	case len(k.Catch) > 100:
		return invalid("checks.catch", len(k.Catch), "%d catch questions, want at most 100", len(k.Catch))
	case len(k.Catch) == 0:
		return nil
	}
	for i, c := range k.Catch {
		if err := c.validate(ctx, cfg); err != nil {
			return invalid(fmt.Sprintf("checks.catch[%d]", i), c, "%s", err)
		}
	}
	return nil
}
