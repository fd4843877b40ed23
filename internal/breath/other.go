//go:build !js

package breath

// Rest does nothing where a program has threads.
func Rest() {}

// Take does nothing where a program has threads.
func Take() {}
