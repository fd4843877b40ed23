package server

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/prefer-bo/prefer/internal/storetest"
)

// storeKind names what the servers under test keep their studies in: files, or with "postgres" databases. To run everything on PostgreSQL:
//
//	PREFER_TEST_STORE=postgres go test ./server
const storeKind = "PREFER_TEST_STORE"

// freshStore returns the address of an empty store.
func freshStore(t testing.TB) string {
	t.Helper()
	if os.Getenv(storeKind) == "postgres" {
		return storetest.Database(t)
	}
	return filepath.Join(t.TempDir(), "store.db")
}

// TestOnPostgres runs on PostgreSQL what a server does with its store.
func TestOnPostgres(t *testing.T) {
	t.Setenv(storeKind, "postgres")
	for _, c := range []struct {
		name string
		test func(*testing.T)
	}{
		{"studies", TestStudies}, {"ask", TestAsk}, {"ahead", TestAskAhead}, {"tell", TestTell}, {"key", TestTellKey}, {"undo", TestUndo},
		{"events", TestEvents}, {"links", TestRater}, {"exchange", TestExchange}, {"people", TestPerRater}, {"enqueue", TestEnqueue},
		{"checks", TestChecksUnderConditions}, {"two servers", TestTwoServers}, {"close", TestClose}, {"gone", TestStoreGone},
	} {
		t.Run(c.name, c.test)
	}
}
