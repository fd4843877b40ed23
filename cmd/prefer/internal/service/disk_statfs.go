//go:build linux || darwin || freebsd

package service

import (
	"fmt"
	"syscall"
)

// freeSpace returns the bytes a process without root's rights may still write in a folder.
func freeSpace(folder string) (free uint64, known bool, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, false, fmt.Errorf("room in %s: %w", folder, err)
	}
	return uint64(max(0, s.Bavail)) * uint64(s.Bsize), true, nil
}
