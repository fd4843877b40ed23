package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

// TestConformance runs what a store promises against both engines.
func TestConformance(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) { conformance(t, e.fresh) })
	}
}

func conformance(t *testing.T, fresh func(testing.TB) string) {
	for _, c := range []struct {
		name string
		test func(*testing.T, string)
	}{
		{"replay", testReplay}, {"names", testNames}, {"conflict", testConflict}, {"interleaved", testInterleaved},
		{"same key", testSameKey}, {"import", testImport}, {"list", testList}, {"delete", testDelete},
		{"forget", testForget}, {"cancelled", testCancelled}, {"snapshot", testSnapshot}, {"check", testCheck},
		{"read only", testReadOnly}, {"newer", testNewer}, {"open together", testOpenTogether}, {"refused text", testRefusedText},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, fresh(t)) })
	}
}

// testReplay: what is reopened is what was running, also by another store on the same database.
func testReplay(t *testing.T, address string) {
	s := open(t, address)
	running := create(t, s, "coffee")
	play(t, running, "ann", 6)
	sameStudy(t, s, "coffee", running)
	play(t, running, "Jürgen \"J\" 李\\ufffd \ufffd", 3)
	sameStudy(t, open(t, address), "coffee", running)
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

func testNames(t *testing.T, address string) {
	s := open(t, address)
	for _, name := range []string{"a", "espresso, März", strings.Repeat("ü", 200), " ", "a.b\\c", "'; DROP TABLE prefer_studies; --"} {
		create(t, s, name)
		study(t, s, name)
	}
	for _, name := range []string{"", strings.Repeat("ü", 201), "a/b", "a\nb", "a\x00b", "\x7f", "\xff"} {
		_, created := s.Create(ctx, name, config())
		_, opened := s.Study(ctx, name)
		_, forgot := s.Forget(ctx, name, "ann")
		for _, err := range []error{created, opened, forgot, s.Delete(ctx, name), s.Import(ctx, name, nil)} {
			if !errors.Is(err, ErrName) {
				t.Errorf("name %q: %v, want ErrName", name, err)
			}
		}
	}
	if _, err := s.Create(ctx, "a", config()); !errors.Is(err, ErrExists) {
		t.Errorf("a name for the second time: %v, want ErrExists", err)
	}
	if err := s.Import(ctx, "a", events(t, s, "a")); !errors.Is(err, ErrExists) {
		t.Errorf("a name for the third time: %v, want ErrExists", err)
	}
	_, forgot := s.Forget(ctx, "b", "ann")
	_, read := s.Events(ctx, "b")
	for _, err := range []error{s.Delete(ctx, "b"), s.Update(ctx, "b", nil), forgot, read} {
		if !errors.Is(err, ErrNoStudy) || !strings.Contains(err.Error(), `"b"`) {
			t.Errorf("a study that is not there: %v, want ErrNoStudy and its name", err)
		}
	}
	cfg := config()
	cfg.Journal = &journal{}
	if _, err := s.Create(ctx, "c", cfg); err == nil || !strings.Contains(err.Error(), "Config.Journal") {
		t.Errorf("a study with a journal: %v", err)
	}
	if _, err := s.Create(ctx, "c", prefer.Config{}); err == nil {
		t.Error("a study without a space was created")
	}
	if _, err := s.Study(ctx, "c"); !errors.Is(err, ErrNoStudy) {
		t.Errorf("after two refusals: %v, want ErrNoStudy", err)
	}
}

// testConflict: of two who hold a study, the one that is behind is told so and has changed nothing.
func testConflict(t *testing.T, address string) {
	one, two := open(t, address), open(t, address)
	ahead := create(t, one, "coffee")
	behind := study(t, two, "coffee")
	q := ask(t, ahead, "ann")
	if _, err := behind.Ask(ctx, "bob"); !errors.Is(err, prefer.ErrConflict) {
		t.Fatalf("the study that is behind: %v, want ErrConflict", err)
	}
	runs := 0
	err := two.Update(ctx, "coffee", func(s *prefer.Study) error {
		if runs++; runs == 1 { // somebody answers meanwhile
			tell(t, ahead, q, prefer.Answer{Choice: prefer.First})
		}
		_, err := s.Ask(ctx, "bob")
		return err
	})
	if err != nil || runs != 2 {
		t.Errorf("Update: %v after %d runs, want 2", err, runs)
	}
	own := errors.New("own")
	if err := two.Update(ctx, "coffee", func(*prefer.Study) error { return own }); err != own {
		t.Errorf("Update returns %v, want what do returned", err)
	}
	sameStudy(t, one, "coffee", study(t, two, "coffee"))
}

// testInterleaved: two stores and many goroutines, each with its own study, all get on, and nothing is
// lost or doubled.
func testInterleaved(t *testing.T, address string) {
	stores := []*Store{open(t, address), open(t, address)}
	create(t, stores[0], "coffee")
	const raters, rounds = 6, 5
	var wait sync.WaitGroup
	for r := range raters {
		wait.Go(func() {
			rater := fmt.Sprintf("rater %d", r)
			for i := range rounds {
				err := stores[r%2].Update(ctx, "coffee", func(s *prefer.Study) error {
					q, err := s.Ask(ctx, rater)
					if err != nil {
						return err
					}
					_, err = s.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.Skip, Key: fmt.Sprint(rater, i)})
					return err
				})
				if err != nil {
					t.Errorf("%s, round %d: %v", rater, i, err)
				}
			}
		})
	}
	wait.Wait()
	answers := map[string]int{}
	for _, e := range events(t, stores[0], "coffee") {
		if e.Answered != nil {
			answers[e.Answered.Answer.Key]++
		}
	}
	if len(answers) != raters*rounds {
		t.Errorf("%d keys, want %d", len(answers), raters*rounds)
	}
	for key, n := range answers {
		if n != 1 {
			t.Errorf("key %q was kept %d times", key, n)
		}
	}
	if err := stores[1].Check(ctx); err != nil {
		t.Error(err)
	}
}

