package outfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const table = "study,rater,session,seq,time,question_id,left_id\r\n"

func words(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

// TestWrite: what may be written over is written over, and everything else is as it was.
func TestWrite(t *testing.T) {
	const database = "SQLite format 3\x00and pages"
	for name, c := range map[string]struct {
		was, path string // of the file "out", and what is written to
		refused   string // empty: written
		forced    string // the same with force
	}{
		"new":             {path: "new"},
		"empty":           {was: "", path: "out"},
		"ours":            {was: table, path: "out"},
		"ours, by a link": {was: table, path: "link"},
		"a photo":         {was: "\xff\xd8\xff\xe0JFIF", path: "out", refused: "prefer did not write it"},
		"by a link":       {was: "notes", path: "link", refused: "prefer did not write it"},
		"speaks of ours":  {was: "see " + table, path: "out", refused: "prefer did not write it"},
		"a store":         {was: database, path: "out", refused: "holds studies", forced: "holds studies"},
		"a linked store":  {was: database, path: "link", refused: "holds studies", forced: "holds studies"},
		"hard-linked":     {was: database, path: "hard", refused: "holds studies", forced: "holds studies"},
		"its log":         {was: database, path: "out-wal", refused: "belongs to a file that holds", forced: "belongs to a file that holds"},
		"its memory":      {was: database, path: "out-shm", refused: "belongs to a file that holds", forced: "belongs to a file that holds"},
		"a link's log":    {was: database, path: "link-journal", refused: "belongs to a file that holds", forced: "belongs to a file that holds"},
		"a log elsewhere": {was: "\x37\x7f\x06\x82\x00\x2d\xe2\x18", path: "out", refused: "holds studies", forced: "holds studies"},
		"a folder":        {path: ".", refused: "is a folder", forced: "is a folder"},
		"a new folder":    {path: "new/", refused: "names a folder", forced: "names a folder"},
		"circle":          {path: "circle", refused: "leads back to itself", forced: "leads back to itself"},
		"dangling":        {path: "dangling"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, force := range []bool{false, true} {
				t.Chdir(t.TempDir())
				put(t, "out", c.was)
				for link, to := range map[string]string{"link": "out", "circle": "circle", "dangling": "late"} {
					if err := os.Symlink(to, link); err != nil {
						t.Skip("no symbolic links here:", err)
					}
				}
				if err := os.Link("out", "hard"); err != nil {
					t.Fatal(err)
				}
				want := c.refused
				if force {
					want = c.forced
				}
				err := Write(c.path, force, words("new"))
				var refused *Refusal
				switch {
				case want == "" && err != nil, want != "" && (!errors.As(err, &refused) || !strings.Contains(refused.Why, want)):
					t.Errorf("force %t: %v, want %q", force, err, want)
				case want != "" && refused.Path != c.path:
					t.Errorf("it speaks of %q, want %q", refused.Path, c.path)
				}
				path, text := "out", c.was
				if want == "" {
					path, text = c.path, "new"
				}
				if got, err := os.ReadFile(path); err != nil || string(got) != text {
					t.Errorf("force %t: %q, %v, want %q", force, got, err, text)
				}
				if info, err := os.Lstat("link"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
					t.Errorf("the link is %v, %v", info.Mode(), err)
				}
				if all, err := filepath.Glob(".prefer-*"); err != nil || len(all) > 0 {
					t.Errorf("left behind: %q, %v", all, err)
				}
				if want == "" && c.path == "out" {
					if info, err := os.Stat("out"); err != nil || info.Mode().Perm() != 0o640 {
						t.Errorf("the file may be read by others than before: %v, %v", info.Mode(), err)
					}
				}
			}
		})
	}
}

// TestWriteHalf: whatever ends the writing leaves the old file, and nothing else.
func TestWriteHalf(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "out", table)
	full := errors.New("disk full")
	err := Write("out", false, func(w io.Writer) error {
		if _, err := io.WriteString(w, strings.Repeat("half", 10_000)); err != nil {
			return err
		}
		return full
	})
	if !errors.Is(err, full) {
		t.Errorf("%v, want %v", err, full)
	}
	if got, err := os.ReadFile("out"); err != nil || string(got) != table {
		t.Errorf("%q, %v, want what was there", got, err)
	}
	if all, err := os.ReadDir("."); err != nil || len(all) != 1 {
		t.Errorf("%v, %v, want one file", all, err)
	}
	if err := Write(os.DevNull, false, words("gone")); err != nil {
		t.Error(err)
	}
	if err := Write("nowhere/new", true, words("")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "a folder that is not there") {
		t.Errorf("in no folder: %v", err)
	}
	for _, none := range []string{"", "-"} {
		if err := Write(none, true, words("")); err == nil {
			t.Errorf("%q was written to", none)
		}
	}
}
