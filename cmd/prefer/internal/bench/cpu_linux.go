package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// ThreadTime returns the processor time of the calling thread. Cells are run on a thread of their own,
// and a study with one worker does all its work on its caller's.
func ThreadTime() time.Duration {
	var t unix.Timespec // getrusage knows the same, but only as of the last tick of the scheduler
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
