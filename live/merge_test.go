package live

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/logfile"
)

// home returns the log of somebody who took coffee home and answered one question.
func (r *testStudies) home(rater string) []prefer.Event {
	r.t.Helper()
	events, err := r.store.Events(r.t.Context(), "coffee")
	if err != nil {
		r.t.Fatal(err)
	}
	at := events[0].Time
	s, err := prefer.Open(r.t.Context(), logfile.Beginning(events), prefer.OpenOptions{Now: func() time.Time { at = at.Add(time.Second); return at }})
	if err != nil {
		r.t.Fatal(err)
	}
	q, err := s.Ask(r.t.Context(), prefer.Request{Rater: rater})
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := s.Tell(r.t.Context(), q.ID, prefer.Answer{Choice: prefer.First}); err != nil {
		r.t.Fatal(err)
	}
	return s.Events(0)
}

// TestMerge: logs go into a study that is open, all or none, and who was forgotten stays out.
func TestMerge(t *testing.T) {
	r := newTestStudies(t, nil)
	ann, bob := logfile.Log{Name: "ann.jsonl", Events: r.home("ann")}, logfile.Log{Name: "bob.jsonl", Events: r.home("bob")}
	q := r.ask("bob")
	r.tell(q, prefer.Second)
	if _, err := r.Merge(t.Context(), "coffee", ann, bob); !errors.Is(err, logfile.ErrDiffers) || r.open().Seq() != 3 {
		t.Fatalf("bob's other answers: %v, and the study has %d events", err, r.open().Seq())
	}
	m, err := r.Merge(t.Context(), "coffee", ann)
	if err != nil || m.Answers != 1 || r.open().Seq() != 5 || r.Status("ann").Given != 1 {
		t.Fatalf("%+v, %v, and the study has %d events", m, err, r.open().Seq())
	}
	if again, err := r.Merge(t.Context(), "coffee", ann); err != nil || len(again.Events) != 0 {
		t.Errorf("once more: %+v, %v", again, err)
	}
	if _, err := r.Forget(t.Context(), "coffee", Whom{Rater: "ann"}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Merge(t.Context(), "coffee", ann); code(err) != Forgotten || !strings.Contains(err.Error(), "ann.jsonl") {
		t.Errorf("a rater who was erased: %v", err)
	}
}

// Status returns where coffee stands for a rater.
func (r *testStudies) Status(rater string) (out Status) {
	r.t.Helper()
	if err := r.With(r.t.Context(), "coffee", func(s *Study) error { out = s.Status(rater); return nil }); err != nil {
		r.t.Fatal(err)
	}
	return out
}

// TestUploadLinks: a secret stands for a study until its time is over, it is withdrawn or renewed; the store has none.
func TestUploadLinks(t *testing.T) {
	now := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	r := newTestStudies(t, func(c *Config) { c.Now = func() time.Time { return now } })
	stands := func(secret string, want Code) {
		t.Helper()
		if l, err := r.Tokens.Find(t.Context(), secret); code(err) != want || err == nil && l.Study != "coffee" {
			t.Errorf("it stands for %+v, %v, want %q", l, err, want)
		}
	}
	secret, l, err := r.Tokens.Make(t.Context(), token.Token{Study: "coffee", Kind: token.Upload, Expires: now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	stands(secret, "")
	stands(secret[:len(secret)-1], NoLink)
	stands(token.UploadPrefix+token.NewSecret(), NoLink)
	if _, err := r.Tokens.Link(t.Context(), secret); code(err) != NoLink {
		t.Errorf("as a link it is %v", err)
	}
	now = now.Add(30 * time.Minute)
	next, renewed, err := r.Tokens.Renew(t.Context(), "coffee", token.Upload, l.ID, time.Time{})
	if err != nil || renewed.ID != l.ID || !renewed.Expires.Equal(now.Add(time.Hour)) {
		t.Fatalf("%+v, %v", renewed, err)
	}
	stands(secret, LinkRenewed)
	stands(next, "")
	now = now.Add(time.Hour)
	stands(next, LinkExpired)
	other, o, err := r.Tokens.Make(t.Context(), token.Token{Study: "coffee", Kind: token.Upload, Expires: time.Time{}})
	if err != nil {
		t.Fatal(err)
	}
	if all, err := r.Tokens.List(t.Context(), "coffee", token.Upload); err != nil || len(all) != 2 || all[0].ID != o.ID {
		t.Errorf("%+v, %v", all, err)
	}
	if err := r.Tokens.Withdraw(t.Context(), "coffee", token.Upload, o.ID); err != nil {
		t.Error(err)
	}
	stands(other, LinkWithdrawn)
	if err := r.Tokens.Withdraw(t.Context(), "coffee", token.Upload, o.ID); code(err) != NoLink {
		t.Errorf("withdrawn twice: %v", err)
	}
	if _, _, err := r.Tokens.Make(t.Context(), token.Token{Study: "coffee", Kind: token.Upload, Expires: now.Add(-1)}); code(err) != Invalid {
		t.Errorf("expired when made: %v", err)
	}
}