// testSameKey: 50 goroutines tell the same key at once, through one study, two and fifty: it counts once.
func testSameKey(t *testing.T, address string) {
	s := open(t, address)
	held := create(t, s, "coffee")
	q := ask(t, held, "ann")
	ids := make([]prefer.AnswerID, 50)
	var wait sync.WaitGroup
	for i := range ids {
		wait.Go(func() {
			answer := func(s *prefer.Study) (err error) {
				ids[i], err = s.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First, Key: "once"})
				return err
			}
			err := errors.New("not yet")
			if i%2 == 0 {
				err = answer(held)
			}
			if i%2 == 1 || errors.Is(err, prefer.ErrConflict) {
				err = s.Update(ctx, "coffee", answer)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for i, id := range ids {
		if id != "a1" {
			t.Errorf("goroutine %d was told %q, want a1", i, id)
		}
	}
	if log := events(t, s, "coffee"); len(log) != 3 || log[2].Answered == nil {
		t.Errorf("the log is\n%s", lines(t, log))
	}
}

// testImport: a log that was exported is imported as it was, and a damaged one not at all.
func testImport(t *testing.T, address string) {
	s := open(t, address)
	play(t, create(t, s, "coffee"), "ann", 4)
	log := events(t, s, "coffee")
	if err := s.Import(ctx, "copy", log); err != nil {
		t.Fatal(err)
	}
	if got, want := lines(t, events(t, s, "copy")), lines(t, log); got != want {
		t.Errorf("the copy is\n%swant\n%s", got, want)
	}
	copied := study(t, s, "copy")
	sameStudy(t, s, "copy", copied)
	play(t, copied, "bob", 2)
	twice := append([]prefer.Event(nil), log...)
	for n, a := range []*prefer.Answered{log[2].Answered, log[4].Answered} {
		doubled := *a
		doubled.Answer.Key = "the same"
		twice[2+2*n].Answered = &doubled
	}
	gap := append(append([]prefer.Event(nil), log[:3]...), log[4:]...)
	for name, bad := range map[string][]prefer.Event{"empty": nil, "gap": gap, "headless": log[1:], "twice": twice} {
		if err := s.Import(ctx, name, bad); !errors.Is(err, prefer.ErrEvents) {
			t.Errorf("importing %q: %v, want ErrEvents", name, err)
		}
		if _, err := s.Study(ctx, name); !errors.Is(err, ErrNoStudy) {
			t.Errorf("after a failed import of %q: %v, want ErrNoStudy", name, err)
		}
	}
}

func testList(t *testing.T, address string) {
	s := open(t, address)
	if list, err := s.List(ctx); err != nil || len(list) != 0 {
		t.Fatalf("an empty store lists %v, %v", list, err)
	}
	play(t, create(t, s, "b"), "ann", 4) // created, 4 asked, 4 answered, 1 undone; the question comes again
	create(t, s, "a")
	create(t, s, "Z")
	list, err := s.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	log := events(t, s, "b")
	size := func(name string) int { log := events(t, s, name); return len(lines(t, log)) - len(log) }
	first := clock()()
	want := []Info{
		{"Z", first, first, 1, 0, size("Z")}, {"a", first, first, 1, 0, size("a")},
		{"b", first, log[len(log)-1].Time, len(log), 3, size("b")},
	}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("the list is\n%v, want\n%v", list, want)
	}
}

// testDelete: a deleted study is gone, and a study of the same name is another one, which those who still
// hold the old one cannot write to.
func testDelete(t *testing.T, address string) {
	s := open(t, address)
	old := create(t, s, "coffee")
	ask(t, old, "ann")
	create(t, s, "other")
	if err := s.Delete(ctx, "coffee"); err != nil {
		t.Fatal(err)
	}
	if _, err := old.Ask(ctx, "bob"); !errors.Is(err, ErrNoStudy) {
		t.Errorf("a step of a deleted study: %v, want ErrNoStudy", err)
	}
	ask(t, create(t, s, "coffee"), "eve")
	if _, err := old.Ask(ctx, "bob"); !errors.Is(err, ErrNoStudy) {
		t.Errorf("a step of a deleted study after another took its name: %v, want ErrNoStudy", err)
	}
	if log := events(t, s, "coffee"); len(log) != 2 || log[1].Asked.Rater != "eve" {
		t.Errorf("the new study has the events\n%s", lines(t, log))
	}
	if list, err := s.List(ctx); err != nil || len(list) != 2 {
		t.Errorf("left are %v, %v", list, err)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// testForget: the log is what prefer.Forget makes of it, the rest of the store is as it was, and whoever
// holds the study from before is told to open it again.
func testForget(t *testing.T, address string) {
	s := open(t, address)
	held := create(t, s, "coffee")
	play(t, held, "ann", 3)
	play(t, held, "bob", 3)
	play(t, create(t, s, "tea"), "ann", 2)
	other := lines(t, events(t, s, "tea"))
	want, count := prefer.Forget(events(t, s, "coffee"), "ann")
	if err := held.Config().Journal.(*journal).keepSnapshot(ctx, len(want), []byte("of ann and bob")); err != nil {
		t.Fatal(err)
	}
	removed, err := s.Forget(ctx, "coffee", "ann")
	if err != nil || removed != count || count == 0 {
		t.Fatalf("forgot %d events, %v, want %d", removed, err, count)
	}
	if got := lines(t, events(t, s, "coffee")); got != lines(t, want) || strings.Contains(got, "ann") {
		t.Errorf("the log is\n%swant\n%s", got, lines(t, want))
	}
	if got := lines(t, events(t, s, "tea")); got != other {
		t.Error("another study was changed")
	}
	if _, err := held.Ask(ctx, "bob"); !errors.Is(err, prefer.ErrConflict) {
		t.Errorf("a study from before: %v, want ErrConflict", err)
	}
	j := held.Config().Journal.(*journal)
	if err := j.keepSnapshot(ctx, len(want), []byte("still of ann")); err != nil {
		t.Error(err)
	}
	if l, err := s.load(ctx, "coffee"); err != nil || l.snapshot != nil {
		t.Errorf("left is the snapshot %q, %v", l.snapshot, err)
	}
	// The store opens what prefer opens.
	_, fold := prefer.Open(prefer.Config{}, want)
	if _, err := s.Study(ctx, "coffee"); (err == nil) != (fold == nil) {
		t.Errorf("opened with %v, prefer.Open says %v", err, fold)
	}
	if removed, err := s.Forget(ctx, "coffee", "ann"); removed != 0 || err != nil {
		t.Errorf("forgetting again: %d, %v", removed, err)
	}
}

// testCancelled: a caller who has gone changes nothing, and keeps nobody waiting.
func testCancelled(t *testing.T, address string) {
	s := open(t, address)
	running := create(t, s, "coffee")
	q := ask(t, running, "ann")
	gone, cancel := context.WithCancelCause(ctx)
	left := errors.New("left")
	cancel(left)
	_, told := running.Tell(gone, q.ID, prefer.Answer{Choice: prefer.First})
	_, created := s.Create(gone, "tea", config())
	_, opened := s.Study(gone, "coffee")
	_, listed := s.List(gone)
	_, forgot := s.Forget(gone, "coffee", "ann")
	_, reopened := Open(gone, address)
	for _, err := range []error{told, created, opened, listed, forgot, reopened, s.Delete(gone, "coffee"), s.Check(gone)} {
		if !errors.Is(err, left) && !errors.Is(err, context.Canceled) {
			t.Errorf("with a context that has ended: %v", err)
		}
	}
	tell(t, running, q, prefer.Answer{Choice: prefer.First})
	sameStudy(t, s, "coffee", running)
	if list, err := s.List(ctx); err != nil || len(list) != 1 {
		t.Errorf("the store holds %v, %v", list, err)
	}
	// Leaving in the middle: whatever the answer was, it is the truth.
	for i := range 20 {
		brief, cancel := context.WithTimeout(ctx, time.Duration(i)*100*time.Microsecond)
		duel := prefer.Duel{First: q.First, Second: q.Second, Answer: prefer.Answer{Choice: prefer.Tie}}
		before := len(running.Events())
		_, err := running.Observe(brief, duel)
		cancel()
		if got := len(events(t, s, "coffee")); (err == nil) != (got == before+1) {
			t.Fatalf("%v, and the store went from %d events to %d", err, before, got)
		}
	}
	sameStudy(t, s, "coffee", running)
}

// testSnapshot: the newest is kept, another build's is ignored, and none can do harm.
func testSnapshot(t *testing.T, address string) {
	s := open(t, address)
	running := create(t, s, "coffee")
	play(t, running, "ann", 2)
	keep := func(seq int, body string) {
		t.Helper()
		if err := study(t, s, "coffee").Config().Journal.(*journal).keepSnapshot(ctx, seq, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	snapshot := func() string {
		t.Helper()
		l, err := s.load(ctx, "coffee")
		if err != nil {
			t.Fatal(err)
		}
		return string(l.snapshot)
	}
	if err := s.KeepSnapshot(ctx, running); err != nil || snapshot() != string(running.Snapshot()) {
		t.Errorf("kept %q, %v, want %q", snapshot(), err, running.Snapshot())
	}
	seq := len(running.Events())
	keep(seq, "\x00\xff later")
	keep(seq-1, "earlier")
	if got := snapshot(); got != "\x00\xff later" {
		t.Errorf("kept is %q", got)
	}
	if opened := study(t, s, "coffee").Config(); string(opened.Snapshot) != "\x00\xff later" && opened.Snapshot != nil {
		t.Errorf("the study was opened with the snapshot %q", opened.Snapshot)
	}
	sameStudy(t, s, "coffee", study(t, s, "coffee")) // which is asked, and so longer by one
	s.build = "another"
	if got := snapshot(); got != "" {
		t.Errorf("a snapshot of another build is used: %q", got)
	}
	keep(1, "of another build")
	if got := snapshot(); got != "of another build" {
		t.Errorf("kept is %q", got)
	}
	if other, err := prefer.New(config()); err != nil || s.KeepSnapshot(ctx, other) == nil {
		t.Errorf("%v, or the snapshot of a study of no store was taken", err)
	}
}

// testCheck: damage of every kind is found, and names the study.
func testCheck(t *testing.T, address string) {
	s := open(t, address)
	play(t, create(t, s, "well"), "ann", 2)
	play(t, create(t, s, "ill"), "ann", 3)
	log := events(t, s, "ill")
	const ill = " WHERE study = (SELECT id FROM prefer_studies WHERE name = 'ill')"
	for _, damage := range []string{
		"DELETE FROM prefer_events" + ill + " AND seq = 3",
		"DELETE FROM prefer_events" + ill + " AND seq >= 6",
		"DELETE FROM prefer_events" + ill,
		"UPDATE prefer_events SET seq = 1000" + ill + " AND seq = 3",
		"UPDATE prefer_events SET body = '{}'" + ill + " AND seq = 3",
		"UPDATE prefer_events SET body = ''" + ill + " AND seq = 1",
		"UPDATE prefer_events SET body = (SELECT body FROM prefer_events" + ill + " AND seq = 3)" + ill + " AND seq = 5",
		"UPDATE prefer_events SET rater = 'eve'" + ill + " AND seq = 2",
		"UPDATE prefer_events SET kind = 'undone'" + ill + " AND seq = 2",
		"UPDATE prefer_events SET time = '2026-01-01T12:00:00Z'" + ill + " AND seq = 2",
		"UPDATE prefer_events SET key = ''" + ill + " AND seq = 3",
		"UPDATE prefer_events SET time = 'noon'" + ill + " AND seq = (SELECT last FROM prefer_studies WHERE name = 'ill')",
		"UPDATE prefer_studies SET last = last + 1 WHERE name = 'ill'",
		"UPDATE prefer_studies SET last = last - 1 WHERE name = 'ill'",
	} {
		if _, err := s.db.ExecContext(ctx, damage); err != nil {
			t.Fatalf("%s: %v", damage, err)
		}
		if err := s.Check(ctx); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), `"ill"`) {
			t.Errorf("%s\nis reported as %v", damage, err)
		}
		if _, err := s.db.ExecContext(ctx, "DELETE FROM prefer_studies WHERE name = 'ill'"); err != nil {
			t.Fatal(err)
		}
		if err := s.Import(ctx, "ill", log); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(ctx); err != nil {
		t.Errorf("healed, and reported as %v", err)
	}
	// A row past the end is in the way of the next event, which is refused and not half kept.
	running := study(t, s, "ill")
	if _, err := s.db.ExecContext(ctx, "INSERT INTO prefer_events SELECT study, seq + 1, time, kind, rater, key, body FROM prefer_events"+ill+" AND seq = (SELECT last FROM prefer_studies WHERE name = 'ill')"); err != nil {
		t.Fatal(err)
	}
	if _, err := running.Ask(ctx, "eve"); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a step onto a row that should not be there: %v, want ErrCorrupt", err)
	}
	if len(running.Events()) != len(log) {
		t.Error("the step was taken")
	}
}

func testReadOnly(t *testing.T, address string) {
	if _, err := Open(ctx, address, ReadOnly()); err == nil {
		t.Fatal("a store that is not there was opened for reading")
	}
	s := open(t, address)
	play(t, create(t, s, "coffee"), "ann", 2)
	reader := open(t, address, ReadOnly())
	looking := study(t, reader, "coffee")
	if got, want := lines(t, looking.Events()), lines(t, events(t, s, "coffee")); got != want {
		t.Errorf("read\n%swant\n%s", got, want)
	}
	if _, err := looking.Best(ctx); err != nil {
		t.Error(err)
	}
	if err := reader.Check(ctx); err != nil {
		t.Error(err)
	}
	_, asked := looking.Ask(ctx, "bob")
	_, created := reader.Create(ctx, "tea", config())
	_, forgot := reader.Forget(ctx, "coffee", "ann")
	_, direct := reader.db.ExecContext(ctx, "DELETE FROM prefer_studies")
	for _, err := range []error{asked, created, forgot, reader.Delete(ctx, "coffee"), reader.explain(ctx, direct)} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("a change of a store opened for reading: %v, want ErrReadOnly", err)
		}
	}
	if list, err := reader.List(ctx); err != nil || len(list) != 1 {
		t.Errorf("the store lists %v, %v", list, err)
	}
}

// testNewer: tables of a later version are left alone.
func testNewer(t *testing.T, address string) {
	s := open(t, address)
	create(t, s, "coffee")
	if _, err := s.db.ExecContext(ctx, "INSERT INTO prefer_versions (version_id, is_applied) VALUES (999, '1')"); err != nil {
		t.Fatal(err)
	}
	for _, opts := range [][]Option{nil, {ReadOnly()}} {
		if _, err := Open(ctx, address, opts...); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "999") {
			t.Errorf("a newer store: %v, want ErrNewer", err)
		}
	}
}

// testOpenTogether: several open a store that is not there yet, and share it.
func testOpenTogether(t *testing.T, address string) {
	var wait sync.WaitGroup
	for i := range 6 {
		wait.Go(func() {
			s, err := Open(ctx, address)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if _, err := s.Create(ctx, fmt.Sprint("study ", i), config()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if list, err := open(t, address).List(ctx); err != nil || len(list) != 6 {
		t.Errorf("the store lists %v, %v", list, err)
	}
}

// testRefusedText: text that would not come back as it is, is refused, and the study goes on.
func testRefusedText(t *testing.T, address string) {
	s := open(t, address)
	running := create(t, s, "coffee")
	for _, rater := range []string{"\xff", "a\x00b"} {
		if _, err := running.Ask(ctx, rater); err == nil || len(running.Events()) != 1 {
			t.Errorf("rater %q was accepted", rater)
		}
	}
	q := ask(t, running, "ann")
	if _, err := running.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First, Key: "a\x00b"}); err == nil {
		t.Error("a key with a NUL was accepted")
	}
	tell(t, running, q, prefer.Answer{Choice: prefer.First, Session: "a\x00b", Key: strings.Repeat("long ", 2000)})
	sameStudy(t, s, "coffee", running)
}
