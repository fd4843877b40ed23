package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
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

func TestSQLiteAddress(t *testing.T) {
	dir := t.TempDir()
	odd := filepath.Join(dir, "a b%20?c#d ü.db")
	for address, file := range map[string]string{
		filepath.Join(dir, "plain.db"):   filepath.Join(dir, "plain.db"),
		odd:                              odd,
		"file:" + dir + "/one.db":        filepath.Join(dir, "one.db"),
		"file://" + dir + "/two%203.db":  filepath.Join(dir, "two 3.db"),
		"file://localhost" + dir + "/3":  filepath.Join(dir, "3"),
		filepath.Join(dir, "./x/../4db"): filepath.Join(dir, "4db"),
	} {
		s := open(t, address)
		create(t, s, "coffee")
		if info, err := os.Stat(file); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", address, err)
		}
	}
	t.Chdir(dir)
	create(t, open(t, "relative.db"), "coffee")
	create(t, open(t, "file:also%20relative.db"), "coffee")
	if _, err := os.Stat(filepath.Join(dir, "also relative.db")); err != nil {
		t.Error(err)
	}
	for address, says := range map[string]string{
		"": "lives in a file", ":memory:": "lives in a file", "file::memory:": "lives in a file", "a\x00b": "lives in a file",
		"mysql://host/db": "want a path", "file:x.db?mode=ro": "without", "file://elsewhere/x.db": "without",
		dir: "is a folder", filepath.Join(dir, "no", "x.db"): "create it first", "postgres://%zz": "cannot parse",
	} {
		if s, err := Open(ctx, address, Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, %v, want an error that says %q", address, s, err, says)
		}
	}
	if _, err := Open(ctx, filepath.Join(dir, "none.db"), Options{ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading what is not there: %v", err)
	}
}

// TestSQLitePragmas: what durability and forgetting rest on holds for every connection.
func TestSQLitePragmas(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "store.db"))
	for range 3 {
		c, err := s.db.Conn(ctx) // each stays open, so the next is another one
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "secure_delete": "1",
			"application_id": fmt.Sprint(0x70726566)} {
			var got string
			if err := c.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s = %q, %v, want %q", pragma, got, err, want)
			}
		}
	}
}

// sqliteExec runs statements on a file, as another program would.
func sqliteExec(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSQLiteForeign: a file of another program is refused and left as it was.
func TestSQLiteForeign(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"letter": "Dear Ann, the coffee was fine.", "short": "SQLite"} {
		if err := os.WriteFile(path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sqliteExec(t, path("tables"), "CREATE TABLE birds (name TEXT)")
	sqliteExec(t, path("marked"), "PRAGMA application_id = 77")
	newer := open(t, path("newer"))
	create(t, newer, "coffee")
	if _, err := newer.db.ExecContext(ctx, "INSERT INTO prefer_versions (version_id, is_applied) VALUES (7, 1)"); err != nil {
		t.Fatal(err)
	}
	if err := newer.db.Close(); err != nil { // the last connection empties the write-ahead log
		t.Fatal(err)
	}
	for name, want := range map[string]error{"letter": ErrForeign, "short": ErrForeign, "tables": ErrForeign, "marked": ErrForeign, "newer": ErrNewer} {
		before, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []Options{{}, {ReadOnly: true}} {
			if _, err := Open(ctx, path(name), o); !errors.Is(err, want) || !strings.Contains(err.Error(), path(name)) {
				t.Errorf("%s: %v, want %v and the path", name, err, want)
			}
		}
		if after, err := os.ReadFile(path(name)); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s was changed (%v)", name, err)
		}
	}
	if err := os.WriteFile(path("empty"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	create(t, open(t, path("empty")), "coffee")
	for _, beside := range []string{"empty-wal", "empty-shm", "empty-journal"} { // a study there would be gone when the other is opened
		if _, err := Open(ctx, path(beside), Options{}); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), path(beside)) {
			t.Errorf("%s: %v, want %v and the path", beside, err, ErrForeign)
		}
	}
}

// TestSQLiteCorrupt: pages overwritten with noise are noticed, whatever is asked for, and the file is named.
func TestSQLiteCorrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Import(ctx, "coffee", synthetic(t, 200)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for page := 1; page < len(whole)/4096; page++ { // page 0 has the mark: without it the file is foreign
		torn := bytes.Clone(whole)
		for i := range 4096 {
			torn[4096*page+i] = byte(i*37 + 11)
		}
		if err := os.WriteFile(path, torn, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Open(ctx, path, Options{})
		if err == nil {
			err = s.Check(ctx)
			s.Close()
		}
		if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "backup") {
			t.Errorf("page %d of noise: %v, want store.ErrCorrupt, the path and what to do", page, err)
		}
	}
	if err := os.WriteFile(path, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path).Check(ctx); err != nil {
		t.Errorf("restored: %v", err)
	}
}

// TestSQLiteFull: a full disk refuses the event and nothing else; with room again the study goes on.
func TestSQLiteFull(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "store.db"))
	running := create(t, s, "coffee")
	play(t, running, "ann", 2)
	s.db.SetMaxOpenConns(2) // the limit belongs to a connection; the other one keeps the log open
	limit := func(pages int) {
		t.Helper()
		if _, err := s.db.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // SQLite takes the size the file has
	q := ask(t, running, "bob")
	duel := prefer.Duel{First: q.First, Second: q.Second, Rater: strings.Repeat("long ", 200), Answer: prefer.Answer{Choice: prefer.Tie}}
	kept, full := 0, error(nil)
	for full == nil && kept < 1000 {
		if _, full = running.Observe(ctx, duel); full == nil {
			kept++
		}
	}
	if !errors.Is(full, store.ErrFull) || !strings.Contains(full.Error(), "make room") {
		t.Fatalf("after %d duels: %v, want store.ErrFull and what to do", kept, full)
	}
	if got, want := lines(t, events(t, s, "coffee")), lines(t, running.Events(0)); got != want {
		t.Fatalf("the store has\n%swant\n%s", got, want)
	}
	limit(1 << 20)
	if _, err := running.Observe(ctx, duel); err != nil {
		t.Fatalf("with room again: %v", err)
	}
	sameStudy(t, s, "coffee", running)
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestSQLiteForget: not a byte of a forgotten rater is in the files of the store, while another process has
// it open.
func TestSQLiteForget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, other := open(t, path), open(t, path)
	running := create(t, s, "coffee")
	play(t, running, "Annabel", 12)
	play(t, running, "bob", 12)
	if err := running.Config().Journal.(*journal).keepSnapshot(ctx, 9, []byte("Annabel likes milk")); err != nil {
		t.Fatal(err)
	}
	count := func(text string) (n int) {
		t.Helper()
		for _, suffix := range []string{"", "-wal", "-shm"} {
			data, err := os.ReadFile(path + suffix)
			if err != nil {
				t.Fatal(err)
			}
			n += bytes.Count(data, []byte(text))
		}
		return n
	}
	traces := append(checksums(t, s, "coffee"), "Annabel", "key of Annabel 3", "session of Annabel", "likes milk")
	for _, text := range traces {
		if count(text) == 0 {
			t.Fatalf("%q is not there to be forgotten", text)
		}
	}
	study(t, other, "coffee") // leaves a connection behind
	if _, err := s.Forget(ctx, "coffee", "Annabel"); err != nil {
		t.Fatal(err)
	}
	for _, text := range traces {
		if n := count(text); n != 0 {
			t.Errorf("%q is still there, %d times", text, n)
		}
	}
	if count("key of bob 3") == 0 {
		t.Error("bob was forgotten too")
	}
	// While somebody reads, the old pages cannot be emptied out: Forget says so, and again finishes it.
	play(t, create(t, s, "tea"), "Annabel", 3)
	s.patience = 300 * time.Millisecond
	reader, err := other.db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reader.QueryRowContext(ctx, "SELECT count(*) FROM prefer_events").Scan(&n); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(ctx, "tea", "Annabel"); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "forget again") {
		t.Errorf("while somebody reads: %v", err)
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	if removed, err := s.Forget(ctx, "tea", "Annabel"); err != nil || removed != 0 || count("Annabel") != 0 {
		t.Errorf("again: %d, %v, and %d traces", removed, err, count("Annabel"))
	}
}

