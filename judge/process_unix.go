//go:build unix

package judge

import (
	"os/exec"
	"syscall"
)

// shell runs a line in a process group of its own: Ctrl-C is for prefer, which lets the question at hand be finished.
func shell(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// kill ends the group, since a judge may have started others.
func kill(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may have ended by itself
}
