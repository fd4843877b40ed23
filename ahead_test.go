package prefer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestAhead: what one process chose ahead is asked by another, and it is what that one would have chosen; a
// text that is not for this log is left aside.
func TestAhead(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Seed: 8})
	if _, text := s.Host().Export("ann"); text != nil || s.Host().Import(nil) {
		t.Error("something was chosen ahead of nothing")
	}
	for range 8 {
		tell(t, s, ask(t, s, "ann").ID, First)
	}
	open := ask(t, s, "ann")
	if _, err := s.Host().Prefetch(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	seq, text := s.Host().Export("ann")
	if seq != 18 {
		t.Errorf("it is for a log of %d events, want 18", seq)
	}
	for _, c := range []Choice{First, Second, Tie} {
		twin, plain := reopen(t, s.Events(0)), reopen(t, s.Events(0))
		if !twin.Host().Import(text) {
			t.Fatalf("refused %s", text)
		}
		tell(t, twin, open.ID, c)
		tell(t, plain, open.ID, c)
		if !twin.Host().Ready("ann") || plain.Host().Ready("ann") || twin.Host().Ready("bob") {
			t.Errorf("after %s it is ready: %t, %t without the text, %t for another rater", c, twin.Host().Ready("ann"), plain.Host().Ready("ann"), twin.Host().Ready("bob"))
		}
		if got, want := marshal(t, ask(t, twin, "ann")), marshal(t, ask(t, plain, "ann")); got != want {
			t.Errorf("after %s: asked\n%s, want\n%s", c, got, want)
		}
		if twin.Host().Ready("ann") {
			t.Error("ready while a question is open")
		}
	}
	// It still is for this log when the answer came first, but not when it had another past.
	later := reopen(t, s.Events(0))
	tell(t, later, open.ID, First)
	if !later.Host().Import(text) {
		t.Error("refused after the answer")
	}
	other := start(t, Config{Space: unitSquare(), Seed: 8})
	for range 8 {
		tell(t, other, ask(t, other, "ann").ID, Second)
	}
	ask(t, other, "ann")
	behind, err := Open(ctx, s.Events(0)[:10], OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, study := range map[string]*Study{"another log": other, "a log that is behind": behind} {
		if study.Host().Import(text) || len(study.ahead) != 0 {
			t.Errorf("taken by %s", name)
		}
	}
	for name, change := range map[string][2]string{
		"version": {`"version":1`, `"version":2`}, "kernels": {`"kernels":"`, `"kernels":"x`}, "another rater": {`"rater":"ann","seq"`, `"rater":"bob","seq"`},
		"log": {`"log":"`, `"log":"0`}, "an option outside": {`"x":0`, `"x":7`}, "a number": {`"seq":18`, `"seq":0`}, "an id": {`"id":""`, `"id":"q1"`},
		"conditions": {`"method"`, `"fixed":{"x":0.5},"method"`}, "cut": {"}}}", "}}"},
	} {
		bad := strings.Replace(string(text), change[0], change[1], 1)
		if bad == string(text) {
			t.Fatalf("%s: no %s in %s", name, change[0], text)
		}
		if twin := reopen(t, s.Events(0)); twin.Host().Import([]byte(bad)) {
			t.Errorf("%s: taken", name)
		}
	}
	if twin := reopen(t, s.Events(0)); !twin.Host().Import(text) || twin.Host().Import(bytes.Replace(text, []byte(`"seq":18`), []byte(`"seq":17`), 1)) {
		t.Error("an older text was taken in place of a newer one")
	}
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// FuzzAhead: whatever a text says, the next question can be asked and the log replays.
func FuzzAhead(f *testing.F) {
	s := start(f, Config{Space: unitSquare(), Seed: 8, Method: "random"})
	open := ask(f, s, "ann")
	if _, err := s.Host().Prefetch(f.Context(), "ann"); err != nil {
		f.Fatal(err)
	}
	log, err := s.chain(2)
	if err != nil {
		f.Fatal(err)
	}
	_, text := s.Host().Export("ann")
	f.Add(string(text))
	f.Add(fmt.Sprintf(`{"version":1,"seq":2,"rater":"ann","log":%q,"next":{}}`, log.String()))
	f.Fuzz(func(t *testing.T, text string) {
		twin := reopen(t, s.Events(0))
		twin.Host().Import([]byte(text))
		tell(t, twin, open.ID, First)
		ask(t, twin, "ann")
		reopen(t, twin.Events(0))
	})
}
