//go:build unix

package sqlstore

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// TestProcessFrozen: a process that is frozen in the middle of a transaction, with the row of a study in its hands, keeps
// others waiting for less than their patience. When it goes on it finds its transaction gone, and repeats it.
func TestProcessFrozen(t *testing.T) {
	const patience = 4 * time.Second // of both: the server puts the frozen one out after half of it
	address := database(t)
	s := open(t, address, Options{Patience: patience})
	q := ask(t, create(t, s, "coffee"), "ann")
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "PREFER_STORE_CHILD=hold:"+address, fmt.Sprint("PREFER_STORE_PATIENCE=", patience))
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Wait() }()
	defer func() { _ = c.Process.Kill() }()
	says := bufio.NewScanner(out)
	hear := func(want string) {
		t.Helper()
		if !says.Scan() || says.Text() != want {
			t.Fatalf("the process says %q, want %q", says.Text(), want)
		}
	}
	hear("holding 1")
	if err := c.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := observe(t, s, q, "meanwhile"); err != nil {
		t.Error(err)
	}
	if err := c.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "go on\n"); err != nil {
		t.Fatal(err)
	}
	hear("holding 2")
	hear("done: <nil>")
	if n := keys(t, s)["meanwhile"]; n != 1 {
		t.Errorf("the answer is there %d times", n)
	}
}

// hold takes the row of a study, says so, and keeps it until it is told to go on. It runs in a process of its own.
func hold(address string) error {
	patience, err := time.ParseDuration(os.Getenv("PREFER_STORE_PATIENCE"))
	if err != nil {
		return err
	}
	s, err := Open(ctx, address, Options{Patience: patience})
	if err != nil {
		return err
	}
	try := 0
	err = s.write(ctx, func(c *session, _ bool) {
		if c.exec("UPDATE prefer_studies SET last = last WHERE name = 'coffee'"); c.err != nil {
			return
		}
		try++
		fmt.Println("holding", try)
		if try == 1 {
			_, err := fmt.Scanln(new(string), new(string))
			c.fail(err)
		}
	})
	fmt.Println("done:", err)
	return nil
}
