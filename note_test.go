package prefer

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestNote: what goes with an answer or a duel is kept as it was told, in the log, the history and a study opened again, is the caller's
// no longer, and changes nothing that is learned or asked.
func TestNote(t *testing.T) {
	beside := Answer{Choice: First, Key: "k", Note: "less bitter,\n\tmore \"milk\" <b> 🙂", Meta: Meta{"model": space.ValueOf("m1"), "tokens": space.ValueOf(512), "cached": space.ValueOf(true), "cost": space.ValueOf(0.0012)}}
	plain := Answer{Choice: First, Key: "k"}
	var studies []*Study
	for _, a := range []Answer{beside, plain} {
		s := start(t, Config{Space: coffee(), Seed: 4})
		d := a
		d.Key = "d"
		if _, err := s.Observe(ctx, Duel{First: cup(0.1, 1), Second: cup(0.4, 3), Rater: "ann", Answer: d}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tell(ctx, ask(t, s, "ann").ID, a); err != nil {
			t.Fatal(err)
		}
		studies = append(studies, s)
	}
	want := Meta{"model": space.ValueOf("m1"), "tokens": space.ValueOf(512), "cached": space.ValueOf(true), "cost": space.ValueOf(0.0012)}
	beside.Meta["model"] = space.ValueOf("changed by the caller")
	for name, s := range map[string]*Study{"as told": studies[0], "opened again": reopen(t, studies[0].Events(0))} {
		for _, e := range s.History() {
			if e.Answer.Note != beside.Note || !reflect.DeepEqual(e.Answer.Meta, want) {
				t.Errorf("%s: %s has the note %q and %v", name, e.ID, e.Answer.Note, e.Answer.Meta)
			}
		}
	}
	if a, b := ask(t, studies[0], "ann"), ask(t, studies[1], "ann"); !reflect.DeepEqual(a, b) {
		t.Errorf("the next question is %+v, and without notes %+v", a, b)
	}
	if a, b := studies[0].view("ann"), studies[1].view("ann"); !a.Evidence.TeachesSame(b.Evidence) {
		t.Error("something was learned from a note")
	}
	if got := want.String(); got != "cached true, cost 0.0012, model m1, tokens 512" || Meta(nil).String() != "" {
		t.Errorf("in one line it is %q, of none %q", got, Meta(nil).String())
	}
}

// TestNoteKey: a note makes an answer no other under its key, and the first stays; forgetting the rater removes it.
func TestNoteKey(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	q := ask(t, s, "ann")
	for _, note := range []string{"the first secret", "another", ""} {
		if id, err := s.Tell(ctx, q.ID, Answer{Choice: First, Key: "k", Note: note, Meta: Meta{"said": space.ValueOf(note)}}); err != nil || id != "a1" {
			t.Errorf("with the note %q it is %q, %v", note, id, err)
		}
	}
	if h := s.History(); len(h) != 1 || h[0].Answer.Note != "the first secret" || h[0].Answer.Meta["said"].String() != "the first secret" {
		t.Errorf("kept: %+v", h)
	}
	left, n := Forget(s.Events(0), "ann")
	if n != 2 || bytes.Contains(lines(t, left), []byte("secret")) {
		t.Errorf("%d events were forgotten, and the log reads\n%s", n, lines(t, left))
	}
}

// TestNoteLimits: what is too long or no text is refused by name and value, and nothing is kept; the longest that is allowed is.
func TestNoteLimits(t *testing.T) {
	many := Meta{}
	for i := range maxMeta + 1 {
		many[strings.Repeat("n", i+1)] = space.ValueOf(i)
	}
	s := start(t, Config{Space: coffee()})
	q := ask(t, s, "")
	for _, c := range []struct {
		answer Answer
		says   string
	}{
		{Answer{Note: strings.Repeat("é", maxNote+1)}, `note of 10001 characters, "` + strings.Repeat("é", 40) + `…", want at most 10000`},
		{Answer{Note: "a\x00b"}, `note "a\x00b", which has control characters`},
		{Answer{Note: "a\xffb"}, `note "a\xffb", which is not valid UTF-8`},
		{Answer{Meta: many}, "meta of 33 names, want at most 32"},
		{Answer{Meta: Meta{"": space.ValueOf("x")}}, `meta "x" without a name`},
		{Answer{Meta: Meta{strings.Repeat("n", maxMetaName+1): space.ValueOf(1)}}, "meta name of 65 characters"},
		{Answer{Meta: Meta{"a\nb": space.ValueOf(1)}}, `meta name "a\nb", which has control characters`},
		{Answer{Meta: Meta{"text": space.ValueOf(strings.Repeat("x", maxMetaWord+1))}}, `meta "text" of 4001 characters`},
		{Answer{Meta: Meta{"cost": space.ValueOf(math.NaN())}}, `meta "cost" of NaN, want a finite number`},
		{Answer{Meta: Meta{"cost": space.ValueOf(math.Inf(1))}}, `meta "cost" of +Inf`},
	} {
		c.answer.Choice = First
		try := func() error { _, err := s.Tell(ctx, q.ID, c.answer); return err }
		unchanged(t, s, c.says, coded("answer"), try)
		if err := try(); !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %s", err, c.says)
		}
		unchanged(t, s, "observed", coded("answer"), func() error {
			_, err := s.Observe(ctx, Duel{First: cup(0.1, 1), Second: cup(0.4, 3), Answer: c.answer})
			return err
		})
	}
	delete(many, strings.Repeat("n", maxMeta+1))
	many["n"] = space.ValueOf(strings.Repeat("漢", maxMetaWord))
	if _, err := s.Tell(ctx, q.ID, Answer{Choice: First, Note: strings.Repeat("漢", maxNote), Meta: many}); err != nil {
		t.Error(err)
	}
	reopen(t, s.Events(0))
}

// TestNoteOlder: the words of the log; a prefer that does not know them takes the log for a newer one's, as this one does a field to come.
func TestNoteOlder(t *testing.T) {
	data, err := json.Marshal(Answer{Choice: First, Note: "n", Meta: Meta{"b": space.ValueOf("w"), "a": space.ValueOf(1)}})
	if want := `{"choice":"first","note":"n","meta":{"a":1,"b":"w"}}`; err != nil || string(data) != want {
		t.Errorf("written %s (%v), want %s", data, err, want)
	}
	line := func(answer string) []byte {
		return []byte(`{"seq":3,"time":"2026-01-01T10:00:03Z","kind":"answered","answered":{"id":"a1","question":"q1","answer":` + answer + `}}`)
	}
	if e, err := ReadEvent(line(string(data))); err != nil || e.Answered.Answer.Note != "n" || e.Answered.Answer.Meta["a"].Float() != 1 {
		t.Errorf("read as %+v, %v", e.Answered, err)
	}
	if _, err := ReadEvent(line(`{"choice":"first","remark":"n"}`)); !errors.Is(err, ErrNewer) {
		t.Errorf("a field to come: %v, want %v", err, ErrNewer)
	}
	for _, rubbish := range []string{`{"choice":"first","meta":{"a":null}}`, `{"choice":"first","meta":{"a":{"b":1}}}`, `{"choice":"first","meta":[1]}`, `{"choice":"first","note":7}`, `{"choice":"first","meta":{"a":1,"a":2}}`} {
		if _, err := ReadEvent(line(rubbish)); err == nil || errors.Is(err, ErrNewer) {
			t.Errorf("%s is read: %v", rubbish, err)
		}
	}
}
