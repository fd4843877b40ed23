package sqlstore

import (
	"net/url"
	"testing"

	"github.com/prefer-bo/prefer/internal/storetest"
)

// cluster is a PostgreSQL server that a test may do anything to.
type cluster struct{ *storetest.Cluster }

// newCluster starts a server for the time of the test.
func newCluster(t testing.TB, verb ...string) cluster {
	t.Helper()
	c, err := storetest.Start(verb...)
	if err != nil {
		t.Skipf("SKIPPED: no PostgreSQL of its own (%v)", err)
	}
	t.Cleanup(c.Stop)
	return cluster{c}
}

// standby starts a copy that follows the server, which from now on acknowledges nothing that the copy has not.
func (c cluster) standby(t testing.TB) cluster {
	t.Helper()
	return newCluster(t, "standby", c.Dir)
}

// do runs a verb of scripts/postgres on the server: restart, freeze, thaw, kill or promote.
func (c cluster) do(t testing.TB, verb string) {
	t.Helper()
	if _, err := storetest.Script(c.Dir, verb); err != nil {
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
