package live

import (
	"encoding/base64"
	"strings"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/space"
)

// visit opens a link for everybody, and fails unless that is refused with this code.
func (r *testStudies) visit(everybody, name string, want Code) string {
	r.t.Helper()
	secret, err := r.Tokens.Visit(r.t.Context(), everybody, name, false)
	if code(err) != want || want == "" && err != nil {
		r.t.Errorf("%q comes with %v, want %q", name, err, want)
	}
	return secret
}

func (r *testStudies) claim(secret string, want Code) {
	r.t.Helper()
	if err := r.Tokens.Claim(r.t.Context(), secret); code(err) != want || want == "" && err != nil {
		r.t.Errorf("claimed with %v, want %q", err, want)
	}
}

// rows counts the notes of links.
func (r *testStudies) rows() (n int) {
	r.t.Helper()
	for _, prefix := range []string{"link ", "ended ", "guest "} {
		notes, err := r.store.Notes(r.t.Context(), "coffee", prefix)
		if err != nil {
			r.t.Fatal(err)
		}
		n += len(notes)
	}
	return n
}

// TestGuestNames: a link for everybody gives no name to anybody that somebody has, however they came by it: a link of their own, the
// command line, a program, an import, the owner's page, or the same link in another browser.
func TestGuestNames(t *testing.T) {
	h := newTestStudies(t, nil)
	ctx := t.Context()
	all, _ := h.invited(Invitation{Everybody: true})
	other, _ := h.invited(Invitation{Everybody: true})
	h.invited(Invitation{Rater: "invited"})
	_, gone := h.invited(Invitation{Rater: "withdrawn"})
	if err := h.Tokens.Withdraw(ctx, "coffee", token.Personal, gone.ID); err != nil {
		t.Fatal(err)
	}
	h.ask("asked")
	before, err := h.store.Study(ctx, "coffee") // a log of before a rater could have several questions open
	if err == nil {
		_, err = before.Ask(ctx, prefer.Request{Rater: "several#2"})
	}
	if err != nil {
		t.Fatal(err)
	}
	corner := func(x float64) space.Option {
		return space.Option{"milk": space.ValueOf(x), "sugar": space.ValueOf(0)}
	}
	told, err := h.Tell(ctx, "coffee", Tell{Duel: &prefer.Duel{First: corner(0), Second: corner(1), Answer: prefer.Answer{Choice: prefer.First}}, Rater: "imported", Owner: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Undo(ctx, "coffee", Undo{Answer: prefer.AnswerID(told.Answer), Rater: "imported", Owner: true}); err != nil {
		t.Fatal(err)
	}
	mine := h.visit(all, "guest", "")
	h.claim(mine, "")
	for _, name := range []string{"invited", "withdrawn", "asked", "imported", "several", "guest", token.OwnersName} {
		for _, link := range []string{all, other} {
			h.visit(link, name, NameTaken)
			made := strings.Join([]string{link, token.NewSecret(), base64.RawURLEncoding.EncodeToString([]byte(name))}, ".") // by hand
			h.stands(made, "", NameTaken)
			h.claim(made, NameTaken)
			again, err := h.Tokens.Visit(ctx, link, name, true)
			if l, _ := h.Tokens.Link(ctx, again); err != nil || !strings.HasPrefix(l.Rater, name+"-") || l.Rater == name {
				t.Errorf("%s starts over as %+v, %v", name, l, err)
			}
		}
	}
	h.stands(mine, "guest", "")
	for _, name := range []string{"a#b", "a\x00b", "\xff", strings.Repeat("x", 101), "a\u202eb"} {
		h.visit(all, name, Invalid)
		h.stands(all+".x."+base64.RawURLEncoding.EncodeToString([]byte(name+strings.Repeat("y", 8))), "", NoLink)
	}
	personal, _ := h.invited(Invitation{Rater: "bob"})
	if _, err := h.Tokens.Visit(ctx, personal, "cat", false); code(err) != NoLink {
		t.Errorf("somebody comes through bob's link: %v", err)
	}
	h.stands(personal+".x."+base64.RawURLEncoding.EncodeToString([]byte("cat")), "", NoLink)
}

// TestGuestRow: opening a link for everybody keeps nothing, the first thing that a guest does keeps one row, and of two under
// one name the first has it.
func TestGuestRow(t *testing.T) {
	h := newTestStudies(t, nil)
	all, l := h.invited(Invitation{Everybody: true})
	before := h.rows()
	var tokens []string
	for range 20 {
		tokens = append(tokens, h.visit(all, "p42", ""))
		h.stands(tokens[len(tokens)-1], "p42", "")
		h.visit(all, "", "")
	}
	if n := h.rows(); n != before {
		t.Errorf("40 openings kept %d rows", n-before)
	}
	var won sync.Map
	var done sync.WaitGroup
	for _, secret := range tokens {
		done.Go(func() {
			if err := h.Tokens.Claim(t.Context(), secret); err == nil {
				won.Store(secret, true)
			} else if code(err) != NameTaken {
				t.Error(err)
			}
		})
	}
	done.Wait()
	winners := 0
	for _, secret := range tokens {
		if _, ok := won.Load(secret); ok {
			winners++
			h.stands(secret, "p42", "")
			h.claim(secret, "") // again
		} else {
			h.stands(secret, "", NameTaken)
		}
	}
	if n := h.rows(); winners != 1 || n != before+1 {
		t.Errorf("%d have the name, in %d rows", winners, n-before)
	}
	links, err := h.Tokens.List(t.Context(), "coffee", token.Personal)
	if err != nil || len(links) != 2 || links[0].Rater != "p42" || links[0].Through != l.ID || links[1].Guests != 1 {
		t.Errorf("the links are %+v, %v", links, err)
	}
}

// TestGuestEnds: a guest of a shared link goes on when that is renewed, and not when it is withdrawn; one of them
// can be withdrawn, and get a link of their own.
func TestGuestEnds(t *testing.T) {
	h := newTestStudies(t, nil)
	ctx := t.Context()
	all, l := h.invited(Invitation{Everybody: true})
	tokens, ids := map[string]string{}, map[string]string{}
	for _, name := range []string{"ann", "bob", "cat"} {
		tokens[name] = h.visit(all, name, "")
		h.claim(tokens[name], "")
		own, err := h.Tokens.Link(ctx, tokens[name])
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = own.ID
	}
	pending := h.visit(all, "dan", "")
	if err := h.Tokens.Withdraw(ctx, "coffee", token.Personal, ids["bob"]); err != nil {
		t.Fatal(err)
	}
	h.stands(tokens["bob"], "", LinkWithdrawn)
	h.claim(tokens["bob"], LinkWithdrawn)
	own, _, err := h.Tokens.Renew(ctx, "coffee", token.Personal, ids["cat"], l.Expires)
	if err != nil {
		t.Fatal(err)
	}
	h.stands(tokens["cat"], "", LinkRenewed)
	h.stands(own, "cat", "")
	second, _, err := h.Tokens.Renew(ctx, "coffee", token.Personal, l.ID, l.Expires)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Tokens.Visit(ctx, all, "eve", false); code(err) != LinkRenewed {
		t.Errorf("the old link still lets in: %v", err)
	}
	h.stands(h.visit(second, "eve", ""), "eve", "")
	h.stands(tokens["ann"], "ann", "")
	h.stands(pending, "dan", "")
	if err := h.Tokens.Withdraw(ctx, "coffee", token.Personal, l.ID); err != nil {
		t.Fatal(err)
	}
	h.stands(tokens["ann"], "", LinkWithdrawn)
	h.stands(pending, "", LinkWithdrawn)
	h.claim(pending, LinkWithdrawn)
	h.stands(own, "cat", "") // a link of their own by now
}

// TestGuestForgotten: an erased rater comes back through no link, under a name or as a new guest, until they are invited again; and
// nothing of their name is in the store.
func TestGuestForgotten(t *testing.T) {
	h := newTestStudies(t, nil)
	ctx := t.Context()
	all, _ := h.invited(Invitation{Everybody: true})
	personal, _ := h.invited(Invitation{Rater: "zoe-secret"})
	h.tell(h.ask("zoe-secret"), prefer.First)
	guest := h.visit(all, "max-secret", "")
	h.claim(guest, "")
	for _, name := range []string{"zoe-secret", "max-secret"} { // a rater who was never asked has a row, too
		if n, err := h.store.Forget(ctx, "coffee", name); n == 0 || err != nil {
			t.Errorf("forgot %d, %v", n, err)
		}
		h.visit(all, name, Forgotten)
		if _, err := h.Tokens.Visit(ctx, all, name, true); code(err) != Forgotten {
			t.Errorf("%s comes as a new guest: %v", name, err)
		}
	}
	h.stands(personal, "", NoLink)
	h.stands(guest, "", Forgotten)
	h.claim(guest, Forgotten)
	notes, err := h.store.Notes(ctx, "coffee", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range notes {
		if strings.Contains(n.Name+n.Rater+n.Body, "secret") || strings.Contains(n.Name+n.Body, token.Hash("zoe-secret")) {
			t.Errorf("they are still in %+v", n)
		}
	}
	h.visit(all, "zoe", "")
	if n, err := h.store.Forget(ctx, "coffee", "nobody"); n != 0 || err != nil {
		t.Errorf("forgot %d of nobody, %v", n, err)
	}
	h.visit(all, "nobody", "") // a new name is not blocked
	again, _ := h.invited(Invitation{Rater: "zoe-secret"})
	h.stands(again, "zoe-secret", "")
	h.stands(personal, "", NoLink)
	h.visit(all, "zoe-secret", NameTaken)
	h.visit(all, "max-secret", Forgotten)
}

// TestGuestLooks: guests take no name that looks like that of a rater who was invited, has answered or was erased; the owner may invite
// any rater, and a guest who has a name keeps it.
func TestGuestLooks(t *testing.T) {
	h := newTestStudies(t, nil)
	ctx := t.Context()
	all, _ := h.invited(Invitation{Everybody: true})
	h.invited(Invitation{Rater: "anna"})
	h.tell(h.ask("Bea"), prefer.First)
	h.tell(h.ask("zoe"), prefer.First)
	if _, err := h.Forget(ctx, "coffee", Whom{Rater: "zoe"}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Code{
		"Anna": NameTaken, "\u0430nna": NameTaken, "ａnna": NameTaken, "bea": NameTaken, "OWNER": NameTaken,
		"Zoe": Forgotten, "z\u043ee": Forgotten, "anna ": Invalid, " dora": Invalid, "dora\u202e": Invalid, "dora\u200b": Invalid,
		"hanna": "", "anna 2": "",
	} {
		h.visit(all, name, want)
	}
	again, err := h.Tokens.Visit(ctx, all, "Anna", true)
	if l, failed := h.Tokens.Link(ctx, again); err != nil || failed != nil || !strings.HasPrefix(l.Rater, "Anna-") {
		t.Errorf("starts over as %+v, %v, %v", l, err, failed)
	}
	for _, name := range []string{"Anna", "ANNA", "Zoe"} {
		if _, _, err := h.invite(ctx, "coffee", Invitation{Rater: name}); err != nil {
			t.Errorf("%s is not invited: %v", name, err)
		}
	}
	h.visit(all, "zoe", Forgotten)
	h.visit(all, "zOE", NameTaken) // Zoe was invited, and the names look alike
}
