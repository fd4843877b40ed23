package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

// seated is the study with a sitting.
func withPhases(sitting string) string {
	return strings.Replace(coffee, `"seed"`, `"budget":6,"sitting":`+sitting+`,"seed"`, 1)
}

// TestPhases: everybody practises first, is offered a break after each block, and is asked blind duels of the pick at the end, whether or
// not they may see the result. None of it counts as an answer.
func TestPhases(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", withPhases(`{"practice":2,"break_every":3,"blind":2}`), nil)
	ann := h.invite("coffee", "ann")
	var q Question
	ann.want(200, "POST", "/v1/studies/coffee/ask", "", &q)
	path, breaks := "", []int{}
	for n := 0; ; n++ {
		switch {
		case q.Practice:
			path += "p"
		case q.Blind:
			path += "b"
		default:
			path += "."
		}
		if q.Status.Break > 0 {
			breaks = append(breaks, n)
		}
		choice := "first"
		if q.Options[0].Params.Float("milk") < q.Options[1].Params.Float("milk") {
			choice = "second"
		}
		var out told
		ann.want(200, "POST", "/v1/studies/coffee/tell?next=1", `{"question_id":"`+q.ID+`","choice":"`+choice+`"}`, &out)
		switch want := (Status{Practice: max(0, 1-n), Given: min(max(0, n-1), 6), BlindLeft: map[int]int{7: 2, 8: 1}[n]}); {
		case out.Status.Practice != want.Practice, out.Status.Given != want.Given, out.Status.Answers != want.Given, out.Status.BlindLeft != want.BlindLeft:
			t.Errorf("after answer %d the status is %+v, want %+v", n, out.Status, want)
		}
		if out.Next == nil {
			break
		}
		if q = *out.Next; n > 20 {
			t.Fatalf("no end to %s", path)
		}
	}
	if path != "pp......bb" || !slices.Equal(breaks, []int{5, 8}) {
		t.Errorf("the sitting was %s, with a break before question %v", path, breaks)
	}
	var v prefer.Verdict
	h.want(200, "GET", "/v1/studies/coffee/verdict", "", &v)
	if v.Kind != prefer.BudgetReached || v.Answers != 6 || v.Blind == nil || v.Blind.Of+v.Blind.Stale != 2 {
		t.Errorf("the verdict is %+v, %+v", v, v.Blind)
	}
	var history struct{ Answers []prefer.Entry }
	for _, who := range []*testServer{h, ann} {
		if who.want(200, "GET", "/v1/studies/coffee/history", "", &history); len(history.Answers) != 10 || history.Answers[1].Method != "practice" || !history.Answers[1].Answer.Check || history.Answers[2].Method == "practice" {
			t.Errorf("the history is %+v", history.Answers)
		}
	}
	var raters struct{ Raters []Rater }
	if h.want(200, "GET", "/v1/studies/coffee/raters", "", &raters); raters.Raters[0].Answers != 6 {
		t.Errorf("the rater is %+v", raters.Raters[0])
	}
	var again Question // a rater may go on, and is asked no more duels; nor can they ask for them
	if ann.want(200, "POST", "/v1/studies/coffee/ask", "", &again); again.Blind || again.Practice {
		t.Errorf("after the end there is %+v", again)
	}
	ann.refused(403, "no_results", "", "POST", "/v1/studies/coffee/ask", `{"blind":true}`)
	if _, _, page := h.do("GET", "/s/coffee/details", ""); !contains(page, "A practice question.") {
		t.Error("the history of the page does not tell practice")
	}
}

// TestPhasesShort: where there are fewer rivals than duels wanted the round is over after the last.
func TestPhasesShort(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"coffee","items":[{"id":"a"},{"id":"b"},{"id":"c"}],"budget":4,"sitting":{"blind":8}}`, nil)
	q := h.ask("ann")
	for n := 1; ; n++ {
		choice := "first"
		if q.Options[0].Item.ID > q.Options[1].Item.ID {
			choice = "second"
		}
		var out told
		h.want(200, "POST", "/v1/studies/coffee/tell?next=1", `{"question_id":"`+q.ID+`","choice":"`+choice+`"}`, &out)
		if out.Next == nil {
			if n != 6 {
				t.Errorf("over after %d questions, want 4 and 2 duels", n)
			}
			return
		}
		if q = *out.Next; n > 12 {
			t.Fatal("no end")
		}
	}
}

// TestPhasesRefused: numbers that make no sense are refused by name.
func TestPhasesRefused(t *testing.T) {
	h := newTestServer(t, nil)
	for field, body := range map[string]string{
		"body.sitting.practice": `{"practice":101}`, "body.sitting.break_every": `{"break_every":-1}`, "body.sitting.blind": `{"blind":21}`, "body.sitting": `{"pause":3}`,
	} {
		h.refused(422, "invalid", field, "POST", "/v1/studies", withPhases(body))
	}
}

// TestPhasesContexts: practice and blocks are a person's, the budget and the duels at the end of each context. An end under one is none
// under the other.
func TestPhasesContexts(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"coffee","params":[{"name":"gain","type":"float","low":0,"high":40},{"name":"noise","type":"categorical","choices":["quiet","babble"],"context":true}],
		"seed":11,"budget":6,"belief":"likeliest","sitting":{"practice":2,"break_every":5,"blind":2}}`, nil)
	path := map[string]string{}
	breaks := ""
	for n := range 24 {
		noise := []string{"quiet", "babble"}[n%3/2] // two in the quiet, one in babble
		var q Question
		h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"ann","fixed":{"noise":"`+noise+`"}}`, &q)
		if q.Options[0].Params.Word("noise") != noise || q.Options[1].Params.Word("noise") != noise {
			t.Fatalf("in %s: %+v", noise, q.Options)
		}
		kind := "."
		switch {
		case q.Practice:
			kind = "p"
		case q.Blind:
			kind = "b"
		case q.Status.Verdict != "keep_going":
			kind = "!"
		}
		path[noise] += kind
		if q.Status.Break > 0 {
			breaks += fmt.Sprint(n, " ")
		}
		choice := "first"
		if q.Options[0].Params.Float("gain") < q.Options[1].Params.Float("gain") {
			choice = "second"
		}
		h.tell(q, choice)
	}
	if path["quiet"] != "pp......bb!!!!!!" || path["babble"] != "......bb" {
		t.Errorf("the sitting was %q", path)
	}
	if breaks != "7 12 " { // after five answers that count, and after ten, wherever they were given
		t.Errorf("there were breaks before %s", breaks)
	}
}
