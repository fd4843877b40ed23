package server

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

// checked is the study with checks.
func checked(checks string) string {
	return strings.Replace(coffee, `"seed"`, `"initial":1000,"checks":`+checks+`,"seed"`, 1)
}

// TestRepeats: some questions come again with their sides exchanged, unmarked, and the raters' own agreement
// is counted.
func TestRepeats(t *testing.T) {
	h := newHouse(t, withOwner)
	h.want(201, "POST", "/v1/studies", checked(`{"repeat_rate":0.5}`), nil)
	ann := h.invite("coffee", "ann")
	seen := map[string]Question{}
	repeats := 0
	for range 40 {
		var q, known Question
		ann.want(200, "POST", "/v1/studies/coffee/ask", "", &q)
		h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"ann"}`, &known)
		if q.Repeat || q.Why != nil {
			t.Errorf("the rater can tell a repeat: %+v", q)
		}
		key := fmt.Sprint(q.Options[0].Params, q.Options[1].Params)
		exchanged := fmt.Sprint(q.Options[1].Params, q.Options[0].Params)
		if _, same := seen[key]; same {
			t.Error("a question came again with the same sides")
		}
		if _, again := seen[exchanged]; again != known.Repeat {
			t.Errorf("a repeat is %v, and the owner is told %v", again, known.Repeat)
		}
		if known.Repeat {
			repeats++
		}
		seen[key] = q
		choice := "first"
		if q.Options[0].Params.Float("milk") < q.Options[1].Params.Float("milk") {
			choice = "second"
		}
		h.tell(q, choice)
	}
	if repeats < 8 || repeats > 20 {
		t.Errorf("%d of 40 were repeats", repeats)
	}
	var raters struct{ Raters []Rater }
	h.want(200, "GET", "/v1/studies/coffee/raters", "", &raters)
	if a := raters.Raters[0].Agreed; a.Count != repeats || a.Of != repeats {
		t.Errorf("agreed with herself in %+v, want all %d", a, repeats)
	}
}

// TestCatch: a catch question comes every so often, is not learned from, and is counted.
func TestCatch(t *testing.T) {
	h := newHouse(t, nil)
	h.want(201, "POST", "/v1/studies", checked(`{"catch":[{"better":{"milk":1,"sugar":0},"worse":{"milk":0,"sugar":5}}],"catch_every":4}`), nil)
	better := prefer.Option{"milk": prefer.ValueOf(1), "sugar": prefer.ValueOf(0)}
	for i := range 16 {
		q := h.ask("ann")
		catch := maps.Equal(q.Options[0].Params, better) || maps.Equal(q.Options[1].Params, better)
		if catch != (i%4 == 3) {
			t.Errorf("question %d is a catch question: %v", i, catch)
		}
		choice := "first"
		if catch && maps.Equal(q.Options[1].Params, better) != (i == 15) { // wrong once
			choice = "second"
		}
		h.tell(q, choice)
		if h.lastAnswer().Answer.Check != catch {
			t.Errorf("answer %d counts as a check: %v", i, !catch)
		}
	}
	var raters struct{ Raters []Rater }
	h.want(200, "GET", "/v1/studies/coffee/raters", "", &raters)
	if c := raters.Raters[0].Caught; c.Right != 3 || c.Of != 4 {
		t.Errorf("caught %+v, want 3 of 4 right", c)
	}
}

// TestTooQuick: an answer in no time is refused and not kept, by what the client says and by the clock.
func TestTooQuick(t *testing.T) {
	now := time.Now()
	h := newHouse(t, func(c *Config) { c.Now = func() time.Time { return now } })
	h.want(201, "POST", "/v1/studies", checked(`{"min_rt_ms":400}`), nil)
	q := h.ask("ann")
	body := func(rt int, choice string) string {
		return fmt.Sprintf(`{"question_id":%q,"choice":%q,"rt_ms":%d,"key":"k"}`, q.ID, choice, rt)
	}
	now = time.Now().Add(time.Hour)
	h.refused(422, "too_quick", "body.rt_ms", "POST", "/v1/studies/coffee/tell", body(399, "first"))
	now = time.Now().Add(-time.Hour)
	h.refused(422, "too_quick", "body.rt_ms", "POST", "/v1/studies/coffee/tell", body(5000, "first"))
	var study Study
	if h.want(200, "GET", "/v1/studies/coffee", "", &study); study.Count != 0 {
		t.Errorf("%d answers are kept", study.Count)
	}
	now = time.Now().Add(time.Hour)
	h.want(200, "POST", "/v1/studies/coffee/tell", body(400, "first"), nil)
	h.want(200, "POST", "/v1/studies/coffee/tell", body(1, "first"), nil) // the same again, from its key
}
