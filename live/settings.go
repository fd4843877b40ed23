package live

import (
	"context"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live/internal/settings"
	"github.com/prefer-bo/prefer/store"
)

// Settings are how a study is run with people: see their fields.
type (
	Settings   = settings.Settings
	Checks     = settings.Checks
	Catch      = settings.Catch
	Phases     = settings.Phases
	Appearance = settings.Appearance
	Template   = settings.Template
	Setting    = settings.Setting
)

// MaxDescription is the longest description of an item, in bytes.
const MaxDescription = settings.MaxDescription

// SettingsIn returns how a study of a store is run, as it was after the events that study knows.
func SettingsIn(ctx context.Context, st store.Store, name string, study *prefer.Study) (Settings, error) {
	_, now, err := settings.In(ctx, st, name, study)
	return now, err
}

// Alter changes a running study, all of it or nothing: people, budget, shortlist, prompt, and the settings if set is not nil. Each change is an event of the log.
func (s *Studies) Alter(ctx context.Context, name string, c prefer.Change, set func(*Settings)) error {
	return s.Change(ctx, name, "changed", "", func(r *Study) error {
		next := r.Settings
		if set != nil {
			set(&next)
		}
		if c.Budget != nil {
			next.Page.Goal = 0 // of before there were budgets
		}
		patch, err := settings.Difference(r.Settings, next)
		if err != nil {
			return err
		}
		if patch != nil {
			if err := next.Validate(ctx, r.Config); err != nil {
				return err
			}
		}
		change := c
		if change.Settings = patch; patch == nil && c.People == nil && c.Budget == nil && c.Shortlist == nil && c.Prompt == nil {
			return nil
		}
		detachedCtx, stop := detached(ctx)
		defer stop()
		return r.Study.Change(detachedCtx, change)
	})
}

// Alteration is a change of a running study, with the settings before and after it.
type Alteration struct {
	Time    time.Time
	Change  prefer.Change
	Was, Is Settings
}

// Alterations returns what was changed while the study ran, in order.
func (r *Study) Alterations() (out []Alteration) {
	now := r.made
	for _, e := range settings.Changes(r.Study) {
		next, _ := now.After(e) // they were read when the study was opened
		out = append(out, Alteration{e.Time, *e.Changed, now, next})
		now = next
	}
	return out
}
