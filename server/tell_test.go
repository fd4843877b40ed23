package server

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestTell: "first" is what was shown first, whatever the log calls it, and both sides are used alike.
func TestTell(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	swapped := 0
	for i := range 8 {
		q := h.ask("ann")
		choice := []string{"first", "second"}[i/2%2]
		out := h.tell(q, choice)
		if out.Answer != fmt.Sprintf("a%d", i+1) || out.Status.Answers != i+1 {
			t.Errorf("told %+v", out)
		}
		e := h.lastAnswer()
		won := e.First
		if e.Answer.Choice == prefer.Second {
			won = e.Second
		}
		if want := q.Options[i/2%2].Params; !maps.Equal(won, want) {
			t.Errorf("the rater chose %v, the log says %v", want, won)
		}
		if e.Answer.Swapped != maps.Equal(e.Second, q.Options[0].Params) {
			t.Errorf("the log says swapped %v, and %v of {%v}, {%v} was shown first", e.Answer.Swapped, q.Options[0].Params, e.First, e.Second)
		}
		if e.Answer.Swapped {
			swapped++
		}
		if i%2 == 1 && swapped != (i+1)/2 {
			t.Errorf("%d of %d questions were exchanged, want half of them", swapped, i+1)
		}
	}
	for _, choice := range []string{"tie", "both_bad", "skip"} {
		h.tell(h.ask("ann"), choice)
		if e := h.lastAnswer(); string(e.Answer.Choice) != choice {
			t.Errorf("told %s, kept %+v", choice, e.Answer)
		}
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"rater":"ann","choice":"first","rt_ms":2140,"session":"s","learn":false,"note":"why","meta":{"ok":true}}`, h.ask("ann").ID), nil)
	if a := h.lastAnswer().Answer; a.Note != "why" || a.Meta["ok"] != space.ValueOf(true) || a.ResponseTime != 2140*time.Millisecond || a.Session != "s" || !a.Check {
		t.Errorf("kept %+v", a)
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", `{"winner":{"milk":0.1,"sugar":1},"loser":{"milk":0.2,"sugar":2},"rater":"bob","note":"warm","meta":{"model":"m1","tokens":7}}`, nil)
	if e := h.lastAnswer(); e.Answer.Note != "warm" || e.Answer.Meta.String() != "model m1, tokens 7" || !e.Observed || e.Rater != "bob" || e.First.Float("milk") != 0.1 || e.Answer.Choice != prefer.First {
		t.Errorf("kept %+v", e)
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", `{"winner":{"milk":0.1,"sugar":1},"loser":{"milk":0.2,"sugar":2},"tie":true}`, nil)
	if e := h.lastAnswer(); e.Answer.Choice != prefer.Tie {
		t.Errorf("kept %+v", e)
	}
}

func TestTellKey(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	q := h.ask("ann")
	body := fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, q.ID)
	var one, two told
	h.want(200, "POST", "/v1/studies/coffee/tell?next=1", body, &one, "Idempotency-Key", "k1")
	h.want(200, "POST", "/v1/studies/coffee/tell?next=1", body, &two, "Idempotency-Key", "k1")
	if one.Answer != two.Answer || one.Next == nil || two.Next == nil || one.Next.ID != two.Next.ID || two.Status.Answers != 1 || one.Next.Rater != "ann" {
		t.Errorf("told %+v, again %+v", one, two)
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k1"}`, q.ID), &two)
	if one.Answer != two.Answer {
		t.Errorf("told %+v, again %+v", one, two)
	}
	h.refused(422, "invalid", "body.key", "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k2"}`, one.Next.ID), "Idempotency-Key", "k3")
	h.refused(422, "invalid", "header.Idempotency-Key", "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, one.Next.ID), "Idempotency-Key", "k\xff")
	for _, other := range []string{fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k1"}`, one.Next.ID), fmt.Sprintf(`{"question_id":%q,"choice":"second","key":"k1"}`, q.ID),
		fmt.Sprintf(`{"question_id":%q,"choice":"first","learn":false,"key":"k1"}`, q.ID), `{"winner":{"milk":0.1,"sugar":1},"loser":{"milk":0.2,"sugar":2},"rater":"ann","key":"k1"}`} {
		h.refused(422, "key", "body.key", "POST", "/v1/studies/coffee/tell", other)
	}
	h.refused(409, "no_question", "", "POST", "/v1/studies/coffee/tell", body)
}

