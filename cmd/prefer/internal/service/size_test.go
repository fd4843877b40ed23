package service

import (
	"testing"
)

// TestSize: sizes are read with their unit, and what is none is refused.
func TestSize(t *testing.T) {
	for text, want := range map[string]size{"256MB": 256e6, "1GiB": 1 << 30, "1.5 GB": 1.5e9, "64kB": 64e3, "10kiB": 10240, "2MiB": 2 << 20, "3GB": 3e9, "0MB": 0} {
		var got size
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q is read as %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "256", "MB", "-1MB", "1e3MB", "256 mb", "1TB", "99999999999999GB", "256MB "} {
		var got size
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}
