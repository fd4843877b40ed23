//go:build unix

package pipe

import (
	"bytes"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
)

// script runs the line $1. A watcher beside it, in the same process group, waits for the end of a pipe that prefer holds open, which comes when prefer ends
// in whatever way, and then kills the group. It is detached from its parent and has none of the line's files. The mark $2 is in the environment of all that
// the line starts.
const script = `( ( read -r x <&3; kill -KILL 0 ) </dev/null >/dev/null 2>&1 & )
export ` + mark + `="$2"
exec 3<&-
exec sh -c "$1"`

const mark = "PREFER_PROCESS" // the variable by which Kill finds what has left the group

// held returns the end of a pipe to be read whose other end stays open as long as this process lives.
var held = sync.OnceValues(func() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	// A file to which nothing refers is closed: the other end has a descriptor of its own.
	fd, err := syscall.Dup(int(w.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	return r, w.Close()
})

// Command runs a line in a process group of its own: Ctrl-C is for prefer, which lets the question at hand be finished.
func Command(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", script, "sh", line, rand.Text())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := held()
	if err != nil {
		cmd.Err = err
	}
	cmd.ExtraFiles = []*os.File{pipe}
	return cmd
}

// Kill ends the group, since a program may have started others, and on Linux what has left the group by setsid. Elsewhere that goes on, as does what has
// cleared its environment.
func Kill(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may have ended by itself
	killMarked(mark + "=" + cmd.Args[len(cmd.Args)-1])
}

// passes bounds how often killMarked looks again for what was started while it looked.
const passes = 10

// killMarked ends every process whose environment has the variable, NAME=VALUE, where /proc lists them: on Linux. Processes of other users cannot be read, and
// are not the line's.
func killMarked(variable string) {
	want := append([]byte(variable), 0)
	for range passes {
		files, err := filepath.Glob("/proc/[0-9]*/environ")
		found := false
		for _, file := range files {
			env, e := os.ReadFile(file)
			if e != nil || !bytes.HasPrefix(env, want) && !bytes.Contains(env, append([]byte{0}, want...)) {
				continue // it has ended, or was not started by the line
			}
			if pid, e := strconv.Atoi(filepath.Base(filepath.Dir(file))); e == nil {
				found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
			}
		}
		if err != nil || !found {
			return
		}
	}
}
