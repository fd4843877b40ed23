package live

import (
	"testing"
	"time"

	"github.com/prefer-bo/prefer/live/token"
)

// TestLinks: links are listed with whom they are for and until when, end when they are withdrawn, renewed or their time is
// over, and say which.
func TestLinks(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h := newTestStudies(t, func(c *Config) { c.Now = func() time.Time { return now } })
	ctx := t.Context()
	ann, annLink := h.invited(Invitation{Rater: "ann", Expires: now.Add(48 * time.Hour)})
	now = now.Add(time.Hour)
	bob, bobLink := h.invited(Invitation{Rater: "bob"})
	h.ask("bob")
	links, err := h.Tokens.List(ctx, "coffee", token.Personal)
	if err != nil || len(links) != 2 {
		t.Fatalf("%+v, %v", links, err)
	}
	if l := links[0]; l.ID != bobLink.ID || l.Rater != "bob" || !l.Created.Equal(now) || !l.Expires.IsZero() || l.LastAsked.IsZero() {
		t.Errorf("bob's is %+v", l)
	}
	if l := links[1]; l.ID != annLink.ID || l.Rater != "ann" || !l.Expires.Equal(now.Add(47*time.Hour)) || !l.LastAsked.IsZero() {
		t.Errorf("ann's is %+v", l)
	}

	now = now.Add(47*time.Hour - time.Second)
	h.stands(ann, "ann", "")
	now = now.Add(time.Second)
	h.stands(ann, "", LinkExpired)
	if _, _, err := h.Tokens.Renew(ctx, "coffee", token.Personal, annLink.ID, now); code(err) != Invalid {
		t.Errorf("renewed until now: %v", err)
	}
	again, l, err := h.Tokens.Renew(ctx, "coffee", token.Personal, annLink.ID, time.Time{})
	if err != nil || l.ID != annLink.ID || l.Rater != "ann" || !l.Expires.Equal(now.Add(48*time.Hour)) { // as long as before
		t.Errorf("renewed to %+v, %v", l, err)
	}
	h.stands(again, "ann", "")
	h.stands(ann, "", LinkRenewed)

	if err := h.Tokens.Withdraw(ctx, "coffee", token.Personal, bobLink.ID); err != nil {
		t.Fatal(err)
	}
	h.stands(bob, "", LinkWithdrawn)
	for range 2 {
		if err := h.Tokens.Withdraw(ctx, "coffee", token.Personal, bobLink.ID); code(err) != NoLink {
			t.Errorf("withdrawn again: %v", err)
		}
	}
	if _, _, err := h.Tokens.Renew(ctx, "coffee", token.Personal, bobLink.ID, time.Time{}); code(err) != NoLink {
		t.Errorf("renewed after it was withdrawn: %v", err)
	}
	if links, err := h.Tokens.List(ctx, "coffee", token.Personal); err != nil || len(links) != 1 || links[0].Rater != "ann" {
		t.Errorf("left are %+v, %v", links, err)
	}
	fresh, _ := h.invited(Invitation{Rater: "bob"}) // their name and their answers are as they were
	h.stands(fresh, "bob", "")
	h.stands(bob, "", LinkWithdrawn)
}

// TestLinksWatched: watchers of a study hear that a link has ended.
func TestLinksWatched(t *testing.T) {
	h := newTestStudies(t, nil)
	_, l := h.invited(Invitation{Rater: "ann"})
	_, changes, leave, err := h.Watch(t.Context(), "coffee", "")
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if err := h.Tokens.Withdraw(t.Context(), "coffee", token.Personal, l.ID); err != nil {
		t.Fatal(err)
	}
	h.ask("bob") // before anybody listens
	if c := <-changes; !c.LinksChanged() || c.Seq != 2 {
		t.Errorf("heard %+v", c)
	}
}
