package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// parent is a program that has a private server, prints its line, and never ends by itself.
func parent() {
	cmd := thisProgram(os.Args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		panic(err)
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	time.Sleep(time.Hour)
	in.Close() // held until then
}

// thisProgram is a command line of it.
func thisProgram(args ...string) *exec.Cmd {
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(program)
	cmd.Args = append([]string{"prefer"}, args...)
	return cmd
}

// readyLine is what a private server prints.
type readyLine struct {
	Address, Token, Study, Version string
	PID                            int
}

// startPrivate starts a private server in a folder for temporary files, and returns what it printed.
func startPrivate(t *testing.T, cmd *exec.Cmd, temporary string) (ready readyLine) {
	t.Helper()
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return ready
}

// get asks a private server for something.
func (r readyLine) get(t *testing.T, path string, token string) int {
	t.Helper()
	way, address := http.DefaultTransport, r.Address
	if socket, ok := strings.CutPrefix(r.Address, "unix://"); ok {
		way = &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}}
		address = "http://localhost"
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := (&http.Client{Transport: way}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// left are the private folders in a folder for temporary files.
func left(t *testing.T, temporary string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(temporary, "prefer-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// awaitThat waits for something, and says what did not come to be.
func awaitThat(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 1500 {
		if is() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("after 30 s it is not so that %s", what)
}

// TestPrivate: one line of JSON says where a private server is; nobody else may get in; it does not mind Ctrl-C, and when its standard input
// closes it ends, and with it all that was not in a file.
func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes of files, and no signals")
	}
	file := filepath.Join(t.TempDir(), "coffee.db")
	for name, c := range map[string]struct {
		args  []string
		study string
	}{
		"temporary": {},
		"a file":    {args: []string{file}, study: "coffee"},
		"a port":    {args: []string{"--addr", "127.0.0.1:0"}},
	} {
		t.Run(name, func(t *testing.T) {
			temporary := t.TempDir()
			cmd := thisProgram(append([]string{"serve", "--private"}, c.args...)...)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			ready := startPrivate(t, cmd, temporary)
			if ready.PID != cmd.Process.Pid || ready.Version == "" || ready.Study != c.study {
				t.Errorf("it says %+v, its process is %d", ready, cmd.Process.Pid)
			}
			folders := left(t, temporary)
			if len(folders) != 1 || mode(t, folders[0]) != fs.ModeDir|0o700 {
				t.Fatalf("folders %v, want one for nobody else", folders)
			}
			if socket, ok := strings.CutPrefix(ready.Address, "unix://"); ok && mode(t, socket) != fs.ModeSocket|0o600 {
				t.Errorf("the socket has the mode %v", mode(t, socket))
			}
			if name == "a port" {
				if got := ready.get(t, "/v1/studies", ""); got != 401 || ready.Token == "" {
					t.Errorf("without the token %q: %d, want 401", ready.Token, got)
				}
			} else if ready.Token != "" {
				t.Errorf("the token %q, want none with a socket", ready.Token)
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if got := ready.get(t, "/v1/studies", ready.Token); got != 200 {
					t.Errorf("studies: %d", got)
				}
			}
			if _, err := io.WriteString(in, "anything\n"); err != nil {
				t.Errorf("it does not read what nobody has to say: %v", err)
			}
			if err := in.Close(); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ended with %v", err)
			}
			if folders := left(t, temporary); len(folders) > 0 {
				t.Errorf("%v is left behind", folders)
			}
		})
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the file that was named: %v", err)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// TestPrivateOrphan: a program that is killed takes its private server with it.
func TestPrivateOrphan(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGKILL")
	}
	temporary := t.TempDir()
	cmd := thisProgram()
	cmd.Args = []string{"parent", "serve", "--private"}
	ready := startPrivate(t, cmd, temporary)
	if got := ready.get(t, "/livez", ""); got != 200 {
		t.Fatalf("livez: %d", got)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	awaitThat(t, fmt.Sprintf("process %d has ended", ready.PID), func() bool { return gone(ready.PID) })
	awaitThat(t, "its folder is gone", func() bool { return len(left(t, temporary)) == 0 })
}

// gone reports whether a process has ended, though nobody may have asked what became of it.
func gone(pid int) bool {
	if p, err := os.FindProcess(pid); err != nil || p.Signal(syscall.Signal(0)) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// TestPrivateLongPath: where the folder for temporary files has too long a name for a socket it is elsewhere.
func TestPrivateLongPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has ports in place of sockets here")
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 120))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := thisProgram("serve", "--private")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	ready := startPrivate(t, cmd, long)
	if got := ready.get(t, "/livez", ""); got != 200 || !strings.HasPrefix(ready.Address, "unix:///tmp/prefer-") {
		t.Errorf("livez at %s: %d", ready.Address, got)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(strings.TrimPrefix(ready.Address, "unix://"))); err == nil {
		t.Errorf("%s is left behind", ready.Address)
	}
}
