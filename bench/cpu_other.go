//go:build !linux

package bench

import "time"

// threadTime has no portable form; cpu_s is 0 elsewhere than on Linux.
func threadTime() time.Duration { return 0 }
