package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// consoleBlock is an example of a document: lines that begin with "$ " are typed, the lines after them are printed. namedBlock is a file
// that the document asks to save: the line before the block ends with its name in backquotes and a colon.
var (
	consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")
	namedBlock   = regexp.MustCompile("(?s)`([\\w./-]+)`:\n\n```\\w+\n(.*?)```")
)

// TestDocument runs the examples of documents, each document from top to bottom in a folder of its own.
func TestDocument(t *testing.T) {
	judge := "#!/bin/sh\ntest ${#PREFER_FIRST_TEXT} -lt ${#PREFER_SECOND_TEXT} && echo first || echo second\n"
	for _, d := range []struct {
		name  string
		least int               // examples
		files map[string]string // what its reader has, by name
		start func(*reader)     // what its reader does first, with the files that it asks to save
	}{
		{"README.md", 3, map[string]string{"prompts.csv": "id,text\np1,Answer step by step.\np2,Answer.\np3,Answer in two or three sentences.\n", "judge": judge,
			"renders/a.txt": "one", "renders/b.txt": "two", "renders/c.txt": "three"}, nil},
		{"docs/guides/cli.md", 12, nil, nil},
		{"cmd/prefer/testdata/examples.md", 60, nil, nil}, // of every command, too long for the guide
		{"docs/guides/judges.md", 3, nil, nil},
		{"docs/tutorials/look.md", 6, nil, (*reader).labels},          // in a browser: TestBrowserRenders, TestBrowserDesigner
		{"docs/tutorials/prompts.md", 8, nil, (*reader).labels},       // in a browser: TestBrowserJudge; its Python: clients/python/tests/test_tutorials.py
		{"docs/tutorials/participants.md", 11, nil, (*reader).labels}, // in a browser: TestBrowserLab, TestBrowserPeople
		{"docs/tutorials/go-service.md", 4, nil, (*reader).programs},  // in a browser: TestBrowserShop
	} {
		t.Run(filepath.Base(d.name), func(t *testing.T) {
			reader := &reader{t: t, name: d.name, folder: t.TempDir()}
			reader.read()
			for _, program := range []string{"python3", "curl"} {
				if _, err := exec.LookPath(program); err != nil && regexp.MustCompile(`(?m)^\$ .*\b`+program+` `).MatchString(reader.text) {
					t.Skipf("SKIPPED: no %s here, which the examples of %s need; scripts/test installs it where it may", program, d.name)
				}
			}
			for name, text := range d.files {
				reader.save(name, text)
			}
			if d.start != nil {
				d.start(reader)
			}
			if ran := reader.run(); ran < d.least {
				t.Errorf("%s has %d examples, want %d", d.name, ran, d.least)
			}
			if strings.Contains(reader.text, "`analyse.py`") {
				reader.analyse()
			}
		})
	}
}

// reader follows a document in a folder.
type reader struct {
	t            *testing.T
	name, folder string
	text         string
	says, is     string // the address of the server in the document, and its own; empty before there is one
	stop         func()
}

// read reads the document and saves the files that it asks to save.
func (r *reader) read() {
	r.t.Helper()
	text, err := os.ReadFile(top + r.name)
	if err != nil {
		r.t.Fatal(err)
	}
	r.text = string(text)
	for _, file := range namedBlock.FindAllStringSubmatch(r.text, -1) {
		r.save(file[1], file[2])
	}
}

// save writes a file into the folder. Files can be run.
func (r *reader) save(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.folder, name)
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		err = os.WriteFile(file, []byte(text), 0o755)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// run runs the examples of the document in order, and returns how many. "…" in what they print stands for anything.
func (r *reader) run() (ran int) {
	r.t.Helper()
	for _, block := range consoleBlock.FindAllStringSubmatch(r.text, -1) {
		last := 0 // the exit code of the command before, for echo $?
		for _, example := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			typed, printed, _ := strings.Cut(example, "\n")
			for strings.HasSuffix(typed, "\\") { // goes on in the next line
				more, rest, _ := strings.Cut(printed, "\n")
				typed, printed = typed+"\n"+more, rest
			}
			var out string
			if strings.HasPrefix(typed, "prefer serve ") {
				out = r.serve("127.0.0.1:8080", "PREFER_ADDR", strings.NewReplacer(" --open", "", " --lan", "").Replace(typed))
			} else {
				out, last = r.shell(typed, last)
			}
			ran++
			if !like(printed, out) {
				r.t.Errorf("%s prints\n%s\nand %s says\n%s", typed, out, r.name, printed)
			}
		}
	}
	return ran
}