// TestKeysOfRaters: two raters who number their duels alike both have them kept, under ids of their own, and neither can take a key from the
// other. The same key for another duel is refused and names the key.
func TestKeysOfRaters(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"name"`, `"own_duels":true,"name"`, 1), nil)
	anna, ben := h.invite("coffee", "anna"), h.invite("coffee", "ben")
	const one, other = `{"winner":{"milk":1,"sugar":1},"loser":{"milk":0,"sugar":1}}`, `{"winner":{"milk":0.2,"sugar":1},"loser":{"milk":0.9,"sugar":1}}`
	var a, b, again told
	anna.want(200, "POST", "/v1/studies/coffee/tell", one, &a, "Idempotency-Key", "d1")
	ben.want(200, "POST", "/v1/studies/coffee/tell", other, &b, "Idempotency-Key", "d1")
	anna.want(200, "POST", "/v1/studies/coffee/tell", one, &again, "Idempotency-Key", "d1")
	if a.Answer == b.Answer || again.Answer != a.Answer {
		t.Errorf("anna's is %s, ben's %s, anna's again %s", a.Answer, b.Answer, again.Answer)
	}
	ben.refused(422, "key", "body.key", "POST", "/v1/studies/coffee/tell", one, "Idempotency-Key", "d1")
	if _, _, text := ben.do("POST", "/v1/studies/coffee/tell", one, "Idempotency-Key", "d1"); !strings.Contains(string(text), `key \"d1\" stands for answer \"`+b.Answer) {
		t.Errorf("ben reads %s", text)
	}
	for rater, want := range map[*testServer]string{anna: a.Answer, ben: b.Answer} {
		var history struct{ Answers []prefer.Entry }
		if rater.want(200, "GET", "/v1/studies/coffee/history", "", &history); len(history.Answers) != 1 || string(history.Answers[0].ID) != want {
			t.Errorf("of %s there is %+v", want, history.Answers)
		}
	}
	if err := h.store.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestOwnDuels: raters tell no duels of their own unless the study takes them, and then they pass what answers pass: the pause, the least time
// since the answer before, a budget, and questions in between where there are checks. The owner tells what they like.
func TestOwnDuels(t *testing.T) {
	late := time.Hour
	var now time.Time // zero: late
	h := newTestServer(t, func(c *Config) {
		withOwner(c)
		c.Now = func() time.Time {
			if now.IsZero() {
				return time.Now().Add(late)
			}
			return now
		}
	})
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"name"`, `"budget":4,"checks":{"min_rt_ms":5000,"repeat_rate":0.1},"name"`, 1), nil)
	ann := h.invite("coffee", "ann")
	n := 0
	duel := func() string {
		n++
		return fmt.Sprintf(`{"winner":{"milk":0.%d,"sugar":1},"loser":{"milk":0.9,"sugar":2},"rater":"ann","key":"d%d"}`, n, n)
	}
	tell, ask := "/v1/studies/coffee/tell", "/v1/studies/coffee/ask"
	ann.refused(403, "no_duels", "", "POST", tell, duel())
	h.want(200, "POST", tell, duel(), nil)
	h.want(200, "DELETE", "/v1/studies/coffee/answers/a1", "", nil)
	h.want(200, "PATCH", "/v1/studies/coffee", `{"own_duels":true}`, nil)
	ann.refused(409, "ask_first", "", "POST", tell, duel())
	answer := func() {
		t.Helper()
		var q Question
		ann.want(200, "POST", ask, "", &q)
		ann.want(200, "POST", tell, fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, q.ID), nil)
	}
	answer()
	now = h.lastAnswer().Time.Add(4999 * time.Millisecond)
	ann.refused(422, "too_quick", "body.rt_ms", "POST", tell, duel())
	now = now.Add(time.Millisecond)
	h.want(200, "POST", "/s/coffee/pause", `{"paused":true}`, nil)
	ann.refused(409, "paused", "", "POST", tell, duel())
	h.want(200, "POST", "/s/coffee/pause", `{"paused":false}`, nil)
	kept := duel()
	var out, again told
	ann.want(200, "POST", tell, kept, &out)
	ann.refused(409, "ask_first", "", "POST", tell, duel())
	if ann.want(200, "POST", tell, kept, &again); again.Answer != out.Answer { // whatever would be refused now
		t.Errorf("told again it is %s, was %s", again.Answer, out.Answer)
	}
	now = time.Time{}
	answer()
	answer()
	ann.refused(409, "ended", "", "POST", tell, duel())
	h.want(200, "POST", tell, duel(), nil)
	h.want(200, "PATCH", "/v1/studies/coffee", `{"own_duels":false}`, nil)
	ann.refused(403, "no_duels", "", "POST", tell, duel())
	ann.want(200, "POST", tell, kept, nil)
}

// TestPausedRater: while a study is paused a rater changes nothing, neither by asking nor by answering, nor by taking back; what was told before
// is still the same when it is sent again. The owner may. When it goes on their question is there.
func TestPausedRater(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	ann := h.invite("coffee", "ann")
	var q Question
	var first, again told
	ann.want(200, "POST", "/v1/studies/coffee/ask", "", &q)
	said := fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k"}`, q.ID)
	ann.want(200, "POST", "/v1/studies/coffee/tell?next=1", said, &first)
	open := fmt.Sprintf(`{"question_id":%q,"choice":"second"}`, first.Next.ID)
	h.want(200, "POST", "/s/coffee/pause", `{"paused":true}`, nil)
	var before, after Study
	h.want(200, "GET", "/v1/studies/coffee", "", &before)
	ann.refused(409, "paused", "", "POST", "/v1/studies/coffee/ask", "")
	ann.refused(409, "paused", "", "POST", "/v1/studies/coffee/tell", open)
	ann.refused(409, "paused", "", "POST", "/v1/studies/coffee/undo", "")
	ann.refused(409, "paused", "", "DELETE", "/v1/studies/coffee/answers/"+first.Answer, "")
	ann.want(200, "POST", "/v1/studies/coffee/tell?next=1", said, &again)
	if h.want(200, "GET", "/v1/studies/coffee", "", &after); after.Seq != before.Seq || again.Answer != first.Answer || again.Next != nil {
		t.Errorf("the log went from %d to %d, and what was told before is %+v, was %s", before.Seq, after.Seq, again, first.Answer)
	}
	h.want(200, "POST", "/v1/studies/coffee/undo", `{"rater":"ann"}`, nil)
	h.want(200, "POST", "/s/coffee/pause", `{"paused":false}`, nil)
	var now Question
	if ann.want(200, "POST", "/v1/studies/coffee/ask", "", &now); now.ID != q.ID {
		t.Errorf("they are asked %s, want %s, which is open again", now.ID, q.ID)
	}
}

