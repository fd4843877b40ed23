// Package settings is how a study is run with people: checks, phases, and how it looks. A note has the settings that a study was made with, its log their
// changes.
package settings

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Settings are how a study is run with people; the study itself knows nothing of them. A note has those it was created with, the log their changes.
type Settings struct {
	Checks     Checks     `json:"checks,omitzero" doc:"Checks that detect careless raters."`
	Phases     Phases     `json:"sitting,omitzero" doc:"Phases of a session: practice, breaks, blind duels of the pick at the end."`
	ShowResult bool       `json:"show_result,omitempty" doc:"Raters may see the result."`
	OwnDuels   bool       `json:"own_duels,omitempty" doc:"Raters may add comparisons that were not asked."` // which pass the checks that answers pass
	Page       Appearance `json:"page,omitzero" doc:"How the study looks in a browser."`
}

// Checks are put among the questions without a mark. The zero value checks nothing.
type Checks struct {
	RepeatRate float64 `json:"repeat_rate,omitempty" minimum:"0" maximum:"0.5" doc:"Share of questions that repeat an earlier one with sides swapped."` // and under the same conditions
	MinRT      int     `json:"min_rt_ms,omitempty" minimum:"0" maximum:"60000" doc:"An answer quicker than this is refused and not recorded."`
	Catch      []Catch `json:"catch,omitempty" maxItems:"100" doc:"Catch pairs with a known answer; each rater gets one every catch_every questions. Parameters that both sides omit are taken from the ask."`
	CatchEvery int     `json:"catch_every,omitempty" minimum:"0" maximum:"1000" doc:"Questions from one catch question to the next; 10 by default."`
	From       int     `json:"-"` // the event that made them so, 0 of those the study was made with
}

// Catch is a pair whose answer is known.
type Catch struct {
	Better space.Option `json:"better"`
	Worse  space.Option `json:"worse"`
}

// Filled returns both options with the values of the conditions that they leave open.
func (c Catch) Filled(fixed space.Option) (better, worse space.Option) {
	fill := func(o space.Option) space.Option {
		out := space.Option{}
		maps.Copy(out, fixed)
		maps.Copy(out, o)
		return out
	}
	return fill(c.Better), fill(c.Worse)
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
	better, worse := c.Filled(open)
	_, err = scratch.Observe(ctx, prefer.Duel{First: better, Second: worse, Answer: prefer.Answer{Choice: prefer.First}})
	return err
}

// Read reads the settings beside a study by their names and takes them out of the fields. The error is an *token.Error.
func (c *Settings) Read(fields map[string]json.RawMessage) error {
	for _, part := range []struct {
		name string
		into any
	}{{"checks", &c.Checks}, {"sitting", &c.Phases}, {"show_result", &c.ShowResult}, {"own_duels", &c.OwnDuels}, {"page", &c.Page}} {
		text, ok := fields[part.name]
		if !ok {
			continue
		}
		if err := strictjson.Decode(text, part.into); err != nil {
			return token.RefuseField(part.name, nil, "%s", err)
		}
		delete(fields, part.name)
	}
	return nil
}

// settingsNote is the note that settings are kept in.
const settingsNote = "settings"

// In returns how a study of a store was run when it was made, and how after the events that study knows.
func In(ctx context.Context, st store.Store, name string, study *prefer.Study) (made, now Settings, err error) {
	if err := store.FindJSON(ctx, st, name, settingsNote, &made); err != nil {
		return made, now, fmt.Errorf("live: study %q: its settings cannot be read: %w", name, err)
	}
	now = made
	for _, e := range Changes(study) {
		if now, err = now.After(e); err != nil {
			return made, now, err
		}
	}
	return made, now, nil
}

// Keep keeps the settings that a study is made with.
func (c Settings) Keep(ctx context.Context, st store.Store, study string) error {
	return store.KeepJSON(ctx, st.KeepNote, store.Note{Study: study, Name: settingsNote}, c)
}

// Validate reports settings that make no sense in a study.
func (c Settings) Validate(ctx context.Context, cfg prefer.Config) error {
	if err := c.Page.Validate(); errors.As(err, new(*token.Error)) {
		return err
	} else if err != nil {
		return token.RefuseField("page", nil, "%s", err)
	}
	known := placeholders(cfg.Space)
	for _, m := range placeholder.FindAllStringSubmatch(c.Page.Template.Text, -1) {
		if !slices.Contains(known, m[1]) {
			return token.RefuseField("page.template", m[1], "the template has a place for %q, which is not a parameter or feature of the study", m[1])
		}
	}
	if word := c.Page.unknownWord(cfg.Space); word != "" {
		return token.RefuseField("page.words", word, "words has one for %.80q, which is not a name or value of a parameter or feature of the study", word)
	}
	k := c.Checks
	for _, number := range []struct {
		part, name string
		is, most   float64
	}{
		{"sitting", "practice", float64(c.Phases.Practice), 100}, {"sitting", "break_every", float64(c.Phases.BreakEvery), 1000}, {"sitting", "blind", float64(c.Phases.Blind), 20},
		{"checks", "repeat_rate", k.RepeatRate, 0.5}, {"checks", "min_rt_ms", float64(k.MinRT), 60_000}, {"checks", "catch_every", float64(k.CatchEvery), 1000},
	} {
		if !(number.is >= 0 && number.is <= number.most) {
			return token.RefuseField(number.part+"."+number.name, number.is, "%s = %v, want 0 to %v", number.name, number.is, number.most)
		}
	}
	if k.CatchEvery == 1 {
		return token.RefuseField("checks.catch_every", k.CatchEvery, "catch_every = 1, want at least 2, or 0 for 10")
	}
	if len(k.Catch) > 100 {
		return token.RefuseField("checks.catch", len(k.Catch), "%d catch questions, want at most 100", len(k.Catch))
	}
	for i, c := range k.Catch {
		if err := c.validate(ctx, cfg); err != nil {
			return token.RefuseField(fmt.Sprintf("checks.catch[%d]", i), c, "%s", err)
		}
	}
	return nil
}

// Phases are how everybody is led through a study. The zero value asks one question after the other, to the end.
type Phases struct {
	Practice   int `json:"practice,omitempty" minimum:"0" maximum:"100" doc:"Practice questions at the start; nothing is learned from them."` // as raters are told
	BreakEvery int `json:"break_every,omitempty" minimum:"0" maximum:"1000" doc:"Answers after which a break is offered."`
	Blind      int `json:"blind,omitempty" minimum:"0" maximum:"20" doc:"Blind duels of the pick that each rater is asked at the end."` // under each context, whether or not they may see the result
}

// Catches returns how many of n questions are to be catch questions: every so many-th.
func (c Checks) Catches(n int) int {
	if len(c.Catch) == 0 {
		return 0
	}
	return n / c.CatchInterval()
}

// TooQuick reports whether an answer is refused as too quick, and how long it took: the response time it states, or what elapsed since its question, if that
// is known, whichever is less. Skips are not refused.
func (c Checks) TooQuick(a prefer.Answer, elapsed time.Duration, known bool) (took time.Duration, refused bool) {
	least := time.Duration(c.MinRT) * time.Millisecond
	if took = elapsed; !known {
		took = least
	}
	if a.ResponseTime > 0 {
		took = min(took, a.ResponseTime)
	}
	return took, took < least && a.Choice != prefer.Skip
}

// CatchInterval is how many questions it is from one catch question to the next.
func (c Checks) CatchInterval() int { return cmp.Or(c.CatchEvery, 10) }
