package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// TestImportKilled kills the merging of many people's logs in the middle, again and again: what is there then is the old study or the new one.
func TestImportKilled(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	log := func(rater string, answers int) (file string, events int) {
		at := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
		s, err := prefer.New(ctx, prefer.Config{Space: space.Box(space.Float("x", 0, 1)), Seed: 3, Now: func() time.Time { at = at.Add(time.Second); return at }})
		if err != nil {
			t.Fatal(err)
		}
		for i := range answers {
			d := prefer.Duel{Rater: rater, First: space.Option{"x": space.ValueOf(0.0)}, Second: space.Option{"x": space.ValueOf(float64(1+i) / float64(answers))}, Answer: prefer.Answer{Choice: prefer.First}}
			if _, err := s.Observe(ctx, d); err != nil {
				t.Fatal(err)
			}
		}
		f, err := os.Create(filepath.Join(dir, rater+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if err := logfile.Write(f, "x", s.Events(0)); err != nil {
			t.Fatal(err)
		}
		return f.Name(), answers
	}
	base, few := log("base", 3)
	args, many := []string{"import", ""}, 0
	for i := range 8 {
		file, n := log(fmt.Sprint("rater", i), 150)
		args, many = append(args, file), many+n
	}
	events := func() int {
		t.Helper()
		st, err := sqlstore.Open(ctx, args[1], sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		log, err := st.Events(ctx, "x")
		if err != nil {
			t.Fatal(err)
		}
		return len(log)
	}
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("prefer", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	first := filepath.Join(dir, "first.db")
	run("import", first, base, "--study", "x")
	old, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	again := func(name string) {
		t.Helper()
		args[1] = filepath.Join(dir, name)
		if err := os.WriteFile(args[1], old, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again("whole.db")
	start := time.Now()
	run(args...)
	once := time.Since(start)
	luck, before := rand.New(rand.NewPCG(1, 2)), 0
	for i := range 8 {
		again(fmt.Sprint("killed", i, ".db"))
		command := exec.Command("prefer", args...)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(luck.Int64N(int64(once) * 5 / 4)))
		_ = command.Process.Kill() // it may have ended
		_ = command.Wait()         // killed, or done
		switch n := events(); n {
		case 1 + few:
			before++
		case 1 + few + many:
		default:
			t.Fatalf("after a kill the study has %d events, want %d or %d", n, 1+few, 1+few+many)
		}
	}
	run(args...)
	if n := events(); n != 1+few+many {
		t.Errorf("in the end the study has %d events, want %d", n, 1+few+many)
	}
	t.Logf("%d of 8 kills were before the end", before)
}
