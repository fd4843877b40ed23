package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
		files map[string]string // what its reader has: "name: text"
	}{
		{"README.md", 3, map[string]string{"prompts.csv": "id,text\np1,Answer step by step.\np2,Answer.\np3,Answer in two or three sentences.\n", "judge": judge,
			"renders/a.txt": "one", "renders/b.txt": "two", "renders/c.txt": "three"}},
		{"docs/guides/cli.md", 12, nil},
		{"cmd/prefer/testdata/examples.md", 60, nil}, // of every command, too long for the guide
		{"docs/guides/judges.md", 3, nil},
	} {
		t.Run(filepath.Base(d.name), func(t *testing.T) {
			reader := &reader{t: t, name: d.name, folder: t.TempDir()}
			for name, text := range d.files {
				reader.save(name, text)
			}
			if ran := reader.run(); ran < d.least {
				t.Errorf("%s has %d examples, want %d", d.name, ran, d.least)
			}
		})
	}
}

// reader follows a document in a folder.
type reader struct {
	t            *testing.T
	name, folder string
	address      string // of the server that the document has started, "" before
	stop         func()
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

// run saves the files of the document and runs its examples in order, and returns how many. "…" in what they print stands for anything.
func (r *reader) run() (ran int) {
	r.t.Helper()
	text, err := os.ReadFile(top + r.name)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, file := range namedBlock.FindAllStringSubmatch(string(text), -1) {
		r.save(file[1], file[2])
	}
	for _, block := range consoleBlock.FindAllStringSubmatch(string(text), -1) {
		last := 0 // the exit code of the command before, for echo $?
		for _, example := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			typed, printed, _ := strings.Cut(example, "\n")
			for strings.HasSuffix(typed, "\\") { // goes on in the next line
				more, rest, _ := strings.Cut(printed, "\n")
				typed, printed = typed+"\n"+more, rest
			}
			var out string
			if strings.HasPrefix(typed, "prefer serve ") {
				out = r.serve(typed)
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
	if r.address != "" {
		typed = strings.ReplaceAll(typed, "127.0.0.1:8080", r.address)
	}
	command := exec.CommandContext(r.t.Context(), "sh", "-c", fmt.Sprintf("(exit %d); %s", last, typed))
	command.Dir = r.folder
	out, _ := command.CombinedOutput()
	return string(out), command.ProcessState.ExitCode()
}

// serve starts a server on a port of its own, without opening a browser, in place of the one that runs. It returns the address it prints.
func (r *reader) serve(typed string) string {
	r.t.Helper()
	if r.stop != nil {
		r.stop()
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.t.Fatal(err)
	}
	r.address = free.Addr().String()
	free.Close()
	command := exec.CommandContext(r.t.Context(), "sh", "-c", "exec "+strings.NewReplacer(" --open", "", " --lan", "").Replace(typed))
	command.Dir, command.Env = r.folder, append(os.Environ(), "PREFER_ADDR="+r.address)
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
	ready, err := bufio.NewReader(printed).ReadString('\n') // its address, when it listens
	if err != nil {
		r.t.Fatalf("%s: %s: %v", r.name, typed, err)
	}
	return strings.ReplaceAll(ready, r.address, "127.0.0.1:8080")
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
