package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "regenerate licenses.txt for all platforms of scripts/release")

// A licence is in a file of such a name.
var (
	licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|copyright|unlicense)([._-].*)?$`)
	otherwise   = regexp.MustCompile(`(?i)gpl|\.go$`)
)

// licencesOf returns the licences in a folder, by the names of their files.
func licencesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		switch name := e.Name(); {
		case otherwise.MatchString(name):
		case e.IsDir() && strings.EqualFold(name, "licenses"):
			within, err := os.ReadDir(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range within {
				if !otherwise.MatchString(w.Name()) {
					out[name+"/"+w.Name()] = licenceText(t, filepath.Join(dir, name, w.Name()))
				}
			}
		case !e.IsDir() && licenceFile.MatchString(name):
			out[name] = licenceText(t, filepath.Join(dir, name))
		}
	}
	return out
}

// licenceText returns a text without what differs between copies and cannot be seen.
func licenceText(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.ReplaceAll(strings.ToValidUTF8(string(data), "?"), "\r", ""), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
}

// needed returns the licences of everything the program for a platform is made of.
func needed(t *testing.T, platform string) map[noticeOf]string {
	t.Helper()
	system, arch, _ := strings.Cut(platform, "/")
	c := exec.Command("go", "list", "-deps", "-json=Dir,Module,EmbedFiles", ".")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[noticeOf]string{}
	for name, text := range licencesOf(t, strings.TrimSpace(string(root))) {
		all[noticeOf{Module: "go", File: name}] = text
	}
	modules := map[string]bool{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir        string
			EmbedFiles []string
			Module     *struct{ Path, Version, Dir string }
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module == nil { // of Go itself
			continue
		}
		for _, file := range p.EmbedFiles { // like the fonts of the page
			if p.Module.Version == "" && licenceFile.MatchString(path.Base(file)) {
				within, err := filepath.Rel(p.Module.Dir, filepath.Join(p.Dir, file))
				if err != nil {
					t.Fatal(err)
				}
				all[noticeOf{p.Module.Path, "", filepath.ToSlash(within)}] = licenceText(t, filepath.Join(p.Dir, file))
			}
		}
		for dir := p.Dir; ; dir = filepath.Dir(dir) { // a package may have a licence of its own
			within, err := filepath.Rel(p.Module.Dir, dir)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range licencesOf(t, dir) {
				if p.Module.Version == "" && within != "." {
					continue // this command's own file is none
				}
				all[noticeOf{p.Module.Path, p.Module.Version, path.Join(filepath.ToSlash(within), name)}] = text
				modules[p.Module.Path] = true
			}
			if dir == p.Module.Dir {
				break
			}
		}
		if !modules[p.Module.Path] {
			t.Errorf("%s has no licence in %s", p.Module.Path, p.Module.Dir)
			modules[p.Module.Path] = true
		}
	}
	if len(modules) < 40 {
		t.Errorf("the program has %d modules", len(modules))
	}
	return all
}

// writeNotices is licenses.txt: every text once.
func writeNotices(all map[noticeOf]string) string {
	of := map[string][]string{}
	for o, text := range all {
		of[text] = append(of[text], o.String())
	}
	for _, names := range of {
		slices.Sort(names)
	}
	var b strings.Builder
	b.WriteString("What prefer is made of, and the licence of each part.\n\n")
	for _, text := range slices.SortedFunc(maps.Keys(of), func(a, b string) int { return strings.Compare(of[a][0], of[b][0]) }) {
		b.WriteString(noticeLine + strings.Join(of[text], "\n") + "\n\n" + text + "\n")
	}
	return b.String()
}

// TestLicenses: every module of the program for this platform is in licenses.txt, with the text of every licence it has in the
// module cache, and what is written is what is read. After a change of modules: go test ./cmd/prefer -run TestLicenses -update
func TestLicenses(t *testing.T) {
	if *update {
		all := map[noticeOf]string{}
		for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
			maps.Copy(all, needed(t, platform))
		}
		if err := os.WriteFile("licenses.txt", []byte(writeNotices(all)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	there := map[noticeOf]string{}
	for _, n := range readNotices(notices) {
		for _, o := range n.Of {
			there[o] = strings.TrimSuffix(n.Text, "\n")
		}
	}
	for o, text := range needed(t, runtime.GOOS+"/"+runtime.GOARCH) {
		if there[o] != text && o.Module != "go" || o.Module == "go" && there[o] == "" {
			t.Errorf("licenses.txt does not have %s as it is (%d bytes, there %d): run this test with -update", o, len(text), len(there[o]))
		}
	}
	if writeNotices(there) != notices {
		t.Error("licenses.txt, taken apart and put together, is another one")
	}
}
