package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/store"
)

// Setting is what the owner sets of a running study; nil stays. How options are drawn is not part of it: answers before and after would be about other things.
type Setting struct {
	ShowResult *bool          `json:"show_result,omitempty" doc:"Whether raters may see the result."`
	OwnDuels   *bool          `json:"own_duels,omitempty" doc:"Whether raters may add comparisons that were not asked."`
	Checks     *ChecksSetting `json:"checks,omitempty" doc:"Checks that detect careless raters, from the next question on."`
	Page       *PageSetting   `json:"page,omitempty" doc:"How the study looks in a browser."`
}

// ChecksSetting is what is set of the checks.
type ChecksSetting struct {
	RepeatRate *float64 `json:"repeat_rate,omitempty" minimum:"0" maximum:"0.5" doc:"Share of questions that repeat an earlier one with sides swapped; 0 for none."`
	MinRT      *int     `json:"min_rt_ms,omitempty" minimum:"0" maximum:"60000" doc:"An answer quicker than this is refused and not recorded."`
	Catch      *[]Catch `json:"catch,omitempty" maxItems:"100" doc:"Catch pairs with a known answer, replacing the present ones; [] for none."`
	CatchEvery *int     `json:"catch_every,omitempty" minimum:"0" maximum:"1000" doc:"Questions from one catch question to the next; 0 for 10."`
}

// PageSetting is what is set of the appearance.
type PageSetting struct {
	Complete *string `json:"complete,omitempty" maxLength:"2000" doc:"Address that raters are sent to at the end; empty for none."`
	Paused   *bool   `json:"paused,omitempty" doc:"Raters are asked to come back later."`
	Language *string `json:"language,omitempty" maxLength:"40" doc:"The language of raters' pages; empty for the browser's."`

	Prompts    *map[string]string            `json:"prompts,omitempty" doc:"The prompt in other languages, replacing the present ones; {} for none."`
	Situations *map[string]string            `json:"situations,omitempty" doc:"The question for a rater's situation, by language, replacing the present ones; {} for none."`
	Words      *map[string]map[string]string `json:"words,omitempty" doc:"What raters read in place of names and values of parameters, by language, replacing the present ones; {} for none."`
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
		put(&all.Page.Situations, p.Situations)
		put(&all.Page.Words, p.Words)
	}
}

func put[T any](into *T, v *T) {
	if v != nil {
		*into = *v
	}
}

// Changes returns the events that changed a study while it ran.
func Changes(study *prefer.Study) (out []prefer.Event) {
	return xslices.Filter(study.Events(0), func(e prefer.Event) bool { return e.Changed != nil })
}

// After returns settings after a change of the log.
func (s Settings) After(e prefer.Event) (Settings, error) {
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
	out.Checks.From = s.Checks.From
	if _, ok := change["checks"]; ok {
		out.Checks.From = e.Seq
	}
	return out, nil
}

// merged applies a merge patch of RFC 7396.
func merged(into, patch map[string]any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, into)
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

func fieldsOf(v any) (out map[string]any, err error) { return out, convert(v, &out) }

// convert makes one value of another by way of JSON.
func convert(from, to any) error {
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	return err
}

// Difference returns the merge patch that makes one of the other, nil if they are alike.
func Difference(was, is Settings) (json.RawMessage, error) {
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
