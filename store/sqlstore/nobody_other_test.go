//go:build !unix

package sqlstore

import "syscall"

// nobody is not needed here: there is no user whom files refuse nothing.
func nobody() *syscall.SysProcAttr { return nil }
