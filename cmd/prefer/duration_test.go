package main

import (
	"testing"
	"time"
)

func TestSpoken(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                       "0.0 s",
		340 * time.Millisecond:  "0.3 s",
		9940 * time.Millisecond: "9.9 s",
		9960 * time.Millisecond: "10 s",
		89 * time.Second:        "89 s",
		90 * time.Second:        "1.5 min",
		40 * time.Minute:        "40 min",
		90 * time.Minute:        "1.5 h",
		30 * time.Hour:          "30 h",
		60 * time.Hour:          "2.5 d",
	} {
		if got := formatDuration(d); got != want {
			t.Errorf("formatDuration(%v) = %q, want %q", d, got, want)
		}
	}
}
