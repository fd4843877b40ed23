package sqlstore

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// TestKill kills a process in the middle of its work, again and again on the same database: what it was
// told is kept was kept, once, and the study opens and is the fold of its events. SOAK=1 kills 300 times.
func TestKill(t *testing.T) {
	rounds := 10
	switch {
	case os.Getenv("SOAK") == "1":
		rounds = 300
	case testing.Short():
		rounds = 4
	}
	onBoth(t, func(t *testing.T, address string) {
		luck := rand.New(rand.NewPCG(1, 2))
		s := open(t, address)
		acknowledged := map[string][]string{} // by study: "told a1 key" or "undone a1"
		total, start := 0, time.Now()
		for round := range rounds {
			name := fmt.Sprintf("study %d", round/25)
			moment := []string{"told", "opened", "started"}[round%3] // a store must also survive in the middle of opening
			said := killed(t, address, name, round, moment, time.Duration(1+luck.IntN(60))*time.Millisecond)
			acknowledged[name] = append(acknowledged[name], said...)
			total += len(said)
			departed(t, s)
			log, err := s.Events(ctx, name)
			if errors.Is(err, store.ErrNoStudy) && len(acknowledged[name]) == 0 {
				continue // killed before there was one
			}
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			count := map[string]int{}
			for _, e := range log {
				switch {
				case e.Answered != nil:
					count[fmt.Sprintf("told %s %s", e.Answered.ID, e.Answered.Answer.Key)]++
				case e.Undone != nil:
					count[fmt.Sprintf("undone %s", e.Undone.Answer)]++
				}
			}
			for _, line := range acknowledged[name] {
				if count[line] != 1 {
					t.Fatalf("round %d: %q was acknowledged and is %d times in the log", round, line, count[line])
				}
			}
			sameStudy(t, s, name, study(t, s, name))
			if err := s.Check(ctx); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		if total == 0 {
			t.Error("nothing was acknowledged in any round: nothing was tested")
		}
		t.Logf("%d kills, %d acknowledged changes, %v", rounds, total, time.Since(start).Round(time.Second))
	})
}

// killed runs a child on the store, kills it some time after a moment of its life, and returns what it said
// was kept.
func killed(t *testing.T, address, name string, round int, moment string, after time.Duration) (said []string) {
	t.Helper()
	if strings.HasPrefix(address, "postgres") {
		address = named(t, address, "child")
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "PREFER_STORE_CHILD=work:"+address, "PREFER_STORE_STUDY="+name, fmt.Sprint("PREFER_STORE_ROUND=", round))
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		line := scanner.Text()
		if strings.HasPrefix(line, moment) {
			time.AfterFunc(after, func() { c.Process.Kill() })
		}
		if line != "started" && line != "opened" {
			said = append(said, line)
		}
	}
	if err := c.Wait(); err == nil || c.ProcessState.Exited() {
		t.Fatalf("round %d: the child ended by itself: %v", round, err)
	}
	return said
}

// departed waits until a server has noticed that its client is gone: until then the last COMMIT may still
// come to pass.
func departed(t *testing.T, s *Store) {
	t.Helper()
	if _, ok := s.engine.(postgres); !ok {
		return
	}
	for range 1000 {
		var left int
		err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'child' AND datname = current_database()").Scan(&left)
		if err != nil {
			t.Fatal(err)
		}
		if left == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the server still serves a client that was killed")
}

// work asks and tells on a study, forever, and says what was kept. It runs in a process of its own.
func work(address string) error {
	name, round := os.Getenv("PREFER_STORE_STUDY"), os.Getenv("PREFER_STORE_ROUND")
	fmt.Println("started")
	s, err := Open(ctx, address, Options{})
	if err != nil {
		return err
	}
	study, err := s.Study(ctx, name)
	if errors.Is(err, store.ErrNoStudy) {
		study, err = s.Create(ctx, name, config())
	}
	if err != nil {
		return err
	}
	fmt.Println("opened")
	for i := 0; ; i++ {
		q, err := study.Ask(ctx, prefer.Request{Rater: "ann"})
		if err != nil {
			return err
		}
		answer := prefer.Answer{Choice: prefer.Skip, Key: fmt.Sprintf("%s-%d", round, i)} // a skip is cheap: nothing to fit
		if i == 0 {
			answer.Choice = prefer.First
		}
		id, err := study.Tell(ctx, q.ID, answer)
		if err != nil {
			return err
		}
		fmt.Println("told", id, answer.Key)
		if i%4 == 3 {
			if err := study.Undo(ctx, id); err != nil {
				return err
			}
			fmt.Println("undone", id)
		}
	}
}
