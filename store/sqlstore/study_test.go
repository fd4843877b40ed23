package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/store"
)

// testReplay: what is reopened is what was running, also by another store on the same database.
func testReplay(t *testing.T, address string) {
	s := open(t, address)
	running := create(t, s, "coffee")
	play(t, running, "ann", 6)
	sameStudy(t, s, "coffee", running)
	play(t, running, "Jürgen \"J\" 李\\ufffd \u2028", 3)
	sameStudy(t, open(t, address), "coffee", running)
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// testConflict: of two who hold a study, the one that is behind is told so and has changed nothing.
func testConflict(t *testing.T, address string) {
	one, two := open(t, address), open(t, address)
	ahead := create(t, one, "coffee")
	behind := study(t, two, "coffee")
	q := ask(t, ahead, "ann")
	if _, err := behind.Ask(ctx, prefer.Request{Rater: "bob"}); !errors.Is(err, prefer.ErrConflict) {
		t.Fatalf("the study that is behind: %v, want ErrConflict", err)
	}
	runs := 0
	err := two.Update(ctx, "coffee", func(s *prefer.Study) error {
		if runs++; runs == 1 { // somebody answers meanwhile
			tell(t, ahead, q, prefer.Answer{Choice: prefer.First})
		}
		_, err := s.Ask(ctx, prefer.Request{Rater: "bob"})
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
					q, err := s.Ask(ctx, prefer.Request{Rater: rater})
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

// testProcesses: several processes tell one study something at the same time; all get on.
func testProcesses(t *testing.T, address string) {
	s := open(t, address)
	create(t, s, "coffee")
	const processes, each = 3, 5
	var wait sync.WaitGroup
	for p := range processes {
		wait.Go(func() {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), "PREFER_STORE_CHILD=tell:"+address, fmt.Sprint("PREFER_STORE_ROUND=", p))
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("process %d: %v: %s", p, err, out)
			}
		})
	}
	wait.Wait()
	keys := map[string]int{}
	for _, e := range events(t, s, "coffee") {
		if e.Answered != nil {
			keys[e.Answered.Answer.Key]++
		}
	}
	for p := range processes {
		for i := range each {
			if key := fmt.Sprintf("%d-%d", p, i); keys[key] != 1 {
				t.Errorf("the answer with key %s was kept %d times", key, keys[key])
			}
		}
	}
	sameStudy(t, s, "coffee", study(t, s, "coffee"))
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// tellSome is one of those processes.
func tellSome(address string) error {
	s, err := Open(ctx, address, Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	rater := os.Getenv("PREFER_STORE_ROUND")
	for i := range 5 {
		err := s.Update(ctx, "coffee", func(study *prefer.Study) error {
			q, err := study.Ask(ctx, prefer.Request{Rater: rater})
			if err != nil {
				return err
			}
			_, err = study.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.Skip, Key: fmt.Sprintf("%s-%d", rater, i)})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
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
	for _, n := range []int{2, 4} {
		doubled := *log[n].Answered
		doubled.Answer.Key = "the same"
		twice[n].Answered = &doubled
	}
	gap := append(append([]prefer.Event(nil), log[:3]...), log[4:]...)
	for name, bad := range map[string][]prefer.Event{"empty": nil, "gap": gap, "headless": log[1:], "twice": twice} {
		if err := s.Import(ctx, name, bad); !errors.Is(err, prefer.ErrEvents) {
			t.Errorf("importing %q: %v, want ErrEvents", name, err)
		}
		if _, err := s.Study(ctx, name); !errors.Is(err, store.ErrNoStudy) {
			t.Errorf("after a failed import of %q: %v, want store.ErrNoStudy", name, err)
		}
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
	if _, err := old.Ask(ctx, prefer.Request{Rater: "bob"}); !errors.Is(err, store.ErrNoStudy) {
		t.Errorf("a step of a deleted study: %v, want store.ErrNoStudy", err)
	}
	ask(t, create(t, s, "coffee"), "eve")
	if _, err := old.Ask(ctx, prefer.Request{Rater: "bob"}); !errors.Is(err, store.ErrNoStudy) {
		t.Errorf("a step of a deleted study after another took its name: %v, want store.ErrNoStudy", err)
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

// testRefusedText: text that would not come back as it is, is refused, and the study goes on.
func testRefusedText(t *testing.T, address string) {
	s := open(t, address)
	running := create(t, s, "coffee")
	for _, rater := range []string{"\xff", "a\x00b"} {
		if _, err := running.Ask(ctx, prefer.Request{Rater: rater}); err == nil || len(running.Events(0)) != 1 {
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

// TestChoosers: a study with a method of one's own is asked by it when it is opened again, and only then.
func TestChoosers(t *testing.T) {
	address := filepath.Join(t.TempDir(), "own.db")
	mine := func(ctx context.Context, task acquisition.Task) (acquisition.Choice, error) {
		return acquisition.Ask(ctx, "random", task)
	}
	cfg := config()
	cfg.Method, cfg.Chooser, cfg.Initial = "mine", mine, 1
	s := open(t, address, Options{Choosers: map[string]acquisition.Method{"mine": mine}})
	if _, err := s.Create(ctx, "coffee", cfg); err != nil {
		t.Fatal(err)
	}
	play(t, study(t, s, "coffee"), "ann", 3)
	if q, err := study(t, s, "coffee").Ask(ctx, prefer.Request{Rater: "ann"}); err != nil || q.Method != "mine" {
		t.Errorf("asked by %q, %v", q.Method, err)
	}
	if _, err := study(t, open(t, address), "coffee").Ask(ctx, prefer.Request{Rater: "bob"}); err == nil || !strings.Contains(err.Error(), `"mine"`) {
		t.Errorf("asked without its method: %v", err)
	}
}
