package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

var _ store.Store = (*sqlstore.Store)(nil)

var coffee = prefer.Config{Space: space.Box(space.Float("milk", 0, 1), space.Float("sugar", 0, 5)), Prompt: "Which cup?", Seed: 7,
	Modelling: prefer.Modelling{Search: acquisition.Search{Candidates: 64, Starts: 2, Finalists: 1, Evals: 30}}}

// TestStore: what a room relies on holds for every store alike.
func TestStore(t *testing.T) {
	for name, fresh := range map[string]func(*testing.T) store.Store{
		"memory": func(*testing.T) store.Store { return store.NewMemory() },
		"sqlite": func(t *testing.T) store.Store {
			st, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"), sqlstore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { st.Close() })
			return st
		},
	} {
		t.Run(name, func(t *testing.T) {
			for name, test := range map[string]func(*testing.T, store.Store){"studies": testStudies, "follow": testFollow, "lease": testLease, "ahead": testAhead, "notes": testNotes} {
				t.Run(name, func(t *testing.T) { test(t, fresh(t)) })
			}
		})
	}
}

func made(t *testing.T, st store.Store, name string) *prefer.Study {
	t.Helper()
	s, err := st.Create(t.Context(), name, coffee)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wantErr(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("the error is %v, want %v", err, want)
	}
}

