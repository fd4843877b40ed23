package live

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/store"
)

// code returns the kind of a refusal, empty for none.
func code(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// Invitation is whom a link under test is for.
type Invitation struct {
	Rater     string
	Everybody bool
	Expires   time.Time
}

func (r *testStudies) invite(ctx context.Context, study string, i Invitation) (string, token.Token, error) {
	t := token.Token{Study: study, Kind: token.Personal, Rater: i.Rater, Expires: i.Expires}
	if i.Everybody {
		t.Kind = token.Shared
	}
	return r.Tokens.Make(ctx, t)
}

// invited makes a link and returns its secret.
func (r *testStudies) invited(i Invitation) (string, token.Token) {
	r.t.Helper()
	secret, l, err := r.invite(r.t.Context(), "coffee", i)
	if err != nil {
		r.t.Fatal(err)
	}
	return secret, l
}

// stands fails unless a secret stands for a rater, or is refused with this code.
func (r *testStudies) stands(secret, rater string, want Code) {
	r.t.Helper()
	l, err := r.Tokens.Link(r.t.Context(), secret)
	if code(err) != want || err == nil && (l.Rater != rater || l.Study != "coffee") {
		r.t.Errorf("the secret stands for %+v, %v, want %q, %q", l, err, rater, want)
	}
}

// TestLink: a secret stands for a rater in a study, and the store knows none.
func TestLink(t *testing.T) {
	h := newTestStudies(t, nil)
	ctx := t.Context()
	secret, l := h.invited(Invitation{Rater: "ann"})
	h.stands(secret, "ann", "")
	h.stands(secret+"x", "", NoLink)
	h.stands("", "", NoLink)
	all, _ := h.invited(Invitation{Everybody: true})
	if everybody, err := h.Tokens.Link(ctx, all); err != nil || !everybody.Everybody || everybody.Rater != "" {
		t.Errorf("the link for everybody is %+v, %v", everybody, err)
	}
	notes, err := h.store.Notes(ctx, "coffee", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range notes {
		if strings.Contains(n.Name+n.Body, secret) || strings.Contains(n.Name+n.Body, all) {
			t.Errorf("the store knows a secret: %+v", n)
		}
	}
	if !strings.HasPrefix("link "+token.Hash(secret), "link "+l.ID) || len(l.ID) != 12 {
		t.Errorf("its id is %q", l.ID)
	}
	past := time.Now().Add(-time.Second)
	for field, bad := range map[string]Invitation{"rater": {}, "everybody": {Rater: "ann", Everybody: true}, "expires": {Rater: "ann", Expires: past}} {
		_, _, err := h.invite(ctx, "coffee", bad)
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != Invalid || e.Field != field {
			t.Errorf("%+v: %v, want %s to blame", bad, err, field)
		}
	}
	if _, _, err := h.invite(ctx, "none", Invitation{Rater: "ann"}); !errors.Is(err, store.ErrNoStudy) {
		t.Errorf("a link into no study: %v", err)
	}
}

// TestCheckRater: names that could be taken for one another, or for something else, are nobody's.
func TestCheckRater(t *testing.T) {
	h := newTestStudies(t, nil)
	for _, name := range []string{"a#b", "a\x00b", "a\nb", "\xff", "ann\xc3", "\uFFFD", "ann\uFFFD", "\xed\xa0\x80"} {
		if err := CheckRater(name); code(err) != Invalid {
			t.Errorf("%q: %v", name, err)
		}
		if _, _, err := h.invite(t.Context(), "coffee", Invitation{Rater: name}); code(err) != Invalid {
			t.Errorf("a link for %q: %v", name, err)
		}
		if _, err := h.Ask(t.Context(), "coffee", Ask{Rater: name}); code(err) != Invalid {
			t.Errorf("%q asks: %v", name, err)
		}
	}
	for _, name := range []string{"", "ann", "Jürgen", "名前", "🙂", "a b"} {
		if err := CheckRater(name); err != nil {
			t.Error(err)
		}
	}
}

// TestLinkBefore: links of databases from before links could end go on working, those that came of one for everybody included,
// and can be listed, renewed and withdrawn.
func TestLinkBefore(t *testing.T) {
	h := newTestStudies(t, nil)
	ctx := t.Context()
	old := map[string]store.Note{
		"token-of-ann":       {Rater: "ann", Body: `{"created":"2025-01-02T03:04:05Z"}`},
		"token-of-p42":       {Rater: "p42"},
		"token-of-everybody": {Body: `{"created":"2025-01-02T03:04:05Z"}`},
	}
	for secret, n := range old {
		n.Study, n.Name = "coffee", "link "+token.Hash(secret)
		if err := h.store.KeepNote(ctx, n); err != nil {
			t.Fatal(err)
		}
	}
	h.stands("token-of-ann", "ann", "")
	h.stands("token-of-p42", "p42", "")
	if _, err := h.Tokens.Visit(ctx, "token-of-everybody", "p42", false); code(err) != NameTaken {
		t.Errorf("the link for everybody makes somebody p42: %v", err)
	}
	fresh, err := h.Tokens.Visit(ctx, "token-of-everybody", "p43", false)
	if err != nil {
		t.Fatal(err)
	}
	h.stands(fresh, "p43", "")
	links, err := h.Tokens.List(ctx, "coffee", token.Personal)
	if err != nil || len(links) != 3 {
		t.Fatalf("%+v, %v", links, err)
	}
	for _, l := range links {
		if l.Rater == "p42" {
			if err := h.Tokens.Withdraw(ctx, "coffee", token.Personal, l.ID); err != nil {
				t.Error(err)
			}
			continue
		}
		secret, now, err := h.Tokens.Renew(ctx, "coffee", token.Personal, l.ID, time.Time{})
		if err != nil || now.ID != l.ID || !now.Expires.IsZero() {
			t.Errorf("%+v was renewed to %+v, %v", l, now, err)
		}
		h.stands(secret, l.Rater, "")
	}
	h.stands("token-of-ann", "", LinkRenewed)
	h.stands("token-of-p42", "", LinkWithdrawn)
	h.stands(fresh, "p43", "")
}