// shell runs a command after one that ended with an exit code, and returns what it prints and its own exit code. A failure shows in what is printed.
func (r *reader) shell(typed string, last int) (string, int) {
	r.t.Helper()
	if r.is != "" {
		typed = strings.ReplaceAll(typed, r.says, r.is)
	}
	command := exec.CommandContext(r.t.Context(), "sh", "-c", fmt.Sprintf("(exit %d); %s", last, typed))
	command.Dir = r.folder
	out, _ := command.CombinedOutput()
	return string(out), command.ProcessState.ExitCode()
}

// serve starts a server on a port of its own in place of the one that runs, and returns the line it prints when it is ready. The document
// says that it is at an address; a variable gives it another.
func (r *reader) serve(says, variable, typed string) string {
	r.t.Helper()
	if r.stop != nil {
		r.stop()
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.t.Fatal(err)
	}
	r.says, r.is = says, free.Addr().String()
	free.Close()
	command := exec.CommandContext(r.t.Context(), "sh", "-c", "exec "+typed)
	command.Dir, command.Env = r.folder, append(os.Environ(), variable+"="+r.is)
	printed, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.stop = func() { _ = command.Process.Signal(os.Interrupt); _ = command.Wait(); r.stop = nil }
	r.t.Cleanup(func() {
		if r.stop != nil {
			r.stop()
		}
	})
	ready, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil {
		r.t.Fatalf("%s: %s: %v", r.name, typed, err)
	}
	return strings.ReplaceAll(ready, r.is, r.says)
}

// programs builds the two programs of docs/tutorials/go-service.md, holds what the first prints against the page, and starts the second.
func (r *reader) programs() {
	r.t.Helper()
	for _, name := range []string{"tea", "shop"} {
		build := exec.CommandContext(r.t.Context(), "go", "build", "-ldflags", "-s -w", "-o", filepath.Join(r.folder, name, name), filepath.Join(r.folder, name, "main.go"))
		build.Dir = top
		if out, err := build.CombinedOutput(); err != nil {
			r.t.Fatalf("%s: %v: %s", name, err, out)
		}
	}
	said := regexp.MustCompile("(?s)```text\n(.*?)```").FindStringSubmatch(r.text)[1]
	if out, _ := r.shell("./tea/tea", 0); !like(said, out) {
		r.t.Errorf("tea prints %q, and the page says %q", out, said)
	}
	r.serve("127.0.0.1:8090", "ADDR", "./shop/shop")
}

// analyse runs analyse.py where there is pandas. Anywhere it holds the columns that it reads against the tables that were exported.
func (r *reader) analyse() {
	r.t.Helper()
	if _, code := r.shell("python3 -c 'import pandas'", 0); code == 0 {
		if out, code := r.shell("python3 analyse.py", 0); code != 0 {
			r.t.Errorf("analyse.py ends with %d: %s", code, out)
		}
	}
	program, err := os.ReadFile(filepath.Join(r.folder, "analyse.py"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, table := range []string{"answers", "people"} {
		file, err := os.Open(filepath.Join(r.folder, table+".csv"))
		if err != nil {
			r.t.Fatal(err)
		}
		defer file.Close()
		rows, err := csv.NewReader(file).ReadAll()
		if err != nil || len(rows) < 13 {
			r.t.Fatalf("%s.csv has %d rows: %v", table, len(rows), err)
		}
		for line := range strings.Lines(string(program)) {
			code, _, _ := strings.Cut(line, "#")
			if !strings.Contains(code, table) || strings.Contains(code, "read_csv") {
				continue
			}
			for _, name := range regexp.MustCompile(`"([a-z_.]+)"[],]`).FindAllStringSubmatch(code, -1) {
				if !slices.Contains(rows[0], name[1]) {
					r.t.Errorf("analyse.py reads the column %q of %s.csv, which has %v", name[1], table, rows[0])
				}
			}
		}
	}
}

// labels holds the buttons and links that a tutorial names in bold against the texts of the page.
func (r *reader) labels() {
	r.t.Helper()
	words := ""
	for _, pattern := range []string{"internal/language/words/en.json", "internal/page/views/*.html"} {
		files, err := filepath.Glob(top + pattern)
		if err != nil || len(files) == 0 {
			r.t.Fatalf("no %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				r.t.Fatal(err)
			}
			words += string(text)
		}
	}
	for _, label := range regexp.MustCompile(`\*\*([^*]+)\*\*`).FindAllStringSubmatch(r.text, -1) {
		if !strings.Contains(words, label[1]) {
			r.t.Errorf("%s: the page has no %q", r.name, label[1])
		}
	}
}

// like compares a document with what was printed, whatever blank space ends a line.
func like(want, got string) bool {
	trim := func(s string) string {
		lines := strings.Split(s, "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		return strings.TrimSpace(strings.Join(lines, "\n"))
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(trim(want)), "…", ".*?")
	return regexp.MustCompile(`(?s)^` + pattern + `$`).MatchString(trim(got))
}
