// Package storetest has PostgreSQL servers for tests, lines to them that break in the ways lines do, and disks that are soon full.
//
// # Contents
//
//	cluster  a PostgreSQL server, and databases on it; a small disk
//	line     a wire that can be cut, frozen and slowed down
package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// Cluster is a PostgreSQL server in a folder of its own.
type Cluster struct{ Dir, Address string }

// shared is the server of this test process, if it had to start one.
var shared struct {
	mu  sync.Mutex
	one *Cluster
	err error
}

var databases atomic.Int64

// Server returns the address of a PostgreSQL server: the one PREFER_TEST_POSTGRES names, or one started for this test process, which Stop ends.
func Server(t testing.TB) string {
	t.Helper()
	if address := os.Getenv("PREFER_TEST_POSTGRES"); address != "" {
		return address
	}
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.one == nil && shared.err == nil {
		shared.one, shared.err = Start("start")
	}
	if shared.err != nil {
		t.Skipf("SKIPPED: no PostgreSQL here (%v); set PREFER_TEST_POSTGRES=postgres://… to an empty server", shared.err)
	}
	return shared.one.Address
}

// Stop ends the server that Server has started, if it has: for TestMain.
func Stop() {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.one != nil {
		shared.one.Stop()
		shared.one = nil
	}
}

// Database creates an empty database that the test's end removes.
func Database(t testing.TB) string {
	t.Helper()
	server, name := Server(t), fmt.Sprintf("prefer_%d_%d", os.Getpid(), databases.Add(1))
	Run(t, server, "CREATE DATABASE "+name)
	t.Cleanup(func() { Run(t, server, "DROP DATABASE "+name+" WITH (FORCE)") })
	return On(t, server, name)
}

// On returns the address of another database of a server.
func On(t testing.TB, server, name string) string {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func Run(t testing.TB, address, statement string) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(context.Background(), statement); err != nil {
		t.Fatal(err)
	}
}

// Start starts a server where the programs for it are there, by a verb of scripts/postgres: start, or standby and the
// folder of the server to follow. It installs nothing.
func Start(verb ...string) (*Cluster, error) {
	if _, err := Script("", "bin"); err != nil {
		return nil, fmt.Errorf("initdb was not found: %w", err)
	}
	parent, err := os.MkdirTemp("", "prefer")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(parent, 0o755); err != nil { // the server runs as somebody else if this is root
		return nil, err
	}
	c := &Cluster{Dir: filepath.Join(parent, "pg")}
	c.Address, err = Script(c.Dir, verb...)
	return c, err
}

func (c *Cluster) Stop() {
	if _, err := Script(c.Dir, "stop"); err != nil {
		fmt.Fprintln(os.Stderr, "PostgreSQL was not stopped:", err)
	}
	os.Remove(filepath.Dir(c.Dir))
}

// Script runs scripts/postgres on the server in a folder.
func Script(dir string, args ...string) (string, error) {
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		} else if root == filepath.Dir(root) {
			return "", errors.New("storetest: no go.mod above the working directory")
		}
	}
	c := exec.Command(filepath.Join(root, "scripts", "postgres"), args...)
	c.Env = append(os.Environ(), "PREFER_POSTGRES_DIR="+dir)
	c.Stderr = os.Stderr
	out, err := c.Output()
	return strings.TrimSpace(string(out)), err
}

// Disk returns a folder on a disk of its own, of 600 kB, which is soon full. Where none can be mounted the test is skipped.
func Disk(t testing.TB) string {
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
