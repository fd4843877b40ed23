package pack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/space"
)

// tea is a study as a file has it.
func tea(t *testing.T) Study {
	t.Helper()
	s, err := prefer.New(t.Context(), prefer.Config{Seed: 3, Prompt: "Which tea?", Budget: 4, Space: space.Space{Parameters: []space.Parameter{space.Float("sugar", 0, 5), space.Float("milk", 0, 1)}}})
	if err != nil {
		t.Fatal(err)
	}
	return Study{Name: "tea", Log: s.Events(0), Settings: live.Settings{ShowResult: true}}
}

func open(t *testing.T, s Study, who Participant) *Session {
	t.Helper()
	who.Logger = slog.New(slog.DiscardHandler)
	d, err := Open(t.Context(), s, who)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close(context.Background()) })
	return d
}

// call makes a call and reads its reply.
func call(t *testing.T, d *Session, status int, method, path, body string, into any) {
	t.Helper()
	w := httptest.NewRecorder()
	d.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	if w.Code != status {
		t.Fatalf("%s %s %s: %d %s, want %d", method, path, body, w.Code, w.Body, status)
	}
	if into != nil {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, w.Body)
		}
	}
}

// TestSession: a study is answered to its end; every event is kept before it counts, an event that cannot be kept did not happen, and a reload goes on.
func TestSession(t *testing.T) {
	study := tea(t)
	var kept []prefer.Event
	var broken error
	who := Participant{Rater: "ann", Keep: func(_ context.Context, events []prefer.Event) error {
		if broken == nil {
			kept = append(kept, events...)
		}
		return broken
	}}
	d := open(t, study, who)
	const api = "/v1/studies/tea/"
	var q live.Question
	call(t, d, 200, "POST", api+"ask", `{"rater":"ann"}`, &q)
	if len(kept) != 1 || kept[0].Asked == nil {
		t.Fatalf("kept were %+v, want the question", kept)
	}
	tell := `{"question_id":"` + q.ID + `","rater":"ann","choice":"first","rt_ms":900}`
	broken = errors.New("no room")
	call(t, d, 500, "POST", api+"tell", tell, nil)
	broken = nil
	if len(kept) != 1 {
		t.Errorf("an answer that was not kept left %+v", kept[1:])
	}
	call(t, d, 403, "POST", api+"tell", strings.Replace(tell, "ann", "bob", 1), nil)
	call(t, d, 422, "POST", api+"tell", strings.Replace(tell, "rt_ms", "rtms", 1), nil)
	var told live.Told
	call(t, d, 200, "POST", api+"tell?next=1", tell, &told)
	if len(kept) != 3 || kept[1].Answered == nil || kept[2].Asked == nil {
		t.Fatalf("kept were %d events, want question, answer, question", len(kept))
	}
	call(t, d, 200, "POST", api+"undo", `{}`, nil)
	call(t, d, 404, "POST", api+"undo", `{}`, nil)

	d = open(t, study, Participant{Rater: "ann", Events: kept, Keep: who.Keep}) // a reload
	var again live.Question
	call(t, d, 200, "POST", api+"ask", ``+`{}`, &again)
	if again.ID != q.ID || again.Options[0].ID != q.Options[0].ID {
		t.Errorf("after a reload the question is %s, want %s", again.ID, q.ID)
	}
	for range 4 {
		call(t, d, 200, "POST", api+"tell?next=1", `{"question_id":"`+again.ID+`","choice":"second"}`, &told)
		if told.Next != nil {
			again, told.Next = *told.Next, nil
		}
	}
	var ending struct{ Done bool }
	call(t, d, 200, "GET", "/s/tea/ending", "", &ending)
	if !ending.Done {
		t.Error("it does not end with its budget")
	}
	for _, path := range []string{"/s/tea", "/s/tea/result", "/s/tea/history", "/page/answer.js"} {
		call(t, d, 200, "GET", path, "", nil)
	}
	for _, path := range []string{"/s/tea/owner", "/s/tea/sheet", "/"} {
		call(t, d, 403, "GET", path, "", nil)
	}
	text, err := d.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name, events, err := logfile.Read(bytes.NewReader(text))
	if err != nil || name != "tea" || len(events) != 1+len(kept) {
		t.Errorf("the log is of %q with %d events, want tea with %d: %v", name, len(events), 1+len(kept), err)
	}
	if w := get(d, "/log"); !bytes.Equal(w, text) {
		t.Error("what is saved is not the log")
	}
}

func get(d *Session, path string) []byte {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	out, _ := io.ReadAll(w.Body)
	return out
}

// TestHidden: where the study shows no result, there is neither result nor history.
func TestHidden(t *testing.T) {
	study := tea(t)
	study.Settings.ShowResult = false
	d := open(t, study, Participant{Rater: "ann"})
	for _, path := range []string{"/s/tea/result", "/s/tea/history", "/v1/studies/tea/check"} {
		call(t, d, 403, "GET", path, "", nil)
	}
	if page := string(get(d, "/s/tea")); strings.Contains(page, "/result") || !strings.Contains(page, `data-pack="save"`) {
		t.Error("the page leads to a result, or has no way to save")
	}
}

// TestOpen: a log that is cut out of another, or a name nobody can have, is refused.
func TestOpen(t *testing.T) {
	study := tea(t)
	var late prefer.Event
	if err := json.Unmarshal([]byte(`{"seq":9,"kind":"undone","undone":{"answer":"a1"}}`), &late); err != nil {
		t.Fatal(err)
	}
	for _, who := range []Participant{{Rater: "a\x00b"}, {Rater: "ann", Events: []prefer.Event{late}}} {
		if d, err := Open(t.Context(), study, who); err == nil {
			d.Close(t.Context())
			t.Errorf("%+v was let in", who)
		}
	}
}
