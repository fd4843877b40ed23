package prefer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Line writes an event as logs have it: JSON on one line, without its end.
func (e Event) Line() ([]byte, error) {
	text, err := plainJSON(e)
	return bytes.TrimSuffix(text, []byte("\n")), err
}

// ReadEvent reads what Line wrote, and nothing else that encoding/json would take for it: a name in another case, or one
// twice, is an error. A kind of event or a field that this version does not know wraps ErrNewer.
func ReadEvent(line []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		return e, err
	}
	err := strictjson.Names(line, e)
	switch {
	case err == nil:
		return e, nil
	case e.newer():
		return e, fmt.Errorf("prefer: its kind is %q: %w", e.Kind, ErrNewer)
	case errors.Is(err, strictjson.ErrUnknown):
		return e, fmt.Errorf("prefer: %w: %w", err, ErrNewer)
	}
	return e, fmt.Errorf("prefer: %w", err)
}

// Hash names a configuration, for a preregistration or a methods text to point to: the SHA-256, in hexadecimal, of its JSON
// in the canonical form of RFC 8785, the keys of every object sorted and no spaces; but a whole number keeps all its digits. Of the
// Config of a Created event it covers every default; what is no part of the log (Journal, Now, Chooser) it does not.
func (c Config) Hash() (string, error) {
	text, err := plainJSON(c)
	if err != nil {
		return "", err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // a seed may have more digits than a float64
	var sorted any
	if err := d.Decode(&sorted); err != nil {
		return "", err
	}
	if text, err = plainJSON(sorted); err != nil {
		return "", err
	}
	sum := sha256.Sum256(bytes.TrimSuffix(text, []byte("\n")))
	return hex.EncodeToString(sum[:]), nil
}

// Forget returns the log with everything that these raters said or were asked replaced by Forgotten, and how many
// events that were. What others were asked and answered stays. The result is a valid log of the same
// length; events are not changed, only exchanged, and their names among those who are not asked about something are left out.
func Forget(events []Event, raters ...string) ([]Event, int) {
	goes := xslices.ToMap(raters, func(rater string) (string, bool) { return rater, true })
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
