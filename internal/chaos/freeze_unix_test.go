//go:build unix

package chaos

import "syscall"

// freeze stops a server where it is, with its connections open; thaw has it go on.
func (f *fleet) freeze(i int) error { return f.members[i].process.Process.Signal(syscall.SIGSTOP) }
func (f *fleet) thaw(i int) error   { return f.members[i].process.Process.Signal(syscall.SIGCONT) }
