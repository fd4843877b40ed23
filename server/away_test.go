package server

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/prefer-bo/prefer/store/sqlstore"
)

// TestStoreAway: while the store is locked a request is refused with a time to come back, and afterwards the
// server goes on as if nothing had been.
func TestStoreAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	h := openTestServer(t, path, func(c *Config) {
		impatient, err := sqlstore.Open(context.Background(), path, sqlstore.Options{Patience: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { impatient.Close() })
		c.Store = impatient
	})
	h.want(201, "POST", "/v1/studies", coffee, nil)
	q := h.ask("ann")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(30000)") // a question may be chosen ahead meanwhile
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	lock, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := lock.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	answer := fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k"}`, q.ID)
	status, head, text := h.do("POST", "/v1/studies/coffee/tell", answer)
	if status != 503 || head.Get("Retry-After") != "1" || !strings.Contains(string(text), "store_unavailable") {
		t.Errorf("while the store is locked: %d, Retry-After %q, %s", status, head.Get("Retry-After"), text)
	}
	if _, err := lock.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", answer, nil)
	h.want(200, "POST", "/v1/studies/coffee/tell", answer, nil)
	h.want(200, "GET", "/healthz", "", nil)
	if last := h.lastAnswer(); last.Answer.Key != "k" {
		t.Errorf("the last answer is %+v", last)
	}
}
