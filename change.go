package prefer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/internal/learn"
)

// Change is what the owner changes of a running study: what is nil stays. From then on the study is as if it had been made so, with
// the answers it has; what was said and asked before is not touched.
type Change struct {
	// People is whose utility is learned from now on, from the answers before, too: each is kept with who gave it.
	People *People `json:"people,omitempty"`
	// Budget is the number of answers a person will give; 0 for no end but the verdict's.
	Budget *int `json:"budget,omitempty"`
	// Prompt is the sentence above a question; empty for the default.
	Prompt *string `json:"prompt,omitempty"`
	// Settings is what changes of how those who serve the study put its questions: a JSON object that is merged into their settings, fields
	// of null removed (RFC 7396). The study keeps it for them, and reads nothing in it.
	Settings json.RawMessage `json:"settings,omitempty"`
}

// Empty reports whether nothing is to change.
func (c Change) Empty() bool {
	return c.People == nil && c.Budget == nil && c.Prompt == nil && c.Settings == nil
}

// Change changes a running study. Changing a thing to what it is changes nothing.
func (s *Study) Change(ctx context.Context, c Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.state.cfg
	next := c.of(now)
	if !c.Empty() && c.Settings == nil && next.People == now.People && next.Budget == now.Budget && next.Prompt == now.Prompt {
		return ended(ctx)
	}
	return s.append(ctx, Event{Kind: kindChanged, Changed: c.clone()})
}

// of returns the configuration as it is after the change.
func (c Change) of(cfg Config) Config {
	if c.People != nil {
		cfg.People = *c.People
	}
	if c.Budget != nil {
		cfg.Budget = *c.Budget
	}
	if c.Prompt != nil {
		cfg.Prompt = *c.Prompt
	}
	return cfg.withDefaults()
}

func (c Change) clone() *Change {
	return &Change{People: copied(c.People), Budget: copied(c.Budget), Prompt: copied(c.Prompt), Settings: slices.Clone(c.Settings)}
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

func (s *state) prepareChanged(c Change) (func(), error) {
	if c.Empty() {
		return nil, errors.New("prefer: a change of nothing, want People, Budget, Prompt or Settings")
	}
	if c.Settings != nil && (!json.Valid(c.Settings) || bytes.TrimSpace(c.Settings)[0] != '{') {
		return nil, fmt.Errorf("prefer: Change.Settings = %.80q, want a JSON object", c.Settings)
	}
	next := c.of(s.cfg)
	if err := next.checkChanged(); err != nil {
		return nil, err
	}
	return func() { s.cfg, s.changes = next, append(s.changes, s.seq+1) }, nil
}

// Changes returns the events that changed the study while it ran, in order.
func (s *Study) Changes() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Event, len(s.state.changes))
	for i, seq := range s.state.changes {
		out[i] = s.events[seq-1]
	}
	return out
}

// people returns whose utility the study learns now.
func (s *Study) people() People {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.cfg.People
}

// settle has the fits keep as many as the study needs now. The caller holds mu, or is the only one to know s.
func (s *Study) settle() {
	keep := learn.KeptFits
	if s.state.cfg.People == PerRater {
		keep = learn.KeptPerRater
	}
	s.questionFits.KeepAtMost(keep)
	s.beliefFits.KeepAtMost(keep)
}
