//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// notifyResize tells of a window that has another size.
func notifyResize(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }

// stopSelf stops the process group until the shell continues it. The kernel does not stop a group without a shell, so the wait for SIGCONT has an end.
func stopSelf() error {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-continued:
	case <-time.After(100 * time.Millisecond):
	}
	return nil
}
