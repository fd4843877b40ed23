package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer/server/internal/gate"
)

// questionFields is what a rater may know of a question.
func questionFields(at string) []string {
	out := []string{"question_id", "seq", "kind", "prompt", "rater", "options[].option_id", "options[].params.*", "options[].item.id", "options[].item.text", "shown_order[]",
		"repeat", // false, whatever it is
		"practice", "blind"}
	for i := range out {
		out[i] = at + out[i]
	}
	return append(out, statusFields(at)...)
}

// statusFields is what a rater who may not see the result may know of where a study stands: how far they are, and that it has ended.
func statusFields(at string) (out []string) {
	for _, name := range []string{"verdict", "left[]", "late", "found", "answers", "raters", "given", "budget", "at", "practice", "break", "items", "seen", "blind_left", "sentence"} {
		out = append(out, at+"status."+name)
	}
	return out
}

// problemFields is what a refusal says.
var problemFields = []string{"type", "title", "status", "detail", "instance", "errors[].message", "errors[].location", "errors[].value"}

// allowed is every field of every reply that a rater can get where the study does not show its result, by operation. What is new, or newly theirs, is to be
// thought about before it is put here.
var allowed = map[string][]string{
	"ask":  questionFields(""),
	"tell": append(append([]string{"answer_id", "next"}, statusFields("")...), questionFields("next.")...),
	"undo": append([]string{"answer_id", "question_id"}, statusFields("")...),
	"get-study": {"name", "created", "prompt", "answers", "people", "budget", "space.params[].*", "space.items_count", "answers_count", "seq",
		"config_sha256"}, // a hash of what they see and of how they are checked, which cannot be had from it
	"history": {"answers[].seq", "answers[].time", "answers[].id", "answers[].question", "answers[].rater", "answers[].first.*", "answers[].second.*",
		"answers[].answer.choice", "answers[].answer.key", "answers[].answer.swapped", "answers[].answer.random_sides", "answers[].answer.response_ns", "answers[].answer.session",
		"answers[].method", // "practice" and no other, which they were told
		"answers[].observed", "answers[].blind", "answers[].undone"},
	"me":     {"role", "study", "rater", "show_result"},
	"events": {"seq", "kind"},
}

func init() { allowed["undo-answer"] = allowed["undo"] }

// heard collects the fields of what a rater gets, and finds those that are not allowed.
type heard struct {
	t     *testing.T
	found map[string]map[string]bool
	texts []string
}

// hear takes in a reply to an operation.
func (h *heard) hear(operation string, text []byte) {
	h.t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		h.t.Fatalf("%s: %v: %s", operation, err, text)
	}
	if h.found[operation] == nil {
		h.found[operation] = map[string]bool{}
	}
	h.walk(operation, v, "")
	h.texts = append(h.texts, string(text))
}

// walk notes the fields of a value. The names of parameters are the study's own.
func (h *heard) walk(operation string, v any, at string) {
	switch v := v.(type) {
	case map[string]any:
		open := regexp.MustCompile(`(^|\.)(params|params\[\]|first|second|fixed)$`).MatchString(at)
		if len(v) == 0 {
			h.found[operation][at] = true // an object without fields
		}
		for name, each := range v {
			if open {
				name = "*"
			}
			h.walk(operation, each, strings.TrimPrefix(at+"."+name, "."))
		}
	case []any:
		for _, each := range v {
			h.walk(operation, each, at+"[]")
		}
	default:
		h.found[operation][at] = true
	}
}

