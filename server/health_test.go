package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/store/sqlstore"
	"golang.org/x/time/rate"
)

// TestHealth: a server is ready while its store keeps what it is given and it is not about to end; alive it is all the time.
// Anybody may ask.
func TestHealth(t *testing.T) {
	h := newTestServer(t, withOwner).as("")
	for _, path := range []string{"/livez", "/readyz", "/healthz"} {
		var said struct{ Status string }
		h.want(200, "GET", path, "", &said)
		if said.Status != "ok" {
			t.Errorf("%s says %q", path, said.Status)
		}
	}
	h.server.EndStreams()
	h.refused(503, "closing", "", "GET", "/readyz", "")
	h.refused(503, "closing", "", "GET", "/healthz", "")
	h.want(200, "GET", "/livez", "", nil)
	h.server.health.ending.Store(false)
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	h.refused(503, "store_unavailable", "", "GET", "/readyz", "")
	h.want(200, "GET", "/livez", "", nil)
}

// TestHealthTries: frequent requests get the last result, so that strangers cost no more than a balancer does.
func TestHealthTries(t *testing.T) {
	h := newTestServer(t, nil)
	writes := func() (n int) {
		_, _, text := h.do("GET", "/metrics", "")
		_, err := fmt.Sscanf(string(regexp.MustCompile(`prefer_store_seconds_count\{operation="write"\} \d+`).Find(text)), "prefer_store_seconds_count{operation=\"write\"} %d", &n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before, start := writes(), time.Now()
	for range 200 {
		h.want(200, "GET", "/readyz", "", nil)
	}
	if n, most := writes()-before, maxTries+1+int(time.Since(start)/tryPeriod); n < maxTries || n > most {
		t.Errorf("200 questions made %d writes, want %d to %d", n, maxTries, most)
	}
	h.server.health.mu.Lock()
	h.server.health.tries = rate.NewLimiter(0, 0) // none comes in while this test looks
	h.server.health.mu.Unlock()
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	h.want(200, "GET", "/readyz", "", nil)
	h.server.health.mu.Lock()
	h.server.health.tries = rate.NewLimiter(0, 1)
	h.server.health.mu.Unlock()
	h.refused(503, "store_unavailable", "", "GET", "/readyz", "")
}

// TestReadOnlyHealth: a store that can only be looked at is reason enough to send people elsewhere.
func TestReadOnlyHealth(t *testing.T) {
	h := newTestServer(t, nil)
	looking, err := sqlstore.Open(context.Background(), h.path, sqlstore.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer looking.Close()
	h.server.cfg.Store = looking
	h.refused(503, "store_read_only", "", "GET", "/readyz", "")
}

// TestReplacedHealth: a file that was removed under a server is noticed by who asks whether it is ready.
func TestReplacedHealth(t *testing.T) {
	h := newTestServer(t, nil)
	if !strings.HasSuffix(h.path, ".db") {
		t.Skip("SKIPPED: the store is not a file")
	}
	h.want(200, "GET", "/readyz", "", nil)
	if err := os.Rename(h.path, h.path+".moved"); err != nil {
		t.Fatal(err)
	}
	h.refused(503, "store_replaced", "", "GET", "/readyz", "")
	h.want(200, "GET", "/livez", "", nil)
	if err := os.Rename(h.path+".moved", h.path); err != nil {
		t.Fatal(err)
	}
	h.want(200, "GET", "/readyz", "", nil)
}

// TestFullDiskHealth: on a full disk a server is not ready, says so with an answer that it could not keep, and is ready again
// when there is room.
func TestFullDiskHealth(t *testing.T) {
	dir := smallDisk(t)
	h := startTestServer(t, filepath.Join(dir, "coffee.db"), true, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.want(200, "GET", "/readyz", "", nil)
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err == nil {
		t.Fatal("a megabyte fits on a disk of 600 kB")
	}
	await(t, "a full disk", func() bool { s, _, _ := h.do("GET", "/readyz", ""); return s != 200 }) // SQLite's log has some room of its own
	h.refused(503, "store_full", "", "GET", "/readyz", "")
	h.refused(503, "store_full", "", "GET", "/healthz", "")
	h.refused(507, "store_full", "", "POST", "/v1/studies/coffee/ask", `{}`)
	h.want(200, "GET", "/v1/studies/coffee", "", nil)
	h.want(200, "GET", "/livez", "", nil)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	h.want(200, "GET", "/readyz", "", nil)
	h.ask("ann")
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
