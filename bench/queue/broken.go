package queue

import (
	"errors"
	"io"
	"net"
	"syscall"
)

// broken reports whether an error is that of a connection that ended under a statement.
func broken(err error) bool {
	var n net.Error
	for _, e := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, e) {
			return true
		}
	}
	return errors.As(err, &n)
}
