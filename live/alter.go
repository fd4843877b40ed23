package live

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store/contract"
)

// Alter changes a running study, all of it or nothing: whose favourite is sought, how many answers each person is to give, the sentence
// above a question, and the settings, if set is not nil. What was said and asked before stays, and counts; a question that is open keeps its
// sentence. Every change is an event of the log, which brings it to all who serve the study.
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

// after returns settings after all changes of a study's log.
func (s Settings) after(study *prefer.Study) (Settings, error) {
	for _, e := range changesOf(study) {
		var err error
		if s, err = s.with(e); err != nil {
			return s, err
		}
	}
	return s, nil
}

// with returns settings after a change of the log.
func (s Settings) with(e prefer.Event) (Settings, error) {
	patch := e.Changed.Settings
	if patch == nil {
		return s, nil
	}
	var now, change map[string]any
	text, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(text, &now)
	}
	if err == nil {
		err = json.Unmarshal(patch, &change)
	}
	if err == nil {
		text, err = json.Marshal(merged(now, change))
	}
	out := Settings{}
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return s, fmt.Errorf("live: event %d: the settings cannot be read: %w: %w", e.Seq, err, contract.ErrCorrupt)
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

// difference returns the merge patch that makes one of the other, nil if they are alike.
func difference(was, is Settings) (json.RawMessage, error) {
	var a, b map[string]any
	for _, one := range []struct {
		from Settings
		to   *map[string]any
	}{{was, &a}, {is, &b}} {
		text, err := json.Marshal(one.from)
		if err == nil {
			err = json.Unmarshal(text, one.to)
		}
		if err != nil {
			return nil, err
		}
	}
	patch := parted(a, b)
	if len(patch) == 0 {
		return nil, nil
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
