//go:build unix

package sqlstore

import "syscall"

// nobody is who a process of root becomes to be refused something.
func nobody() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}
