package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/storetest"
)

var database = storetest.Database

// server returns the address of the server that databases for tests are on, by a database that is always there.
func server(t testing.TB) string {
	t.Helper()
	if address := os.Getenv("PREFER_TEST_POSTGRES"); address != "" {
		return address
	}
	return onDatabase(t, database(t), "postgres")
}

// onDatabase returns the address of another database of a server.
func onDatabase(t testing.TB, server, name string) string {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func run(t testing.TB, address, statement string) {
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

// script runs scripts/postgres on the server in a folder.
func script(dir string, args ...string) (string, error) {
	c := exec.Command("../../scripts/postgres", args...)
	c.Env = append(os.Environ(), "PREFER_POSTGRES_DIR="+dir)
	c.Stderr = os.Stderr
	out, err := c.Output()
	return strings.TrimSpace(string(out)), err
}

// cluster is a PostgreSQL server in a folder of its own that a test may do anything to.
type cluster struct{ Dir, Address string }

// newCluster starts a server for the time of the test where the programs for it are there, by a verb of scripts/postgres: start, or standby and the
// folder of the server to follow. It installs nothing.
func newCluster(t testing.TB, verb ...string) cluster {
	t.Helper()
	if _, err := script("", "bin"); err != nil {
		t.Skipf("SKIPPED: no PostgreSQL of its own (%v)", err)
	}
	parent, err := os.MkdirTemp("", "prefer")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(parent, 0o755); err != nil { // the server runs as somebody else if this is root
		t.Fatal(err)
	}
	c := cluster{Dir: filepath.Join(parent, "pg")}
	if c.Address, err = script(c.Dir, verb...); err != nil {
		t.Skipf("SKIPPED: no PostgreSQL of its own (%v)", err)
	}
	t.Cleanup(func() {
		if _, err := script(c.Dir, "stop"); err != nil {
			fmt.Fprintln(os.Stderr, "PostgreSQL was not stopped:", err)
		}
		os.Remove(parent)
	})
	return c
}

// standby starts a copy that follows the server, which from now on acknowledges nothing that the copy has not.
func (c cluster) standby(t testing.TB) cluster {
	t.Helper()
	return newCluster(t, "standby", c.Dir)
}

// do runs a verb of scripts/postgres on the server: restart, freeze, thaw, kill or promote.
func (c cluster) do(t testing.TB, verb string) {
	t.Helper()
	if _, err := script(c.Dir, verb); err != nil {
		t.Fatal(err)
	}
}

// with returns an address with another setting.
func with(t testing.TB, address, name, value string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

// named returns an address under which the server knows the client by name.
func named(t testing.TB, address, name string) string {
	t.Helper()
	return with(t, address, "application_name", name)
}
