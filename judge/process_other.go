//go:build !unix

package judge

import "os/exec"

func shell(line string) *exec.Cmd { return exec.Command("cmd", "/C", line) }

func kill(cmd *exec.Cmd) { cmd.Process.Kill() } //nolint:errcheck // it may have ended by itself