// TestSQLiteLocked: another program that holds the file is waited for as long as patience and the context
// allow, and reading goes on.
func TestSQLiteLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, other := open(t, path), open(t, path)
	running := create(t, s, "coffee")
	holder, err := other.db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	if _, err := holder.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	s.patience = 150 * time.Millisecond
	if _, err := running.Ask(ctx, prefer.Request{Rater: "ann"}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a locked file: %v, want store.ErrUnavailable", err)
	}
	s.patience = time.Hour
	duel := prefer.Duel{First: space.Option{"milk": space.ValueOf(0), "grind": space.ValueOf(1)},
		Second: space.Option{"milk": space.ValueOf(0.5), "grind": space.ValueOf(1)}, Answer: prefer.Answer{Choice: prefer.Tie}}
	brief, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := running.Observe(brief, duel); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a locked file and a deadline: %v", err)
	}
	study(t, s, "coffee")
	time.AfterFunc(50*time.Millisecond, func() { holder.ExecContext(ctx, "ROLLBACK") })
	if _, err := running.Observe(ctx, duel); err != nil {
		t.Errorf("the lock was released: %v", err)
	}
	sameStudy(t, s, "coffee", running)
}

// TestSQLiteReadOnlyFile: where nothing may be written, a store can still be read. Root may write
// everywhere, so its test runs as nobody.
func TestSQLiteReadOnlyFile(t *testing.T) {
	dir, err := os.MkdirTemp("", "prefer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		os.Chmod(dir, 0o755)
		os.RemoveAll(dir)
	})
	path := filepath.Join(dir, "store.db")
	s, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	play(t, create(t, s, "coffee"), "ann", 2)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "look")
	if os.Getuid() == 0 {
		copyFile(t, os.Args[0], binary)
	}
	for _, mode := range []struct{ file, dir fs.FileMode }{{0o444, 0o777}, {0o666, 0o555}, {0o444, 0o555}} {
		if err := errors.Join(os.Chmod(path, mode.file), os.Chmod(dir, mode.dir)); err != nil {
			t.Fatal(err)
		}
		if os.Getuid() != 0 {
			if err := look(path); err != nil {
				t.Errorf("file %o in folder %o: %v", mode.file, mode.dir, err)
			}
			continue
		}
		c := exec.Command(binary)
		c.Dir, c.Env, c.SysProcAttr = "/", []string{"PREFER_STORE_CHILD=look:" + path}, nobody()
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("file %o in folder %o: %v: %s", mode.file, mode.dir, err, out)
		}
	}
}

// look reads a store that cannot be written.
func look(path string) error {
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	study, err := s.Study(ctx, "coffee")
	if err != nil {
		return err
	}
	if n := len(study.Events(0)); n != 6 {
		return fmt.Errorf("read %d events, want 6", n)
	}
	if _, err := study.Ask(ctx, prefer.Request{Rater: "bob"}); !errors.Is(err, store.ErrReadOnly) {
		return fmt.Errorf("a question of a store that cannot be written: %v, want store.ErrReadOnly", err)
	}
	return s.Check(ctx)
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
