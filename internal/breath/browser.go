//go:build js

package breath

import (
	"syscall/js"
	"time"
)

// slice is how long arithmetic goes on without a breath: half of a frame at 60 a second.
const slice = 8 * time.Millisecond

// What follows belongs to the one thread there is. A message to oneself comes back behind those that wait already, and, unlike a timer, at once.
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

// Take lets everything else have its turn if it has been a while since the last time.
func Take() {
	if time.Since(last) >= slice {
		Rest()
	}
}

// Rest lets everything else have its turn: what begins and nobody waits for begins so, or it would be in the way of replies that are on their way.
func Rest() {
	back := make(chan struct{})
	waiting = append(waiting, back)
	port.Call("postMessage", js.Null())
	<-back
	last = time.Now()
}
