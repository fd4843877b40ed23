package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
)

// On a terminal forgetting asks first, and headings are bold unless NO_COLOR says no.
func TestTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "survey.db")
	for _, args := range [][]string{
		{"init", file, "--param", "sugar=0..5"},
		{"tell", file, "--rater", "ann", "--winner", "sugar=1", "--loser", "sugar=4"},
	} {
		var out, errs bytes.Buffer
		if code := run(args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != 0 {
			t.Fatalf("%q: %s", args, errs.String())
		}
	}
	for _, c := range []struct {
		args       []string
		env, typed string
		want       string
		code       int
	}{
		{[]string{"ask", file}, "NO_COLOR=", "", "\x1b[1mfirst\x1b[0m", 0},
		{[]string{"ask", file}, "NO_COLOR=1", "", "\r\nfirst\r\n", 0},
		{[]string{"forget", file, "ann"}, "NO_COLOR=", "no\n", "prefer: nothing was erased", 1},
		{[]string{"forget", file, "ann"}, "NO_COLOR=", "yes\n", "erased 1 record", 0},
	} {
		command := exec.Command("prefer", c.args...)
		command.Env = append(os.Environ(), "TERM=xterm", c.env)
		terminal, err := pty.Start(command)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(terminal, c.typed); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		_, _ = io.Copy(&out, terminal) // ends in an error when the other end closes
		_ = command.Wait()             // its exit code is looked at below
		if err := terminal.Close(); err != nil {
			t.Fatal(err)
		}
		if code := command.ProcessState.ExitCode(); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("%q with %s: exit code %d and %q, want %d and %q", c.args, c.env, code, out.String(), c.code, c.want)
		}
	}
}
