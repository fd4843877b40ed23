// Package storetest makes PostgreSQL databases for tests.
package storetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var one sync.Mutex // held by the one call that may start the server

// Database returns the address of an empty database, which the test's end drops. It is on the server that PREFER_TEST_POSTGRES names, or on one that
// scripts/postgres starts for this process and stops after it.
func Database(t testing.TB) string {
	t.Helper()
	one.Lock()
	defer one.Unlock()
	_, file, _, _ := runtime.Caller(0)
	script := filepath.Join(filepath.Dir(file), "..", "..", "scripts", "postgres")
	out, err := exec.Command(script, "database").Output()
	if err != nil && os.Getenv("PREFER_TEST_POSTGRES") == "" {
		t.Skipf("SKIPPED: no PostgreSQL here (%v); set PREFER_TEST_POSTGRES=postgres://… to an empty server", err)
	} else if err != nil {
		t.Fatalf("scripts/postgres database: %v", err)
	}
	address := strings.TrimSpace(string(out))
	t.Cleanup(func() {
		if out, err := exec.Command(script, "drop", address).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return address
}
