package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Settings are how a study is run with people; the study itself knows nothing of them. A note has those it was created with, the log their changes.
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

	// Catch are pairs that everybody who looks can answer. What both sides leave out is taken from what an ask fixes.
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

// validate reports a pair that a study cannot ask. What both sides leave out may be anything; constraints are checked when an ask fixes it.
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

// Read reads the settings beside a study by their names and takes them out of the fields. The error is an *Error.
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
func SettingsIn(ctx context.Context, st store.Store, name string, study *prefer.Study) (Settings, error) {
	_, settings, err := settingsIn(ctx, st, name, study)
	return settings, err
}

// settingsIn also returns the settings that the study was created with.
func settingsIn(ctx context.Context, st store.Store, name string, study *prefer.Study) (made, now Settings, err error) {
	if err := store.FindJSON(ctx, st, name, settingsNote, &made); err != nil {
		return made, now, fmt.Errorf("live: study %q: its settings cannot be read: %w", name, err)
	}
	now = made
	for _, e := range changesOf(study) {
		if now, err = now.with(e); err != nil {
			return made, now, err
		}
	}
	return made, now, nil
}

func (s *Studies) keepSettings(ctx context.Context, study string, settings Settings) error {
	return store.KeepJSON(ctx, s.store, store.Note{Study: study, Name: settingsNote}, settings)
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

// Setting is what the owner sets of a running study; nil stays. How options are drawn is not part of it: answers before and after would be about other things.
type Setting struct {
	ShowResult *bool          `json:"show_result,omitempty" doc:"Whether raters may see the result."`
	OwnDuels   *bool          `json:"own_duels,omitempty" doc:"Whether raters may tell duels of their own, which nobody asked for."`
	Checks     *ChecksSetting `json:"checks,omitempty" doc:"How careful raters are told from careless ones, from the next question on."`
	Page       *PageSetting   `json:"page,omitempty" doc:"How the study looks in a browser."`
}

// ChecksSetting is what is set of the checks.
type ChecksSetting struct {
	RepeatRate *float64 `json:"repeat_rate,omitempty" minimum:"0" maximum:"0.5" doc:"Share of questions that repeat an earlier one, sides exchanged; 0 for none."`
	MinRT      *int     `json:"min_rt_ms,omitempty" minimum:"0" maximum:"60000" doc:"An answer quicker than this is refused and not recorded."`
	Catch      *[]Catch `json:"catch,omitempty" maxItems:"100" doc:"Pairs whose answer is known, in place of those there were; [] for none."`
	CatchEvery *int     `json:"catch_every,omitempty" minimum:"0" maximum:"1000" doc:"Questions from one catch question to the next; 0 for 10."`
}

// PageSetting is what is set of the appearance.
type PageSetting struct {
	Complete *string `json:"complete,omitempty" maxLength:"2000" doc:"Where raters are sent when they are done; empty for nowhere."`
	Paused   *bool   `json:"paused,omitempty" doc:"Raters are asked to come back later."`
	Language *string `json:"language,omitempty" maxLength:"40" doc:"The language of raters' pages; empty for everybody's own."`

	Prompts *map[string]string `json:"prompts,omitempty" doc:"The prompt in other languages, in place of those there were; {} for none."`
}

// Set changes settings.
func (s Setting) Set(all *Settings) {
	put(&all.ShowResult, s.ShowResult)
	put(&all.OwnDuels, s.OwnDuels)
	if c := s.Checks; c != nil {
		put(&all.Checks.RepeatRate, c.RepeatRate)
		put(&all.Checks.MinRT, c.MinRT)
		put(&all.Checks.Catch, c.Catch)
		put(&all.Checks.CatchEvery, c.CatchEvery)
	}
	if p := s.Page; p != nil {
		put(&all.Page.Complete, p.Complete)
		put(&all.Page.Paused, p.Paused)
		put(&all.Page.Language, p.Language)
		put(&all.Page.Prompts, p.Prompts)
	}
}

func put[T any](into *T, v *T) {
	if v != nil {
		*into = *v
	}
}

// Alter changes a running study, all of it or nothing: people, budget, prompt, and the settings if set is not nil. Each change is an event of the log.
func (s *Studies) Alter(ctx context.Context, name string, c prefer.Change, set func(*Settings)) error {
	return s.Change(ctx, name, "changed", "", func(r *Study) error {
		next := r.Settings
		if set != nil {
			set(&next)
		}
		if c.Budget != nil {
			next.Page.Goal = 0 // of before there were budgets
		}
		patch, err := difference(r.Settings, next)
		if err != nil {
			return err
		}
		if patch != nil {
			if err := next.Validate(ctx, r.Config); err != nil {
				return err
			}
		}
		change := c
		if change.Settings = patch; patch == nil && c.People == nil && c.Budget == nil && c.Prompt == nil {
			return nil
		}
		lasting, stop := lasting(ctx)
		defer stop()
		return r.Study.Change(lasting, change)
	})
}

// Configure changes the settings of a study.
func (s *Studies) Configure(ctx context.Context, name string, set func(*Settings)) error {
	return s.Alter(ctx, name, prefer.Change{}, set)
}

// Alteration is a change of a running study, with the settings before and after it.
type Alteration struct {
	Time    time.Time
	Change  prefer.Change
	Was, Is Settings
}

// Alterations returns what was changed while the study ran, in order.
func (r *Study) Alterations() (out []Alteration) {
	settings := r.made
	for _, e := range changesOf(r.Study) {
		next, _ := settings.with(e) // whoever opened the study has read them all
		out = append(out, Alteration{e.Time, *e.Changed, settings, next})
		settings = next
	}
	return out
}

// changesOf returns the events that changed a study while it ran.
func changesOf(study *prefer.Study) (out []prefer.Event) {
	for _, e := range study.Events(0) {
		if e.Changed != nil {
			out = append(out, e)
		}
	}
	return out
}

// with returns settings after a change of the log.
func (s Settings) with(e prefer.Event) (Settings, error) {
	if e.Changed.Settings == nil {
		return s, nil
	}
	out := Settings{}
	now, err := fieldsOf(s)
	change, unread := fieldsOf(e.Changed.Settings)
	if err = errors.Join(err, unread); err == nil {
		err = convert(merged(now, change), &out)
	}
	if err != nil {
		return s, fmt.Errorf("live: event %d: the settings cannot be read: %w: %w", e.Seq, err, store.ErrCorrupt)
	}
	out.Checks.from = s.Checks.from
	if _, ok := change["checks"]; ok {
		out.Checks.from = e.Seq
	}
	return out, nil
}

// merged applies a merge patch of RFC 7396.
func merged(into, patch map[string]any) map[string]any {
	out := maps.Clone(into)
	if out == nil {
		out = map[string]any{}
	}
	for name, v := range patch {
		switch v := v.(type) {
		case nil:
			delete(out, name)
		case map[string]any:
			was, _ := out[name].(map[string]any)
			out[name] = merged(was, v)
		default:
			out[name] = v
		}
	}
	return out
}

// fieldsOf returns what a value is in JSON.
func fieldsOf(v any) (out map[string]any, err error) { return out, convert(v, &out) }

// convert makes one value of another by way of JSON.
func convert(from, to any) error {
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	return err
}

// difference returns the merge patch that makes one of the other, nil if they are alike.
func difference(was, is Settings) (json.RawMessage, error) {
	a, errA := fieldsOf(was)
	b, errB := fieldsOf(is)
	patch := parted(a, b)
	if err := errors.Join(errA, errB); err != nil || len(patch) == 0 {
		return nil, err
	}
	return json.Marshal(patch)
}

func parted(was, is map[string]any) map[string]any {
	out := map[string]any{}
	for name := range was {
		if _, ok := is[name]; !ok {
			out[name] = nil
		}
	}
	for name, v := range is {
		old, both := was[name].(map[string]any)
		next, object := v.(map[string]any)
		switch {
		case both && object:
			if inner := parted(old, next); len(inner) > 0 {
				out[name] = inner
			}
		case !reflect.DeepEqual(was[name], v):
			out[name] = v
		}
	}
	return out
}
