package prefer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/coding"
)

// Event is one entry of a study's log. The log is the study: folding the same events gives the same
// state. Exactly one of the pointers is set, the one Kind names.
type Event struct {
	Seq  int       `json:"seq"` // 1, 2, 3, …
	Time time.Time `json:"time"`
	Kind EventKind `json:"kind"`

	// Origin is the id of the upload token that the event came by, empty for what happened here.
	Origin string `json:"origin,omitempty"`

	Created   *createdEvent   `json:"created,omitempty"`
	Asked     *Question       `json:"asked,omitempty"`
	Answered  *answeredEvent  `json:"answered,omitempty"`
	Observed  *observedEvent  `json:"observed,omitempty"`
	Undone    *undoneEvent    `json:"undone,omitempty"`
	Joined    *joinedEvent    `json:"joined,omitempty"`
	Left      *leftEvent      `json:"left,omitempty"`
	Enqueued  *Enqueued       `json:"enqueued,omitempty"`
	Taken     *Taken          `json:"taken,omitempty"`
	Changed   *Change         `json:"changed,omitempty"`
	Excluded  *excludedEvent  `json:"excluded,omitempty"`
	Forgotten *forgottenEvent `json:"forgotten,omitempty"`
}

// contents is what an event says: what one of its pointers points to.
type contents interface {
	// prepare checks it against the state and returns what applies it.
	prepare(*state) (commit func(), err error)
}

// contents counts the pointers that are set and returns the last one with its kind.
func (e Event) contents() (what contents, kind EventKind, n int) {
	for _, each := range [...]struct {
		kind EventKind
		set  bool
		contents
	}{
		{kindCreated, e.Created != nil, e.Created},
		{kindAsked, e.Asked != nil, e.Asked},
		{kindAnswered, e.Answered != nil, e.Answered},
		{kindObserved, e.Observed != nil, e.Observed},
		{kindUndone, e.Undone != nil, e.Undone},
		{kindJoined, e.Joined != nil, e.Joined},
		{kindLeft, e.Left != nil, e.Left},
		{kindEnqueued, e.Enqueued != nil, e.Enqueued},
		{kindTaken, e.Taken != nil, e.Taken},
		{kindChanged, e.Changed != nil, e.Changed},
		{kindExcluded, e.Excluded != nil, e.Excluded},
		{kindForgotten, e.Forgotten != nil, e.Forgotten},
	} {
		if each.set {
			what, kind, n = each.contents, each.kind, n+1
		}
	}
	return what, kind, n
}

// EventKind says what happened: "created", "asked", "answered", "observed", "undone", "joined", "left", "enqueued", "taken",
// "changed", "excluded" or "forgotten". It is the name of the one pointer of an Event that is set.
type EventKind string

// The kinds of events.
const (
	kindCreated   EventKind = "created"
	kindAsked     EventKind = "asked"
	kindAnswered  EventKind = "answered"
	kindObserved  EventKind = "observed"
	kindUndone    EventKind = "undone"
	kindJoined    EventKind = "joined"
	kindLeft      EventKind = "left"
	kindEnqueued  EventKind = "enqueued"
	kindTaken     EventKind = "taken"
	kindChanged   EventKind = "changed"
	kindExcluded  EventKind = "excluded"
	kindForgotten EventKind = "forgotten"
)

// eventKinds are all of them, in the order of the pointers in Event.
var eventKinds = [...]EventKind{kindCreated, kindAsked, kindAnswered, kindObserved, kindUndone, kindJoined, kindLeft, kindEnqueued, kindTaken, kindChanged,
	kindExcluded, kindForgotten}

// newer reports whether an event is of a kind that this version does not know.
func (e Event) newer() bool {
	_, _, n := e.contents()
	return n == 0 && e.Kind != "" && !slices.Contains(eventKinds[:], e.Kind)
}

// checkRater refuses what is not valid UTF-8, and U+FFFD, which is what programs make of that when they write it down: two
// names could become one. Logs that have such a name stay readable.
func checkRater(name string) error {
	if !utf8.ValidString(name) || strings.ContainsRune(name, utf8.RuneError) {
		return coding.RefuseField("rater", "rater", name, "rater %q is not valid UTF-8, and another such name could be taken for it", name)
	}
	return nil
}

