//go:build js

package cooperate

import (
	"syscall/js"
	"time"
)

// slice is how long a computation runs before it yields: half of a frame at 60 frames a second.
const slice = 8 * time.Millisecond

// These variables need no lock, because there is one thread. A message that a program sends to itself arrives after all that are queued already and, unlike a
// timer, without a delay.
var (
	last    = time.Now()
	waiting []chan struct{}
	port    = channel()
)

func channel() js.Value {
	c := js.Global().Get("MessageChannel").New()
	c.Get("port2").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		close(waiting[0])
		waiting = waiting[1:]
		return nil
	}))
	return c.Get("port1")
}

// YieldIfDue yields if the last time was at least a slice ago.
func YieldIfDue() {
	if time.Since(last) >= slice {
		Yield()
	}
}

// Yield lets everything that is queued run first. Background work calls it before it starts, so that replies are sent before.
func Yield() {
	back := make(chan struct{})
	waiting = append(waiting, back)
	port.Call("postMessage", js.Null())
	<-back
	last = time.Now()
}