// TestOutOfOrder: of two open questions the later one may be answered first; an older one, after newer ones, counts as it would have; one that was
// withdrawn by taking back what came before it is a 409; and an answer after the end is kept.
func TestOutOfOrder(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"name"`, `"budget":3,"name"`, 1), nil)
	ann := h.invite("coffee", "ann")
	var two struct{ Questions []Question }
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"ann","count":3}`, &two)
	tell := func(q Question, next string) (out told) {
		t.Helper()
		ann.want(200, "POST", "/v1/studies/coffee/tell"+next, fmt.Sprintf(`{"question_id":%q,"choice":"second"}`, q.ID), &out)
		return out
	}
	qs := two.Questions
	tell(qs[2], "")
	tell(qs[0], "")
	var q Question
	if ann.want(200, "POST", "/v1/studies/coffee/ask", "", &q); q.ID != qs[1].ID {
		t.Fatalf("they are asked %s, want %s, the one they have open", q.ID, qs[1].ID)
	}
	last := tell(qs[1], "?next=1")
	if last.Status.Verdict != "budget_reached" || last.Next != nil || last.Status.Given != 3 {
		t.Errorf("after the last of their budget: %+v", last)
	}
	// A rater may go on after the end.
	ann.want(200, "POST", "/v1/studies/coffee/ask", "", &q)
	beyond := tell(q, "?next=1")
	if beyond.Status.Given != 4 || beyond.Status.Verdict != "budget_reached" || beyond.Next != nil {
		t.Errorf("after the end: %+v", beyond)
	}
	ann.refused(409, "no_question", "", "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, q.ID))
	var later Question
	ann.want(200, "POST", "/v1/studies/coffee/ask", "", &later)
	ann.want(200, "DELETE", "/v1/studies/coffee/answers/"+beyond.Answer, "", nil)
	ann.refused(409, "no_question", "", "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, later.ID))
	var order []prefer.QuestionID
	var history struct{ Answers []prefer.Entry }
	ann.want(200, "GET", "/v1/studies/coffee/history", "", &history)
	for _, e := range history.Answers {
		order = append(order, e.Question)
	}
	if got, want := fmt.Sprint(order), fmt.Sprint([]string{qs[2].ID, qs[0].ID, qs[1].ID, q.ID}); got != want {
		t.Errorf("the history is in the order %s, want %s", got, want)
	}
}

func TestTellRefused(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	id := h.ask("ann").ID
	for _, c := range []struct {
		status            int
		kind, field, body string
	}{
		{422, "invalid", "body.question_id", `{}`},
		{422, "invalid", "body.question_id", `{"choice":"first"}`},
		{404, "no_question", "", `{"question_id":"q99","choice":"first"}`},
		{422, "invalid", "body.choice", `{"question_id":"` + id + `","choice":"third"}`},
		{422, "answer", "body", `{"question_id":"` + id + `"}`},
		{422, "answer", "body", `{"question_id":"` + id + `","choice":"first","strength":2}`},
		{422, "invalid", "body.strength", `{"question_id":"` + id + `","choice":"first","strength":99}`},
		{422, "invalid", "body.best", `{"question_id":"` + id + `","best":"o_1a"}`},
		{422, "invalid", "body.ranking", `{"question_id":"` + id + `","ranking":["o_1a","o_1b"]}`},
		{422, "invalid", "body.rt_ms", `{"question_id":"` + id + `","choice":"first","rt_ms":-5}`},
		{403, "other_rater", "", `{"question_id":"` + id + `","choice":"first","rater":"bob"}`},
		{422, "invalid", "body.question_id", `{"question_id":"` + id + `","winner":{},"loser":{}}`},
		{422, "invalid", "body", `{"winner":{"milk":0,"sugar":0}}`},
		{422, "option", "body", `{"winner":{"milk":0,"sugar":0},"loser":{"milk":0}}`},
		{422, "invalid", "body.choice", `{"winner":{"milk":0,"sugar":0},"loser":{"milk":1,"sugar":0},"choice":"first"}`},
		{422, "invalid", "body.tie", `{"question_id":"` + id + `","tie":true}`},
		{422, "invalid", "body.key", `{"question_id":"` + id + `","choice":"first","key":"a\u0000"}`},
		{422, "invalid", "body.note", `{"question_id":"` + id + `","choice":"first","note":"` + strings.Repeat("x", 10_000+1) + `"}`},
		{422, "answer", "body", `{"question_id":"` + id + `","choice":"first","note":"a\u0000"}`},
		{422, "invalid", "body.meta", `{"question_id":"` + id + `","choice":"first","meta":[1]}`},
		{422, "invalid", "body.meta.a", `{"question_id":"` + id + `","choice":"first","meta":{"a":{"b":1}}}`},
		{422, "answer", "body", `{"question_id":"` + id + `","choice":"first","meta":{"":1}}`},
		{422, "answer", "body", `{"question_id":"` + id + `","choice":"first","meta":{"` + strings.Repeat("n", 64+1) + `":1}}`},
		{422, "invalid", "body.colour", `{"question_id":"` + id + `","choice":"first","colour":"red"}`},
	} {
		h.refused(c.status, c.kind, c.field, "POST", "/v1/studies/coffee/tell", c.body)
	}
	var got Study
	if h.want(200, "GET", "/v1/studies/coffee", "", &got); got.Count != 0 {
		t.Errorf("%d answers were kept of those refused", got.Count)
	}
}

func TestUndo(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	first := h.ask("ann")
	h.tell(first, "first")
	second := h.ask("ann")
	answer := h.tell(second, "tie")
	h.tell(h.ask("bob"), "second")
	var out undone
	h.want(200, "POST", "/v1/studies/coffee/undo", `{"rater":"ann"}`, &out)
	if out.Answer != answer.Answer || out.Question != second.ID || out.Status.Answers != 2 {
		t.Errorf("undone %+v", out)
	}
	if q := h.ask("ann"); q.ID != second.ID || q.Options[0].ID != second.Options[0].ID {
		t.Errorf("after the undo %+v is open, want %+v", q, second)
	}
	h.want(200, "DELETE", "/v1/studies/coffee/answers/a1", "", &out)
	if q := h.ask("ann"); q.ID != first.ID || out.Question != first.ID {
		t.Errorf("after the undo %+v is open, want %+v", q, first)
	}
	h.refused(404, "no_answer", "", "DELETE", "/v1/studies/coffee/answers/a1", "")
	h.refused(404, "no_answer", "", "DELETE", "/v1/studies/coffee/answers/a99", "")
	h.refused(404, "no_answer", "", "POST", "/v1/studies/coffee/undo", `{"rater":"ann"}`)
	h.refused(404, "no_study", "", "POST", "/v1/studies/tea/undo", `{}`)
}
