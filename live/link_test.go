package live

import "testing"

// TestLink: a token stands for a rater in a study, one for everybody gives each name one of its own, and the store knows
// none of them.
func TestLink(t *testing.T) {
	h := newRoom(t, nil)
	ctx := t.Context()
	token, err := h.Invite(ctx, "coffee", "ann")
	if err != nil {
		t.Fatal(err)
	}
	if l, ok, err := h.Link(ctx, token); !ok || err != nil || l.Study != "coffee" || l.Rater != "ann" || l.Key == token {
		t.Errorf("it stands for %+v, %v, %v", l, ok, err)
	}
	if _, ok, err := h.Link(ctx, token+"x"); ok || err != nil {
		t.Errorf("another token stands for somebody: %v", err)
	}
	all, err := h.Invite(ctx, "coffee", "")
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]string{}
	for _, rater := range []string{"bob", "cat", "bob"} {
		token, err := h.OwnLink(ctx, "coffee", all, rater)
		if err != nil {
			t.Fatal(err)
		}
		if was := own[rater]; was != "" && was != token {
			t.Errorf("%s gets %s after %s", rater, token, was)
		}
		own[rater] = token
		if l, ok, err := h.Link(ctx, token); !ok || err != nil || l.Rater != rater {
			t.Errorf("the token of %s stands for %+v, %v, %v", rater, l, ok, err)
		}
	}
	if own["bob"] == own["cat"] {
		t.Error("two raters have one token")
	}
	notes, err := h.store.Notes(ctx, "coffee", "link ")
	if err != nil || len(notes) != 4 {
		t.Fatalf("%d notes, %v", len(notes), err)
	}
	for _, n := range notes {
		for _, token := range []string{token, all, own["bob"], own["cat"]} {
			if n.Name == "link "+token || n.Body == token {
				t.Errorf("the store knows the token %s", token)
			}
		}
	}
	if _, err := h.Invite(ctx, "coffee", "a#b"); !isCode(err, Invalid) {
		t.Errorf("a link for a#b: %v", err)
	}
}
