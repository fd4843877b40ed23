package prefer

import (
	"context"
	"errors"
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
}

// Change changes a running study. Changing a thing to what it is changes nothing.
func (s *Study) Change(ctx context.Context, c Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.state.cfg
	next := c.of(now)
	if c != (Change{}) && next.People == now.People && next.Budget == now.Budget && next.Prompt == now.Prompt {
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
	return &Change{People: copied(c.People), Budget: copied(c.Budget), Prompt: copied(c.Prompt)}
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

func (s *state) prepareChanged(c Change) (func(), error) {
	if c == (Change{}) {
		return nil, errors.New("prefer: a change of nothing, want People, Budget or Prompt")
	}
	next := c.of(s.cfg)
	if err := next.checkChanged(); err != nil {
		return nil, err
	}
	return func() { s.cfg = next }, nil
}

// people returns whose utility the study learns now.
func (s *Study) people() People {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.cfg.People
}

// settle has the fits keep as many as the study needs now. The caller holds mu, or is the only one to know s.
func (s *Study) settle() {
	keep := keptFits
	if s.state.cfg.People == PerRater {
		keep = keptMany
	}
	s.fits.keepAtMost(keep)
	s.tells.keepAtMost(keep)
}
