//go:build linux

package pipe

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is the test, or with PREFER_SHELL_LINE set a program that runs that line and waits.
func TestMain(m *testing.M) {
	line := os.Getenv("PREFER_SHELL_LINE")
	if line == "" {
		os.Exit(m.Run())
	}
	cmd := Command(line)
	cmd.Stdout = os.Stdout
	fmt.Fprintln(os.Stderr, cmd.Run())
}

// ends reports whether processes end, each of them within a minute. A zombie has ended.
func ends(pids []string) bool {
	for range 6000 {
		alive := false
		for _, pid := range pids {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			alive = alive || err == nil && !strings.Contains(string(stat), ") Z ")
		}
		if !alive {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// read reads n lines, each the number of a process.
func read(t *testing.T, in *bufio.Scanner, n int) (pids []string) {
	t.Helper()
	for len(pids) < n && in.Scan() {
		if _, err := strconv.Atoi(in.Text()); err != nil {
			t.Fatal(err)
		}
		pids = append(pids, in.Text())
	}
	if len(pids) < n {
		t.Fatalf("%d processes, want %d", len(pids), n)
	}
	return pids
}

// TestKill: what a line has started ends with it, in its group, in a session of its own, and started by one there.
func TestKill(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skipf("SKIPPED: no setsid here (%v), so nobody has seen that what a command starts in a session of its own ends with it", err)
	}
	cmd := Command(`sleep 987 & echo $!; setsid sh -c 'echo $$; sleep 987 & echo $!; wait' & echo $$; wait`)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	pids := read(t, bufio.NewScanner(out), 4)
	Kill(cmd)
	if err := cmd.Wait(); err == nil {
		t.Error("it ended well")
	}
	if !ends(pids) {
		t.Errorf("of %q some go on", pids)
	}
}

// TestKilled: what is in the group of a line ends when the process that runs it is killed.
func TestKilled(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PREFER_SHELL_LINE=sleep 987 & echo $!; echo $$; sleep 987; true")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	pids := read(t, bufio.NewScanner(out), 2)
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("it ended well")
	}
	if !ends(pids) {
		t.Errorf("of %q some go on", pids)
	}
}

// TestExit: a line has the exit code, the input and the output of its own.
func TestExit(t *testing.T) {
	for line, want := range map[string]string{"exit 7": "exit status 7", "no-such-program-anywhere": "exit status 127", "read -r x; test \"$x\" = hello": "<nil>", "kill -9 $$": "signal: killed", "test -e /proc/self/fd/3": "exit status 1"} {
		cmd := Command(line)
		cmd.Stdin = strings.NewReader("hello\n")
		err := cmd.Run()
		Kill(cmd)
		if fmt.Sprint(err) != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
