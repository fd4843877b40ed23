//go:build unix

package shell

import (
	"os/exec"
	"syscall"
)

// Command runs a line in a process group of its own: Ctrl-C is for prefer, which lets the question at hand be finished.
func Command(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// Kill ends the group, since a program may have started others.
func Kill(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may have ended by itself
}
