//go:build !unix

package pipe

import "os/exec"

// Command runs a line.
func Command(line string) *exec.Cmd { return exec.Command("cmd", "/C", line) }

// Kill ends it, and not what it has started.
func Kill(cmd *exec.Cmd) { cmd.Process.Kill() } //nolint:errcheck // it may have ended by itself
