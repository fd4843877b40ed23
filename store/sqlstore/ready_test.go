package sqlstore

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// TestReady: a store that keeps changes is ready, and being asked leaves nothing in it; one that is closed or may only be
// looked at is not.
func TestReady(t *testing.T) {
	onBoth(t, func(t *testing.T, address string) {
		st := open(t, address)
		create(t, st, "tea")
		before := lines(t, events(t, st, "tea"))
		for range 3 {
			if err := st.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if after := lines(t, events(t, st, "tea")); after != before {
			t.Errorf("the log was\n%s\nand is\n%s", before, after)
		}
		if err := st.Check(t.Context()); err != nil {
			t.Error(err)
		}
		looking := open(t, address, Options{ReadOnly: true})
		if err := looking.Ready(t.Context()); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("a store to be looked at: %v, want store.ErrReadOnly", err)
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		err := st.Ready(ctx)
		if err == nil || !strings.Contains(err.Error(), "Close was called") {
			t.Errorf("a closed store, for as long as one waits: %v", err)
		}
	})
}

// TestFullDisk: on a disk that is full a store is not ready, says once what became of the last change, and is ready again when there
// is room; what was acknowledged is there. Reading works all the time.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t)
	st := open(t, filepath.Join(dir, "tea.db"), Options{Patience: 200 * time.Millisecond})
	tea := create(t, st, "tea")
	if err := st.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err == nil {
		t.Fatal("a megabyte fits on a disk of 600 kB")
	}
	corner := func(x float64) space.Option {
		return space.Option{"milk": space.ValueOf(x / 2), "grind": space.ValueOf(1.0)}
	}
	kept, failed := 0, error(nil)
	for failed == nil && kept < 1000 {
		if _, failed = tea.Observe(t.Context(), prefer.Duel{First: corner(0), Second: corner(1), Answer: prefer.Answer{Choice: prefer.First, Session: strings.Repeat("x", 4000)}}); failed == nil {
			kept++
		}
	}
	if !errors.Is(failed, store.ErrFull) {
		t.Fatalf("after %d duels: %v, want store.ErrFull", kept, failed)
	}
	for _, bad := range []string{"it is not known", "prefer: prefer:"} {
		if strings.Contains(failed.Error(), bad) {
			t.Errorf("%q says %q; SQLite has taken the change back", failed, bad)
		}
	}
	if !strings.Contains(failed.Error(), "what was kept is safe") {
		t.Errorf("%q does not say that what was kept is safe", failed)
	}
	if err := st.Ready(t.Context()); !errors.Is(err, store.ErrFull) {
		t.Errorf("ready on a full disk: %v, want store.ErrFull", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := st.Ready(t.Context()); err != nil {
		t.Errorf("ready when there is room: %v", err)
	}
	again, err := st.Study(t.Context(), "tea")
	if err != nil || again.Seq() != kept+1 {
		t.Fatalf("%d events, want that of the study and %d of duels: %v", again.Seq(), kept, err)
	}
}

// smallDisk returns a folder on a disk of its own, of 600 kB, which is soon full. Where none can be mounted the test is skipped.
func smallDisk(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no disk of its own can be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return dir
}
