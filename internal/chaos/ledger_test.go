package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"syscall"
	"testing"
	"time"
)

func TestPercentiles(t *testing.T) {
	var waits []wait
	for i := range 1000 {
		waits = append(waits, wait{what: "ask", took: time.Duration(i*7919%1000) * time.Millisecond}) // 0 to 999, in disorder
	}
	waits = append(waits, wait{what: "tell", took: time.Hour})
	got, n := percentiles(waits, "ask", 0, 0.5, 0.99, 1)
	if want := []time.Duration{0, 500 * time.Millisecond, 990 * time.Millisecond, 999 * time.Millisecond}; n != 1000 || !slices.Equal(got, want) {
		t.Errorf("%v of %d, want %v", got, n, want)
	}
	if got, n := percentiles(waits, "undo", 0.5); n != 0 || got != nil {
		t.Errorf("%v of %d that never were", got, n)
	}
}

// TestDisturbed: a wait belongs to a fault if any of it fell into it, or into the second after it.
func TestDisturbed(t *testing.T) {
	zero := time.Unix(0, 0)
	at := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	l := newLedger()
	l.fault(fault{"server killed", at(10), at(12)})
	for _, c := range []struct {
		from, to float64
		want     bool
	}{{0, 9, false}, {9, 10.5, true}, {0, 20, true}, {11, 11.5, true}, {12.9, 14, true}, {13.1, 14, false}} {
		if got := l.disturbed(wait{from: at(c.from), took: at(c.to).Sub(at(c.from))}); got != c.want {
			t.Errorf("from %v to %v: %t, want %t", c.from, c.to, got, c.want)
		}
	}
}

func TestReason(t *testing.T) {
	for want, err := range map[string]error{
		"connection refused": &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "connection lost": fmt.Errorf("Post: %w", io.EOF),
		"no reply in time": &net.DNSError{IsTimeout: true}, "strange": errors.New("strange"),
	} {
		if got := reason(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
	for want, reply := range map[string]string{"503 busy": `{"type":"urn:prefer:busy"}`, "503 without a problem": "<html>"} {
		if got := kind([]byte(reply)); got != want {
			t.Errorf("%s is %q, want %q", reply, got, want)
		}
	}
}
