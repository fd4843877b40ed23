package prefer

import (
	"context"
	"slices"
	"time"

	"github.com/prefer-bo/prefer/space"
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

// Created opens every log.
type createdEvent struct {
	Config Config `json:"config"`
	// Kernels is the arithmetic the study was created with. On the same binary and kernels a
	// replayed study has the same bits; elsewhere numbers agree to about 1e-8.
	Kernels string `json:"kernels"`
}

// Answered is an answer to an asked question.
type answeredEvent struct {
	ID       AnswerID   `json:"id"`
	Question QuestionID `json:"question"`
	Answer   Answer     `json:"answer"`
}

// Observed is a duel nobody asked for.
type observedEvent struct {
	ID   AnswerID `json:"id"`
	Duel Duel     `json:"duel"`
}

// Undone takes an answer back. Its question is open again for its rater.
type undoneEvent struct {
	Answer AnswerID `json:"answer"`
}

// Joined adds items to the list of a running study; one that has left comes back as it was.
type joinedEvent struct {
	Items []space.Item `json:"items"`
}

// Left takes items out of the list of a running study, by their ids.
type leftEvent struct {
	Items []string `json:"items"`
}

// Enqueued is an option somebody wants tried: it will be one side of a coming question.
type Enqueued struct {
	Option space.Option `json:"option"`
	// Against, if not nil, is the other side: that very pair is asked.
	Against space.Option `json:"against,omitempty"`
	// Rater is who will be asked about it; empty for whoever comes next.
	Rater string `json:"rater,omitempty"`
	// Except are raters who are not asked about it.
	Except []string `json:"except,omitempty"`
}

// Taken is what a rater says about an option by itself: whether they would take it. The latest word about it counts.
type Taken struct {
	ID     string       `json:"id"`
	Option space.Option `json:"option"`
	Rater  string       `json:"rater,omitempty"`
	Take   bool         `json:"take"`
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

// Journal keeps a study's events. Stores implement it; the study appends first and applies after, so an event that was not kept never happened.
type Journal interface {
	// Append adds events whose sequence numbers follow after. If the journal does not end at after it adds nothing and returns an error wrapping ErrConflict.
	Append(ctx context.Context, after int, events ...Event) error
}

// Forget returns the log with everything that these raters said or were asked replaced by Forgotten, and how many
// events that were. What others were asked and answered stays. The result is a valid log of the same
// length; events are not changed, only exchanged, and their names among those who are not asked about something are left out.
func Forget(events []Event, raters ...string) ([]Event, int) {
	goes := map[string]bool{}
	for _, rater := range raters {
		goes[rater] = true
	}
	out := make([]Event, len(events))
	questions, answers := map[QuestionID]bool{}, map[AnswerID]bool{}
	removed := 0
	for i, e := range events {
		gone, was := false, forgottenEvent{Was: e.Kind}
		switch {
		case e.Asked != nil && goes[e.Asked.Rater]:
			gone, was.Design, was.Blind = true, e.Asked.Method == "design", e.Asked.Blind != nil || e.Asked.Method == "practice"
			questions[e.Asked.ID] = true
		case e.Answered != nil && questions[e.Answered.Question]:
			gone = true
			answers[e.Answered.ID] = true
		case e.Observed != nil && goes[e.Observed.Duel.Rater]:
			gone = true
			answers[e.Observed.ID] = true
		case e.Undone != nil && answers[e.Undone.Answer], e.Enqueued != nil && goes[e.Enqueued.Rater], e.Taken != nil && goes[e.Taken.Rater],
			e.Excluded != nil && goes[e.Excluded.Rater]:
			gone = true
		}
		out[i] = e
		named := func(name string) bool { return goes[name] }
		if e.Enqueued != nil && slices.ContainsFunc(e.Enqueued.Except, named) { // in what others are to be asked
			rest := *e.Enqueued
			rest.Except = slices.DeleteFunc(slices.Clone(rest.Except), named)
			out[i].Enqueued = &rest
			if !gone {
				removed++
			}
		}
		if gone {
			out[i] = Event{Seq: e.Seq, Time: events[0].Time, Kind: "forgotten", Forgotten: &was}
			removed++
		}
	}
	return out, removed
}
