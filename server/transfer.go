package server

import (
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/prefer-bo/prefer/server/problem"
)

// transfer is the body of a request. Whoever reads one that breaks off is stopped by a panic with what went wrong, which guard makes a 400 of:
// whatever reads bodies would make a 500 of it, as if the server were to blame. Waiting too long is not breaking off.
type transfer struct{ io.ReadCloser }

// broken is why a transfer broke off: a chunk that is none, an end before the promised length, a client that is gone.
type broken struct{ error }

func (t transfer) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	var late net.Error
	if err == nil || err == io.EOF || errors.As(err, &late) && late.Timeout() {
		return n, err
	}
	panic(broken{err})
}

// refuse answers whoever sent it, if she is still there.
func (b broken) refuse(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	problem.Write(w, problem.New(http.StatusBadRequest, "transfer", "the body broke off, and nothing was done: "+b.Error()))
}
