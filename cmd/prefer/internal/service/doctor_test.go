package service

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// wantFinding fails unless a finding has a level, says something, and has advice exactly if it is not fine.
func wantFinding(t *testing.T, f finding, l level, says string) {
	t.Helper()
	if f.Level != l || !strings.Contains(f.Found+" → "+f.Advice, says) {
		t.Errorf("%+v, want %s and %q", f, l, says)
	}
	if (f.Level == fine) != (f.Advice == "") {
		t.Errorf("%+v: advice is for warnings and problems", f)
	}
}

func TestDiagnosis(t *testing.T) {
	for _, c := range []struct {
		levels []level
		want   level
	}{
		{nil, fine}, {[]level{fine}, fine}, {[]level{warning, fine}, warning}, {[]level{trouble, warning}, trouble},
		{[]level{fine, warning, trouble, fine}, trouble}, {[]level{warning, trouble}, trouble},
	} {
		d := diagnosis{Level: fine}
		for _, l := range c.levels {
			d.add(finding{Level: l})
		}
		if d.Level != c.want || len(d.Findings) != len(c.levels) {
			t.Errorf("%v is %s in all, want %s", c.levels, d.Level, c.want)
		}
	}
}

func TestBuildFinding(t *testing.T) {
	wantFinding(t, buildFinding(cli.Build{Version: "v1.2.3", Go: "go1.26"}), fine, "prefer v1.2.3, go1.26")
	wantFinding(t, buildFinding(cli.Build{Version: "v1.2.3", Commit: "abc", Modified: true}), warning, "abc with changes")
}

func TestKernelsFinding(t *testing.T) {
	all := []linalg.Path{linalg.Generic, linalg.AVX2, linalg.AVX512}
	wantFinding(t, kernelsFinding(linalg.AVX512, all, "amd64"), fine, "avx512 in use, of generic, avx2, avx512")
	wantFinding(t, kernelsFinding(linalg.AVX2, all, "amd64"), warning, "avx512 is quicker: unset PREFER_KERNELS")
	wantFinding(t, kernelsFinding(linalg.Generic, all[:1], "amd64"), warning, "AVX2")
	wantFinding(t, kernelsFinding(linalg.Generic, all[:1], "arm64"), fine, "generic")
}

func TestClockFinding(t *testing.T) {
	now := time.Now()
	wantFinding(t, clockFinding(now, now.Add(20*time.Millisecond), ""), fine, "T")
	old := time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)
	wantFinding(t, clockFinding(old, old, ""), trouble, "1970-01-02T00:00:00Z, and this program is younger")
	made := time.Date(2027, 5, 5, 0, 0, 0, 0, time.UTC)
	built := made.Format(time.RFC3339)
	wantFinding(t, clockFinding(made.AddDate(0, 0, -2), made.AddDate(0, 0, -2), built), trouble, "made on 2027-05-05")
	wantFinding(t, clockFinding(made.Add(-time.Hour), made.Add(-time.Hour), built), fine, "2027-05-04")
	far := time.Date(2106, 2, 7, 0, 0, 0, 0, time.UTC)
	wantFinding(t, clockFinding(far, far, ""), trouble, "set the clock")
}

func TestScreenFinding(t *testing.T) {
	wantFinding(t, screenFinding(terminal.Style{Unicode: true, Colours: terminal.TrueColour}, 80, 24), fine, "80 columns, 24 rows, all colours")
	wantFinding(t, screenFinding(terminal.Style{Colours: 16}, 80, 24), warning, "LC_ALL=C.UTF-8")
	wantFinding(t, screenFinding(terminal.Style{Unicode: true}, 40, 24), warning, "make the window larger")
}

func TestAddressFinding(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	wantFinding(t, addressFinding(listener.Addr().String()), warning, "is in use")
	wantFinding(t, addressFinding("127.0.0.1:0"), fine, "is free")
	wantFinding(t, addressFinding("127.0.0.1:99999"), warning, "99999")
}

