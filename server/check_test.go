package server

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// checked is the study with checks.
func checked(checks string) string {
	return strings.Replace(coffee, `"seed"`, `"initial":1000,"checks":`+checks+`,"seed"`, 1)
}

// TestRepeats: some questions come again with their sides exchanged, unmarked, and the raters' own agreement
// is counted.
func TestRepeats(t *testing.T) {
	h := newTestServer(t, withOwner)
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
		t.Errorf("agreed with themselves in %+v, want all %d", a, repeats)
	}
}

// TestCatch: a catch question comes every so often, is not learned from, and is counted.
func TestCatch(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", checked(`{"catch":[{"better":{"milk":1,"sugar":0},"worse":{"milk":0,"sugar":5}}],"catch_every":4}`), nil)
	better := space.Option{"milk": space.ValueOf(1), "sugar": space.ValueOf(0)}
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
	if c := raters.Raters[0].Catch; c != (live.CatchCount{Right: 3, Of: 4, Due: 4}) {
		t.Errorf("caught %+v, want 3 of 4 right", c)
	}
	const words = "known answers: 3 of 4 right, 4 due"
	if _, _, page := h.do("GET", "/s/coffee/owner", ""); !contains(page, words) {
		t.Errorf("the page of people does not say %q:\n%.3000s", words, page)
	}
	var e Job
	h.want(202, "POST", "/v1/studies/coffee/reports", "{}", &e)
	if _, _, page := h.do("GET", h.finish("coffee", e.ID).URL, ""); !contains(page, words) {
		t.Errorf("the report does not say %q", words)
	}
}

