//go:build unix

package play

import (
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/creack/pty"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"golang.org/x/term"
)

// A panic beside the loop is raised in it, after the terminal was given back.
func TestTerminalIsGivenBackInPanic(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer tty.Close()
	go io.Copy(io.Discard, master) //nolint:errcheck // ends with the terminal
	before := mode(t, tty)
	screen, err := terminal.Open(tty, tty)
	if err != nil {
		t.Fatal(err)
	}
	if mode(t, tty) == before {
		t.Error("the terminal was not taken over")
	}
	defer func() {
		if r := recover(); r == nil || mode(t, tty) != before {
			t.Errorf("recovered %v, the terminal is %v, was %v", r, mode(t, tty), before)
		}
	}()
	err = (&player{screen: screen, gallery: &gallery{}, session: &Session{}}).runAndClose(t.Context()) // without a study
	t.Errorf("no panic, but %v", err)
}

// mode is the state of a terminal, raw or not.
func mode(t *testing.T, tty *os.File) string {
	t.Helper()
	st, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(*st)
}
