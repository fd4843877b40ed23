//go:build !js

package cooperate

// Yield is a no-op where a program has threads.
func Yield() {}

// YieldIfDue is a no-op where a program has threads.
func YieldIfDue() {}
