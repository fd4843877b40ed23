package pipe

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// passes bounds how often killMarked looks again for what was started while it looked.
const passes = 10

// killMarked ends every process whose environment has the variable, NAME=VALUE. Processes of other users cannot be read, and are not the line's.
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
