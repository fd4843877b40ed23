package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// consoleBlock is an example of a document: lines that begin with "$ " are typed, what follows is printed.
var consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestDocument runs the examples of docs/guides/cli.md, one after the other in one folder.
func TestDocument(t *testing.T) { runDocument(t, "docs/guides/cli.md", 12) }

// TestExamples runs examples of every command that are too long for the guide.
func TestExamples(t *testing.T) { runDocument(t, "cmd/prefer/testdata/examples.md", 60) }

// TestJudgesDocument runs the three lines of docs/guides/judges.md in an empty folder.
func TestJudgesDocument(t *testing.T) { runDocument(t, "docs/guides/judges.md", 3) }

// runDocument runs the examples of a document. "…" in what they print stands for anything.
func runDocument(t *testing.T, name string, least int) {
	t.Helper()
	text, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	dir, shown, ran := t.TempDir(), string(text), 0
	for _, block := range consoleBlock.FindAllStringSubmatch(shown, -1) {
		last := "0" // the exit code of the command before, for echo $?
		for _, example := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			typed, printed, _ := strings.Cut(example, "\n")
			command := exec.Command("sh", "-c", "(exit "+last+"); "+typed)
			command.Dir = dir
			out, _ := command.CombinedOutput() // a failure shows in what is printed
			last = "0"
			if code := command.ProcessState.ExitCode(); code != 0 {
				last = string(rune('0' + code))
			}
			ran++
			if !like(printed, string(out)) {
				t.Errorf("%s prints\n%s\nand %s says\n%s", typed, out, name, printed)
			}
		}
	}
	if ran < least {
		t.Errorf("%s has %d examples, want %d", name, ran, least)
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