// rater returns the name that an event brings into the log, if it does.
func (e Event) rater() string {
	switch {
	case e.Asked != nil:
		return e.Asked.Rater
	case e.Observed != nil:
		return e.Observed.Duel.Rater
	case e.Enqueued != nil:
		return e.Enqueued.Rater
	case e.Taken != nil:
		return e.Taken.Rater
	}
	return ""
}

// Created opens every log.
type createdEvent struct {
	Config Config `json:"config"`
	// Kernels is the arithmetic the study was created with. On the same binary and kernels a
	// replayed study has the same bits; elsewhere numbers agree to about 1e-8.
	Kernels string `json:"kernels"`
}

func (e createdEvent) prepare(s *state) (func(), error) {
	code, err := e.Config.validate()
	if err != nil {
		return nil, err
	}
	return func() { s.cfg, s.code, s.list = e.Config.withDefaults(), code, code }, nil
}

// Forgotten stands where an event about a person was removed. The log keeps its numbering and the study
// stays valid; nothing of the person is left but that there was something.
type forgottenEvent struct {
	// Was is the kind of the event, "asked", "answered", "observed", "undone", "enqueued", "taken" or "excluded": numbering goes on after it.
	Was EventKind `json:"was"`
	// Design says that a quasi-random question was removed: the sequence goes on after it.
	Design bool `json:"design,omitempty"`
	// Blind says that a blind duel or a practice question was removed, which the study never counted among its questions.
	Blind bool `json:"blind,omitempty"`
}

// prepare keeps what numbering and the quasi-random sequence need of an event that was removed.
func (f forgottenEvent) prepare(s *state) (func(), error) {
	switch f.Was {
	case kindAsked, kindAnswered, kindObserved, kindUndone, kindEnqueued, kindTaken, kindExcluded:
	default:
		return nil, fmt.Errorf("prefer: a forgotten event was %q, want asked, answered, observed, undone, enqueued, taken or excluded", f.Was)
	}
	return func() {
		switch f.Was {
		case kindAsked:
			s.gone.questions++
			if f.Blind {
				s.gone.blind++
			}
		case kindAnswered, kindObserved:
			s.gone.answers++
		}
		if f.Design {
			s.design++
		}
	}, nil
}

// Journal keeps a study's events. Stores implement it; the study appends first and applies after, so an event that was not kept never happened.
type Journal interface {
	// Append adds events whose sequence numbers follow after. If the journal does not end at after it adds nothing and returns an error wrapping ErrConflict.
	Append(ctx context.Context, after int, events ...Event) error
}

// apply folds one event of a log in. On error the state is unchanged.
func (s *state) apply(e Event) error {
	commit, err := s.prepare(e)
	if err != nil {
		if !errors.Is(err, ErrNewer) {
			err = fmt.Errorf("%w: %w", err, ErrEvents)
		}
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	commit()
	return nil
}

// prepare checks an event against the state and returns what applies it. Between the two an event can be kept in a journal, knowing that it will replay.
func (s *state) prepare(e Event) (commit func(), err error) {
	what, kind, n := e.contents()
	switch {
	case e.Seq != s.seq+1:
		return nil, fmt.Errorf("prefer: it follows event %d", s.seq)
	case (e.Kind == kindCreated) != (s.seq == 0):
		return nil, fmt.Errorf("prefer: its kind is %q; a log begins with one \"created\"", e.Kind)
	case e.newer():
		return nil, fmt.Errorf("prefer: its kind is %q: %w", e.Kind, ErrNewer)
	case n != 1:
		return nil, fmt.Errorf("prefer: it has %d contents, want the one of its kind %q", n, e.Kind)
	case kind != e.Kind:
		return nil, fmt.Errorf("prefer: unknown or empty kind %q", e.Kind)
	}
	do, err := what.prepare(s)
	if err != nil {
		return nil, err
	}
	return func() { do(); s.seq = e.Seq }, nil
}

// checkReplay folds a log, and events that are to follow it, into a state of their own, and reports the first that does not fit.
func checkReplay(log, events []Event) error {
	trial, err := replayed(log)
	for _, e := range events {
		if err == nil {
			err = trial.follow(e)
		}
	}
	return err
}

// replayed returns the state that a log leads to.
func replayed(log []Event) (*state, error) {
	s := newState()
	for _, e := range log {
		if err := s.apply(e); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// follow applies the next event. Unlike that of apply its error is one of what was asked for, not of a log.
func (s *state) follow(e Event) error {
	e.Seq = s.seq + 1
	commit, err := s.prepare(e)
	if err == nil {
		commit()
	}
	return err
}
