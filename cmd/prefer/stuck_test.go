package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/service"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// stuck is a program in which something never ends, and looks at no context: with "serve FILE" a search of a server, else all there is. It has
// a tenth of a second of what prefer has seconds of.
func stuck() {
	cli.RequestGrace, cli.ShutdownGrace = 300*time.Millisecond, 2*time.Second
	ctx, stop := untilSignal(context.Background())
	if len(os.Args) < 3 {
		fmt.Println("ready")
		select {} // as a command would that does not look at its context
	}
	err := stuckServer(ctx, os.Args[2])
	stop()
	fmt.Fprintln(os.Stderr, "ended:", err)
}

func stuckServer(ctx context.Context, path string) error {
	endless := func(context.Context, acquisition.Task) (acquisition.Choice, error) {
		fmt.Println("searching")
		select {}
	}
	st, err := sqlstore.Open(ctx, path, sqlstore.Options{Choosers: map[string]acquisition.Method{"endless": endless}})
	if err != nil {
		return err
	}
	cfg := prefer.Config{Space: space.Box(space.Float("milk", 0, 1)), Method: "endless", Chooser: endless, Initial: 1}
	if _, err := st.Create(ctx, "coffee", cfg); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	srv, err := server.New(server.Config{Store: st, Logger: log})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	return errors.Join(service.RunServer(ctx, srv, listener, log), st.Close())
}

// startStuck runs the program and returns its lines.
func startStuck(t *testing.T, args ...string) (*exec.Cmd, *bufio.Reader, *bytes.Buffer) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program)
	c.Args = append([]string{"stuck"}, args...)
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return c, bufio.NewReader(out), &said
}

// TestStuckServer: SIGTERM ends a server with a search that never ends, and the log says so; what was acknowledged is kept.
func TestStuckServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coffee.db")
	c, out, said := startStuck(t, "serve", path)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(line)
	post := func(path, body string, out any) {
		t.Helper()
		resp, err := http.Post(address+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if err := json.NewDecoder(resp.Body).Decode(out); err != nil || resp.StatusCode != 200 {
			t.Fatalf("%s: %d, %v", path, resp.StatusCode, err)
		}
	}
	var q struct {
		ID string `json:"question_id"`
	}
	var a struct {
		ID string `json:"answer_id"`
	}
	post("/v1/studies/coffee/ask", `{}`, &q) // the first question takes no search
	post("/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k"}`, q.ID), &a)
	asked := make(chan struct{})
	go func() { // nobody will answer it
		defer close(asked)
		if resp, err := http.Post(address+"/v1/studies/coffee/ask", "application/json", strings.NewReader(`{"budget_ms":60000}`)); err == nil {
			resp.Body.Close()
		}
	}()
	defer func() { <-asked }()
	for {
		if line, err = out.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if line == "searching\n" {
			break
		}
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()                                                                                        // what it says is looked at
	if !strings.Contains(said.String(), "ahead coffee") || !strings.Contains(said.String(), "ended:") { // chosen ahead while somebody looks
		t.Errorf("the server said\n%s", said)
	}
	st, err := sqlstore.Open(t.Context(), path, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if kept, err := st.Events(t.Context(), "coffee"); err != nil || len(kept) != 3 || kept[2].Answered == nil || string(kept[2].Answered.ID) != a.ID {
		t.Errorf("the log has %d events (%v), want the study, its question and the answer", len(kept), err)
	}
}

// TestStuckCommand: a command that looks at no context ends by itself after a signal, with the code of that.
func TestStuckCommand(t *testing.T) {
	c, out, said := startStuck(t)
	if line, err := out.ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatal(line, err)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != 128+int(syscall.SIGTERM) || !strings.Contains(said.String(), "given up") {
		t.Errorf("it ended with %d and said %q", code, said)
	}
}
