package cli

import (
	"time"
)

// How long the end takes at most after Ctrl-C or SIGTERM: requests that have begun, and everything. What was acknowledged is in the store,
// so the rest may be left behind.
var (
	RequestGrace  = 5 * time.Second
	ShutdownGrace = 10 * time.Second
)
