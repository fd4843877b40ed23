//go:build !unix

package terminal

import "os"

// Where there are no such signals a window is drawn for its new size with the next key, and Ctrl-Z does nothing.

func notifyResize(chan<- os.Signal) {}

func stopSelf() error { return nil }
