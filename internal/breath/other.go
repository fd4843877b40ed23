//go:build !js

package breath

// Take does nothing where a program has threads.
func Take() {}