// testStudies: a study is there from its creation to its deletion, under a name of its own, and two who hold it open
// cannot both append at one place.
func testStudies(t *testing.T, st store.Store) {
	ctx := t.Context()
	one := made(t, st, "tea")
	made(t, st, "coffee")
	_, err := st.Create(ctx, "tea", coffee)
	wantErr(t, err, store.ErrExists)
	_, err = st.Create(ctx, "a/b", coffee)
	wantErr(t, err, store.ErrName)
	_, err = st.Study(ctx, "none")
	wantErr(t, err, store.ErrNoStudy)
	wantErr(t, st.Delete(ctx, "none"), store.ErrNoStudy)
	two, err := st.Study(ctx, "tea")
	if err != nil {
		t.Fatal(err)
	}
	q, err := one.Ask(ctx, prefer.Request{Rater: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = two.Ask(ctx, prefer.Request{Rater: "bob"})
	wantErr(t, err, prefer.ErrConflict)
	id, err := one.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First})
	if err == nil {
		_, err = one.Observe(ctx, prefer.Duel{First: q.First, Second: q.Second, Answer: prefer.Answer{Choice: prefer.Second}})
	}
	if err == nil {
		err = one.Undo(ctx, id)
	}
	if err != nil {
		t.Fatal(err)
	}
	gone, stop := context.WithCancel(ctx)
	stop()
	_, err = one.Tell(gone, q.ID, prefer.Answer{Choice: prefer.First})
	wantErr(t, err, context.Canceled)
	list, err := st.List(ctx)
	if err != nil || len(list) != 2 || list[0].Name != "coffee" || list[1].Events != 5 || list[1].Answers != 1 || list[1].Changed.Before(list[1].Created) {
		t.Errorf("the list is %+v, %v", list, err)
	}
	again, err := st.Study(ctx, "tea")
	if err != nil {
		t.Fatal(err)
	}
	text := func(s *prefer.Study) string {
		b, err := json.Marshal(s.Events(0))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if d := cmp.Diff(text(one), text(again)); d != "" {
		t.Errorf("the log is another one:\n%s", d)
	}
	if err := st.KeepSnapshot(ctx, again); err != nil {
		t.Error(err)
	}
	if err := st.Delete(ctx, "tea"); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Ask(ctx, prefer.Request{Rater: "cat"}); err == nil {
		t.Error("a study that was deleted goes on")
	}
}

// testFollow: a study that is behind catches up, and one that was deleted must be opened again.
func testFollow(t *testing.T, st store.Store) {
	ctx := t.Context()
	one := made(t, st, "coffee")
	two, err := st.Study(ctx, "coffee")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.Ask(ctx, prefer.Request{Rater: "ann"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1, 0} {
		if moved, ok, err := st.Follow(ctx, two); moved != want || !ok || err != nil || two.Seq() != 2 {
			t.Errorf("it moved by %d to %d, %v, %v", moved, two.Seq(), ok, err)
		}
	}
	if err := st.Delete(ctx, "coffee"); err != nil {
		t.Fatal(err)
	}
	made(t, st, "coffee")
	if _, ok, err := st.Follow(ctx, two); ok || err != nil {
		t.Errorf("another study of the name is followed: %v, %v", ok, err)
	}
}

// testLease: one holds a study, and who waits in vain is told.
func testLease(t *testing.T, st store.Store) {
	s := made(t, st, "coffee")
	release, err := st.Lease(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	short, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	_, err = st.Lease(short, s)
	wantErr(t, err, context.DeadlineExceeded)
	release()
	if release, err = st.Lease(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	release()
}

// testAhead: what was chosen ahead for a rater another copy of the study can use.
func testAhead(t *testing.T, st store.Store) {
	ctx := t.Context()
	one := made(t, st, "coffee")
	if used, err := st.UseAhead(ctx, one, "ann"); used || err != nil {
		t.Errorf("nothing is used: %v, %v", used, err)
	}
	if err := st.KeepAhead(ctx, one, "ann"); err != nil {
		t.Error(err)
	}
	if _, err := one.Ask(ctx, prefer.Request{Rater: "ann"}); err != nil {
		t.Fatal(err)
	}
	two, err := st.Study(ctx, "coffee")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.Host().Prefetch(ctx, "ann"); err != nil {
		t.Fatal(err)
	}
	if err := st.KeepAhead(ctx, one, "ann"); err != nil {
		t.Fatal(err)
	}
	if used, err := st.UseAhead(ctx, two, "ann"); !used || err != nil {
		t.Errorf("used: %v, %v", used, err)
	}
	other := made(t, store.NewMemory(), "coffee")
	for name, err := range map[string]error{
		"KeepAhead": st.KeepAhead(ctx, other, "ann"), "KeepSnapshot": st.KeepSnapshot(ctx, other), "KeepDerived": st.KeepDerived(ctx, other, "derived/x", ""),
	} {
		if err == nil {
			t.Errorf("%s takes a study of another store", name)
		}
	}
}

// testNotes: notes are found by study and name, and go with their study.
func testNotes(t *testing.T, st store.Store) {
	ctx := t.Context()
	made(t, st, "coffee")
	tea := made(t, st, "tea")
	a, b := store.Note{Study: "coffee", Name: "link 1", Rater: "ann", Body: "x"}, store.Note{Study: "tea", Name: "link 2", Body: "y"}
	for _, n := range []store.Note{{Study: "coffee", Name: "link 1", Body: "before"}, a, b, {Study: "tea", Name: "link 1"}, {Study: "tea", Name: "other"}} {
		if err := st.KeepNote(ctx, n); err != nil {
			t.Fatal(err)
		}
	}
	wantErr(t, st.KeepNote(ctx, store.Note{Study: "none", Name: "x"}), store.ErrNoStudy)
	for _, n := range []store.Note{{Study: "coffee", Name: "link 1", Rater: "eve", Body: "too late"}, {Study: "none", Name: "new"}} {
		if err := st.KeepNew(ctx, n); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct {
		study, name string
		want        store.Note
		ok          bool
	}{{"coffee", "link 1", a, true}, {"", "link 2", b, true}, {"coffee", "link 2", store.Note{}, false}, {"", "none", store.Note{}, false}, {"none", "link 1", store.Note{}, false}} {
		if n, ok, err := st.FindNote(ctx, c.study, c.name); ok != c.ok || ok && n != c.want || err != nil {
			t.Errorf("%s in %q is %+v, %v, %v", c.name, c.study, n, ok, err)
		}
	}
	if err := st.KeepDerived(ctx, tea, "derived/report", "page"); err != nil {
		t.Error(err)
	}
	if err := st.DropNote(ctx, "tea", "link 1"); err != nil {
		t.Error(err)
	}
	if err := st.DropNote(ctx, "tea", "never"); err != nil {
		t.Error(err)
	}
	var names []string
	notes, err := st.Notes(ctx, "tea", "")
	for _, n := range notes {
		names = append(names, n.Name)
	}
	if d := cmp.Diff([]string{"derived/report", "link 2", "other"}, names); d != "" || err != nil {
		t.Errorf("the notes of tea are others:\n%s %v", d, err)
	}
	if notes, err := st.Notes(ctx, "tea", "link"); len(notes) != 1 || err != nil {
		t.Errorf("its links are %v, %v", notes, err)
	}
	if err := st.Delete(ctx, "tea"); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := st.FindNote(ctx, "", "link 2"); ok || err != nil {
		t.Errorf("a note of a study that was deleted is found: %v", err)
	}
}
