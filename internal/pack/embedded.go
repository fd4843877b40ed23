//go:build !core && !js

package pack

// embedded is empty: only a release carries a core (scripts/release, -tags core).
var embedded Core
