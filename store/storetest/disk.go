package storetest

import (
	"os/exec"
	"testing"
)

// Disk returns a folder on a disk of its own, of 600 kB, which is soon full. Where none can be mounted the test is skipped.
func Disk(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no disk of its own can be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return dir
}
