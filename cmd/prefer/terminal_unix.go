//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResize tells of a window that has another size.
func notifyResize(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }

// stopSelf stops the whole process group, as Ctrl-Z in a shell does, until somebody continues it. The signal is
// taken in before kill returns if no other thread is to have it, so what follows waits for SIGCONT.
func stopSelf() error {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	<-continued
	return nil
}