// TestHidden: a rater of a study that does not show its result goes through everything they may call, to its end, with checks, practice, own duels, refusals and
// the owner leaving them out. All they read is in the list above, and it does not say which option is the pick, nor that they are checked or left out.
func TestHidden(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", `{"name":"coffee","items":[{"id":"a","text":"Aurora"},{"id":"b","text":"Borealis"},{"id":"c","text":"Corona"}],"own_duels":true,"seed":3,
		"checks":{"repeat_rate":0.2,"catch_every":5,"catch":[{"better":{"item":"a"},"worse":{"item":"c"}}]},"sitting":{"practice":1,"break_every":3}}`, nil)
	ann, bob := h.invite("coffee", "ann"), h.invite("coffee", "bob")
	said := &heard{t: t, found: map[string]map[string]bool{}}
	const at = "/v1/studies/coffee"
	send := func(operation string, want int, method, path, body string) []byte {
		t.Helper()
		status, head, text := ann.do(method, path, body)
		if status != want {
			t.Fatalf("%s %s %s: %d, want %d\n%s", method, path, body, status, want, text)
		}
		if want >= 400 {
			operation = "refusal"
		}
		said.hear(operation, text)
		for name := range head {
			if !slices.Contains([]string{"Cache-Control", "Content-Length", "Content-Security-Policy", "Content-Type", "Date", "Referrer-Policy", "Vary", "X-Content-Type-Options", "X-Frame-Options", "X-Request-Id", "Link"}, name) {
				t.Errorf("%s: the reply has a header %s: %s", operation, name, head.Get(name))
			}
		}
		return text
	}
	var q Question
	read := func(text []byte, into any) {
		t.Helper()
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	// Everybody ties, so that the study ends because nothing is noticeably better.
	for n := range 60 {
		read(send("ask", 200, "POST", at+"/ask", ""), &q)
		var out told
		read(send("tell", 200, "POST", at+"/tell?next=1", fmt.Sprintf(`{"question_id":%q,"choice":"tie","rt_ms":900,"session":"s","key":"k%d"}`, q.ID, n)), &out)
		var theirs Question
		bob.want(200, "POST", at+"/ask", "", &theirs)
		bob.want(200, "POST", at+"/tell", fmt.Sprintf(`{"question_id":%q,"choice":"tie"}`, theirs.ID), nil)
		h.want(200, "GET", at+"/verdict", "", nil) // which the background would work out
		if n > 12 && out.Status.Verdict != "keep_going" {
			break
		}
	}
	var owners struct {
		Sentence, Kind string
		Best           struct{ Option map[string]string }
	}
	h.want(200, "GET", at+"/verdict?rater=ann", "", &owners)
	if owners.Kind != "done" || owners.Best.Option["item"] == "" {
		t.Fatalf("to the owner it is %+v, want an ending with a pick: the test needs one", owners)
	}
	h.want(204, "POST", at+"/exclude", `{"rater":"ann","why":"always the same"}`, nil)
	send("tell", 200, "POST", at+"/tell", `{"winner":{"item":"a"},"loser":{"item":"b"},"key":"own"}`)
	text := send("tell", 200, "POST", at+"/tell", `{"winner":{"item":"a"},"loser":{"item":"b"},"key":"own"}`)
	var own told
	read(text, &own)
	send("undo-answer", 200, "DELETE", at+"/answers/"+own.Answer, "")
	send("undo", 200, "POST", at+"/undo", "{}")
	read(send("ask", 200, "POST", at+"/ask", ""), &q)
	if !strings.Contains(strings.Join(said.texts, ""), `"verdict":"over"`) {
		t.Error("they never read that it is over")
	}
	send("get-study", 200, "GET", at, "")
	send("history", 200, "GET", at+"/history", "")
	send("me", 200, "GET", "/v1/me", "")
	for line := range ann.stream(t.Context()) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			said.hear("events", []byte(data))
			break
		}
	}

	// What they are refused, and every operation that may be theirs.
	for _, body := range []string{`{"hold_best":true}`, `{"count":3}`, `{"blind":true}`, `{"rater":"bob"}`} {
		send("ask", 403, "POST", at+"/ask", body)
	}
	send("tell", 422, "POST", at+"/tell", fmt.Sprintf(`{"question_id":%q,"choice":"none"}`, q.ID))
	send("tell", 404, "POST", at+"/tell", `{"question_id":"q9999","choice":"tie"}`)
	for path, item := range h.server.api.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodDelete: item.Delete, http.MethodPatch: item.Patch} {
			if op == nil {
				continue
			}
			switch role := op.Extensions[gate.RoleKey]; {
			case (role == gate.Rater || role == gate.All) && len(allowed[op.OperationID]) == 0:
				t.Errorf("%s is a rater's, and what it tells them is not in the list", op.OperationID)
			case role == gate.Result:
				path := strings.NewReplacer("{study}", "coffee").Replace(path)
				body := map[string]string{"predict": `{"options":[{"item":"a"}]}`, "take": `{"take":true}`}[op.OperationID]
				if op.OperationID == "map" {
					path += "?x=a&y=b"
				}
				send(op.OperationID, 403, method, path, body)
			}
		}
	}
	allowed["refusal"] = problemFields
	seen := 0
	for operation, fields := range said.found {
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			if !slices.Contains(allowed[operation], field) {
				t.Errorf("%s tells a rater %q, which nobody has allowed", operation, field)
			}
			seen++
		}
	}
	if seen < 60 {
		t.Errorf("only %d fields were looked at", seen)
	}
	for _, text := range said.texts {
		for _, word := range []string{"sure", "noticeably", "would change little", "better than", "catch", `"check":true`, `"out"`, "always the same", `"why"`, `"repeat":true`} {
			if strings.Contains(text, word) {
				t.Errorf("they read %q in %.2000s", word, text)
			}
		}
	}
}

// TestHiddenPage: what the pages of a rater hold, by the attributes that scripts read, and what they fetch.
func TestHiddenPage(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	var l link
	h.want(201, "POST", "/v1/studies/coffee/links", `{"rater":"ann"}`, &l)
	stranger := h.as("")
	for i := range 3 {
		h.want(200, "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"winner":{"milk":0.%d,"sugar":1},"loser":{"milk":0.9,"sugar":4},"rater":"bob"}`, i+1), nil)
	}
	var best struct{ Option map[string]float64 }
	h.want(200, "GET", "/v1/studies/coffee/best", "", &best)
	status, _, page := stranger.do("GET", l.URL, "", "Accept", "text/html")
	if status != 200 {
		t.Fatalf("%d %s", status, page)
	}
	known := []string{"data-root", "data-words", "data-token", "data-study", "data-base", "data-template", "data-size", "data-texts", "data-markdown", "data-params", "data-rater", "data-session", "data-forced", "data-grades",
		"data-beyond", "data-preload", "data-prompt", "data-translated", "data-complete", "data-choice", "data-key", "data-do"}
	for _, m := range regexp.MustCompile(`\bdata-[a-z-]+`).FindAllString(string(page), -1) {
		if !slices.Contains(known, m) {
			t.Errorf("the page has %s, which nobody has allowed", m)
		}
	}
	for path, want := range map[string]string{"/ahead": `{"options":[],"all":false}`, "/learned": `{"sentences":[]}`, "/ending": `{"done":false,"headline":"Thank you","text":"That was the last question."}`} {
		if status, _, text := stranger.do("GET", l.URL+path, ""); status != 200 || strings.TrimSpace(string(text)) != want {
			t.Errorf("%s: %d %s, want %s", path, status, text, want)
		}
	}
	stranger.refused(403, "result_hidden", "", "GET", l.URL+"/result", "")
	if milk := fmt.Sprint(best.Option["milk"]); strings.Contains(string(page), milk) {
		t.Errorf("the page has %s, which is the milk of the pick", milk)
	}
}