// TestHealthFindings: what a store can suffer from, one after the other.
func TestHealthFindings(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	file := sqlstore.Health{Engine: "SQLite 3.50.0", File: "/coffee.db", Tables: 2, Known: 2, Studies: 3, Answers: 1, Newest: now, Journal: "wal"}
	server := sqlstore.Health{Engine: "PostgreSQL 17.1", Tables: 2, Known: 2, Clock: 90 * time.Millisecond, Doubt: time.Millisecond}
	for _, h := range []sqlstore.Health{file, server} {
		for _, f := range healthFindings(h, now, false) {
			wantFinding(t, f, fine, "")
		}
	}
	for _, c := range []struct {
		check string
		level level
		says  string
		of    sqlstore.Health
		with  func(*sqlstore.Health)
	}{
		{"store", fine, "3 studies, 1 answer", file, func(h *sqlstore.Health) {}},
		{"tables", trouble, "refuses to open it", file, func(h *sqlstore.Health) { h.Tables = 3 }},
		{"tables", warning, "make a backup", file, func(h *sqlstore.Health) { h.Tables = 1 }},
		{"tables", warning, "when the store is first used", server, func(h *sqlstore.Health) { h.Tables = 0 }},
		{"writing", trouble, "held it locked", file, func(h *sqlstore.Health) { h.Writing = store.ErrUnavailable }},
		{"writing", trouble, "read-only", server, func(h *sqlstore.Health) { h.Writing = store.ErrReadOnly }},
		{"integrity", trouble, "restore a backup", server, func(h *sqlstore.Health) { h.Damage = store.ErrCorrupt }},
		{"integrity", trouble, "1 of 2 studies", file, func(h *sqlstore.Health) {
			h.Checked = []sqlstore.Checked{{Study: "tea"}, {Study: "ill", Err: store.ErrCorrupt}}
		}},
		{`study "ill"`, trouble, "restore a backup", file, func(h *sqlstore.Health) { h.Checked = []sqlstore.Checked{{Study: "ill", Err: store.ErrCorrupt}} }},
		{`study "new"`, trouble, "use the prefer that wrote it", file, func(h *sqlstore.Health) { h.Checked = []sqlstore.Checked{{Study: "new", Err: prefer.ErrNewer}} }},
		{`study "tea"`, fine, "7 events, edition 1, head 0000", file, func(h *sqlstore.Health) { h.Checked = []sqlstore.Checked{{Study: "tea", Edition: 1, Events: 7}} }},
		{"log", fine, "journal mode delete", file, func(h *sqlstore.Health) { h.Journal = "delete" }},
		{"log", warning, "100.0 MB", file, func(h *sqlstore.Health) { h.Log = 100e6 }},
		{"durability", warning, "fsync, synchronous_commit off", server, func(h *sqlstore.Health) { h.Careless = []string{"fsync", "synchronous_commit"} }},
		{"server clock", warning, "by -1m0s", server, func(h *sqlstore.Health) { h.Clock = -time.Minute }},
		{"server clock", fine, "to within 5.001s", server, func(h *sqlstore.Health) { h.Clock, h.Doubt = 3*time.Second, 2*time.Second }},
		{"server clock", fine, "to within 1ms", server, func(h *sqlstore.Health) { h.Clock, h.Doubt = 0, 9*time.Microsecond }},
		{"newest event", warning, "1h0m0s from now", file, func(h *sqlstore.Health) { h.Newest = now.Add(time.Hour) }},
	} {
		c.with(&c.of)
		all := healthFindings(c.of, now, true)
		i := slices.IndexFunc(all, func(f finding) bool { return f.Check == c.check })
		if i < 0 {
			t.Errorf("no finding %q in %+v", c.check, all)
			continue
		}
		wantFinding(t, all[i], c.level, c.says)
		if c.of.Tables != c.of.Known && slices.ContainsFunc(all, func(f finding) bool { return f.Check == "integrity" }) {
			t.Errorf("%+v: tables of another version were not checked", all)
		}
	}
	for err, says := range map[error]string{sqlstore.ErrForeign: "another file", store.ErrCorrupt: "restore", store.ErrUnavailable: "start the database",
		os.ErrPermission: "run as the user", errors.New("else"): "docs/dev/store.md"} {
		wantFinding(t, unusable(err), trouble, says)
	}
}

func TestRoomFinding(t *testing.T) {
	wantFinding(t, roomFinding(20e9, 1e6), fine, "20.0 GB free")
	wantFinding(t, roomFinding(20e9, 15e9), warning, "15.0 GB")
	wantFinding(t, roomFinding(500e6, 1e6), warning, "make room soon")
	wantFinding(t, roomFinding(4096, 100), trouble, "4.1 kB free")
	if free, known, err := freeSpace(t.TempDir()); err != nil || known && free == 0 {
		t.Errorf("room here: %d, %v, %v", free, known, err)
	}
	if _, known, err := freeSpace(filepath.Join(t.TempDir(), "none")); known && err == nil {
		t.Error("room in a folder that is not there")
	}
}

func TestPermissionsFinding(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "my coffee.db")
	media := filepath.Join(dir, "my coffee.media")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.WriteFile(path+"-wal", nil, 0o600), os.Mkdir(media, 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, log, uploads os.FileMode
		level              level
		says, advice       string
	}{
		{0o600, 0o600, 0o700, fine, "-rw-------: nobody else", ""},
		{0o400, 0o600, 0o500, fine, "-r--------", ""},
		{0o640, 0o600, 0o700, warning, "my coffee.db -rw-r-----", "chmod go= '" + path + "'"},
		{0o644, 0o644, 0o755, warning, "my coffee.db -rw-r--r--, my coffee.db-wal -rw-r--r--, my coffee.media -rwxr-xr-x: others", "chmod go= '" + path + "' '" + path + "-wal' '" + media + "'"},
		{0o600, 0o666, 0o700, warning, "my coffee.db-wal -rw-rw-rw-", "chmod go= '" + path + "-wal'"},
	} {
		if err := errors.Join(os.Chmod(path, c.file), os.Chmod(path+"-wal", c.log), os.Chmod(media, c.uploads)); err != nil {
			t.Fatal(err)
		}
		f := permissionsFinding(path, "linux")
		wantFinding(t, f, c.level, c.says)
		if f.Advice != c.advice {
			t.Errorf("advice %q, want %q", f.Advice, c.advice)
		}
		wantFinding(t, permissionsFinding(path, "windows"), fine, "as the folder")
	}
}
