package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes "prefer" a command of the scripts: this test binary under another name; and "stuck" and "parent", which never end by themselves.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"prefer": main, "stuck": stuck, "parent": parent})
}

// TestScripts runs the command lines in testdata, one file for each command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("POSTGRES", os.Getenv("PREFER_TEST_POSTGRES"))
			e.Setenv("STUDY", fmt.Sprintf("cli-%d-%d", os.Getpid(), time.Now().UnixNano())) // new in a database that may last
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "postgres" {
				return os.Getenv("PREFER_TEST_POSTGRES") != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"figure": figureCommand, "lines": linesCommand, "rows": rowsCommand, "tear": tearCommand, "exitcode": exitcodeCommand,
			"json": jsonCommand, "rate": rateCommand, "things": thingsCommand, "http": httpCommand, "database": databaseCommand, "busy": busyCommand,
			"example": exampleCommand,
		},
	})
}

// figureCommand is "figure NAME…": NAME.svg is a drawing.
func figureCommand(ts *testscript.TestScript, _ bool, names []string) {
	for _, name := range names {
		svg := ts.ReadFile(name + ".svg")
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			_, err := d.Token()
			if err == io.EOF {
				break
			}
			ts.Check(err)
		}
		if !strings.Contains(svg, "<svg") || !strings.Contains(svg, "<path") {
			ts.Fatalf("%s.svg has nothing drawn in it", name)
		}
	}
}

// linesCommand is "lines FILE N": the file has so many.
func linesCommand(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if got := strings.Count(text, "\n"); args[1] != strconv.Itoa(got) {
		ts.Fatalf("%s has %d lines, want %s", args[0], got, args[1])
	}
}

// rowsCommand is "rows FILE": waits until the file has some.
func rowsCommand(ts *testscript.TestScript, _ bool, args []string) {
	for range 1000 {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && strings.Count(string(data), "\n") > 3 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("%s has no rows after 20 s", args[0])
}

// tearCommand is "tear FILE": the end of its last line is lost, as when a process is killed.
func tearCommand(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	ts.Check(os.Truncate(ts.MkAbs(args[0]), int64(len(text)-5)))
}

// exampleCommand is "example NAME…": writes the programs of that name from docs/guides/extend.md.
func exampleCommand(ts *testscript.TestScript, _ bool, names []string) {
	text, err := os.ReadFile("../../docs/guides/extend.md")
	ts.Check(err)
	for _, name := range names {
		_, rest, found := strings.Cut(string(text), "```python "+name+"\n")
		program, _, closed := strings.Cut(rest, "```")
		if !found || !closed {
			ts.Fatalf("docs/guides/extend.md has no %s", name)
		}
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(program), 0o644))
	}
}

// exitcodeCommand is "exitcode N ARGS…": prefer with those arguments ends with that code. What it says is
// there for the script to look at.
func exitcodeCommand(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec("prefer", args[1:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("prefer %s: %v, want exit code %s", strings.Join(args[1:], " "), err, args[0])
	}
}
