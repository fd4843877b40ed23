package main

import (
	"strconv"
	"time"
)

// formatDuration writes a duration as people say an estimate: "40 s", "3.5 min", "12 h".
func formatDuration(d time.Duration) string {
	v, unit := d.Seconds(), " s"
	switch {
	case v >= 36*3600:
		v, unit = v/(24*3600), " d"
	case v >= 90*60:
		v, unit = v/3600, " h"
	case v >= 90:
		v, unit = v/60, " min"
	}
	places := 0
	if v < 9.95 {
		places = 1
	}
	return strconv.FormatFloat(v, 'f', places, 64) + unit
}
