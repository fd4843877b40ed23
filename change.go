package prefer

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// Change is what the owner changes of a running study: what is nil stays. From then on the study is as if it had been made so, with
// the answers it has; what was said and asked before is not touched.
type Change struct {
	// People is whose utility is learned from now on, from the answers before, too: each is kept with who gave it.
	People *People `json:"people,omitempty"`
	// Budget is the number of answers a person will give; 0 for no end but the verdict's.
	Budget *int `json:"budget,omitempty"`
	// Shortlist is how many of the best items are looked for; 0 for one favourite.
	Shortlist *int `json:"shortlist,omitempty"`
	// Prompt is the sentence above a question; empty for the default.
	Prompt *string `json:"prompt,omitempty"`
	// Settings is what changes of how those who serve the study put its questions: a JSON object that is merged into their settings, fields
	// of null removed (RFC 7396). The study keeps it for them, and reads nothing in it.
	Settings json.RawMessage `json:"settings,omitempty"`

	// Join are items that join the list. They have the features of the others; numbers may lie outside the range the study began with, and
	// words may be new. Coordinates are laid out by the items that the study began with, so that nothing that was learned moves. An item
	// that has left comes back by its id if it is the same in everything; an item that has changed takes another id.
	Join []space.Item `json:"-"`

	// Leave are the ids of items that leave the list. They are not asked about any more, are no longer ranked, and are never the pick; what
	// was said about them goes on teaching about the others. A question with one of them is withdrawn: the rater gets another, and the answer
	// of a rater who has seen it is taken. At least two different items stay.
	Leave []string `json:"-"`

	// Exclude are raters whose answers no longer teach about anybody else: a shared utility is learned without them, and Group goes by the
	// others. In a study per rater each still has a favourite. Include are raters who count again. Excluding a rater twice is a no-op.
	Exclude, Include []string `json:"-"`

	// Enqueue are options to try, put at the end of the queue in this order.
	Enqueue []Enqueued `json:"-"`

	// Why is kept in the log with those who are excluded, in the owner's words.
	Why string `json:"-"`
}

// empty reports whether the event of a change would say nothing.
func (c Change) empty() bool {
	return c.People == nil && c.Budget == nil && c.Shortlist == nil && c.Prompt == nil && c.Settings == nil
}

// of returns the configuration as it is after the change.
func (c Change) of(cfg Config) Config {
	if c.People != nil {
		cfg.People = *c.People
	}
	if c.Budget != nil {
		cfg.Budget = *c.Budget
	}
	if c.Shortlist != nil {
		cfg.Shortlist = *c.Shortlist
	}
	if c.Prompt != nil {
		cfg.Prompt = *c.Prompt
	}
	return cfg.withDefaults()
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

func (c Change) prepare(s *state) (func(), error) {
	if c.empty() {
		return nil, coding.Refuse("option", "a change of nothing, want People, Budget, Shortlist, Prompt, Settings, items or raters")
	}
	if c.Settings != nil && (!json.Valid(c.Settings) || bytes.TrimSpace(c.Settings)[0] != '{') {
		return nil, fmt.Errorf("prefer: Change.Settings = %.80q, want a JSON object", c.Settings)
	}
	next := c.of(s.cfg)
	if err := next.checkChanged(); err != nil {
		return nil, err
	}
	return func() { s.cfg = next }, nil
}

// Excluded leaves a rater out of what the group learns, or counts them again. Their answers stay in the log and in their own result;
// while they are out their answers teach nobody else.
type excludedEvent struct {
	Rater string `json:"rater"`
	Out   bool   `json:"out"`
	Why   string `json:"why,omitempty"` // in the owner's words
}

func (e excludedEvent) prepare(s *state) (func(), error) {
	return func() {
		if e.Out {
			s.out[e.Rater] = e.Why
		} else {
			delete(s.out, e.Rater)
		}
	}, nil
}

func (e Enqueued) prepare(s *state) (func(), error) {
	a, err := s.code.Unit(e.Option)
	if err != nil {
		return nil, err
	}
	if e.Against != nil {
		if _, _, err := s.code.Pair(e.Option, e.Against); err != nil {
			return nil, err
		}
		b, err := s.code.Unit(e.Against)
		if err != nil {
			return nil, err
		}
		if s.code.Gap(a, b) < coding.SameOption {
			return nil, coding.Refuse("option", "both sides of the pair are {%v}", e.Option)
		}
		if err := s.present(e.Against); err != nil {
			return nil, err
		}
	}
	if err := s.present(e.Option); err != nil {
		return nil, err
	}
	return func() { s.queue = append(s.queue, e) }, nil
}
