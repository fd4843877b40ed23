package cli

import "time"

// The longest time after Ctrl-C or SIGTERM for requests that have begun, and for everything. Acknowledged answers are in the store by then.
var (
	RequestGrace  = 5 * time.Second
	ShutdownGrace = 10 * time.Second
)