// TestTooQuick: an answer in no time is refused and not kept, by what the client says and by the clock. A clock that went back an hour tells
// nothing: the rater need not wait until it is there again.
func TestTooQuick(t *testing.T) {
	now := time.Now()
	h := newTestServer(t, func(c *Config) { c.Now = func() time.Time { return now } })
	h.want(201, "POST", "/v1/studies", checked(`{"min_rt_ms":400}`), nil)
	q := h.ask("ann")
	body := func(rt int, choice string) string {
		return fmt.Sprintf(`{"question_id":%q,"choice":%q,"rt_ms":%d,"key":"k"}`, q.ID, choice, rt)
	}
	events, err := h.store.Events(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	asked := events[1].Time
	now = asked.Add(time.Hour)
	h.refused(422, "too_quick", "body.rt_ms", "POST", "/v1/studies/coffee/tell", body(399, "first"))
	now = asked.Add(399 * time.Millisecond)
	h.refused(422, "too_quick", "body.rt_ms", "POST", "/v1/studies/coffee/tell", body(5000, "first"))
	now = asked.Add(-time.Hour)
	h.refused(422, "too_quick", "body.rt_ms", "POST", "/v1/studies/coffee/tell", body(399, "first"))
	var study Study
	if h.want(200, "GET", "/v1/studies/coffee", "", &study); study.Count != 0 {
		t.Errorf("%d answers are kept", study.Count)
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", body(400, "first"), nil)
	h.want(200, "POST", "/v1/studies/coffee/tell", body(1, "first"), nil) // the same again, from its key
}

// TestOtherClock: a question of a server whose clock is an hour ahead is answered at another, whose limits, crowds and report go by its own clock; times in the log
// go back, and the log is whole.
func TestOtherClock(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", checked(`{"min_rt_ms":300}`), nil)
	st, err := sqlstore.Open(t.Context(), h.path, sqlstore.Options{Now: func() time.Time { return time.Now().Add(time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ahead, err := New(Config{Store: st, Logger: slog.New(slog.DiscardHandler), Rate: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer ahead.Close(context.Background())
	there := *h
	there.server, there.web = ahead, httptest.NewServer(ahead.Handler())
	defer there.web.Close()
	var before time.Time
	back := 0
	for i := range 6 {
		q := there.ask("ann")
		h.want(200, "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first","rt_ms":5000,"key":"k%d"}`, q.ID, i), nil)
	}
	events, err := h.store.Events(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Time.Before(before) {
			back++
		}
		before = e.Time
	}
	if back != 6 {
		t.Errorf("times went back %d times, want 6: the test does not test it", back)
	}
	if err := h.store.Check(t.Context()); err != nil {
		t.Error(err)
	}
	h.want(200, "POST", "/v1/studies/coffee/undo", `{"rater":"ann"}`, nil)
	var raters struct{ Raters []prefer.Rater }
	if h.want(200, "GET", "/v1/studies/coffee/raters", "", &raters); len(raters.Raters) != 1 || raters.Raters[0].Answers != 5 {
		t.Errorf("ann is %+v", raters.Raters)
	}
	h.want(200, "GET", "/v1/studies/coffee/export?format=csv", "", nil)
}

// quietAndBabble is a study under two contexts.
const quietAndBabble = `{"name":"coffee","params":[{"name":"gain","type":"float","low":0,"high":40},{"name":"pitch","type":"float","low":0,"high":5},
	{"name":"noise","type":"categorical","choices":["quiet","babble"],"context":true}],"people":"per_rater","kinship":"none","seed":11,"initial":1000,"belief":"likeliest",
	"checks":{"catch_every":8,"repeat_rate":0.15,"catch":[{"better":{"gain":20,"pitch":1},"worse":{"gain":40,"pitch":5}}]}}`

// TestChecksUnderConditions: twelve people answer 26 questions each under two contexts by turns. Every one gets as many catch
// questions and repeats as are due: 26/8 = 3, and 26·0.15 = 3.9, so 3 or 4; none under the other context, no two in a row.
func TestChecksUnderConditions(t *testing.T) {
	const people, questions = 12, 26
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", quietAndBabble, nil)
	given := map[string]live.Checked{}
	for p := range people {
		rater := fmt.Sprintf("P%02d", p)
		var count live.Checked
		seen := map[string]bool{}
		before := false
		for n := range questions {
			noise := []string{"quiet", "babble"}[(n+p)%2]
			var q Question
			h.want(200, "POST", "/v1/studies/coffee/ask", fmt.Sprintf(`{"rater":%q,"fixed":{"noise":%q}}`, rater, noise), &q)
			left, right := q.Options[0].Params, q.Options[1].Params
			if left.Word("noise") != noise || right.Word("noise") != noise {
				t.Fatalf("%s, under %s: %v or %v", q.ID, noise, left, right)
			}
			pitch := map[bool]float64{true: left.Float("pitch"), false: right.Float("pitch")}
			catch := left.Float("gain")+right.Float("gain") == 60 && pitch[true]+pitch[false] == 6
			again := seen[fmt.Sprint(right, left)] && !catch
			if again != q.Repeat || before && (catch || again) {
				t.Errorf("%s is a repeat: %v, a catch question: %v, after a check: %v", q.ID, q.Repeat, catch, before)
			}
			seen[fmt.Sprint(left, right)] = true
			before = catch || again
			choice := "first"
			if pitch[false] < pitch[true] {
				choice = "second"
			}
			if catch {
				count.Catch.Of++
				count.Catch.Right++
			}
			if again {
				count.Repeats.Of++
				count.Repeats.Agreed++
			}
			h.tell(q, choice)
		}
		given[rater] = count
	}
	var raters struct{ Raters []Rater }
	h.want(200, "GET", "/v1/studies/coffee/raters", "", &raters)
	total := live.Checked{}
	for _, r := range raters.Raters {
		want := given[r.Name]
		want.Catch.Due, want.Repeats.Due = want.Catch.Of, want.Repeats.Of
		if r.Checked != want || r.Catch.Due != questions/8 || r.Repeats.Due < 3 || r.Repeats.Due > 4 {
			t.Errorf("%s was given %+v, and /raters says %+v", r.Name, given[r.Name], r.Checked)
		}
		total.Catch.Of += r.Catch.Of
		total.Repeats.Of += r.Repeats.Of
	}
	if len(raters.Raters) != people || total.Catch.Of != 36 {
		t.Errorf("%d raters had %d catch questions, want 36", len(raters.Raters), total.Catch.Of)
	}
	t.Logf("%d catch questions and %d repeats of %d", total.Catch.Of, total.Repeats.Of, people*questions)
}
