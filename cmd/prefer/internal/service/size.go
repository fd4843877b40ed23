package service

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// size is a number of bytes that people write with a unit, as in 256MB.
type size int64

var (
	sizePattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?([kMG]i?B)$`)
	sizeUnits   = map[string]float64{"kB": 1e3, "MB": 1e6, "GB": 1e9, "kiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
)

// UnmarshalText reads a size.
func (s *size) UnmarshalText(text []byte) error {
	m := sizePattern.FindSubmatch(text)
	if m == nil {
		return fmt.Errorf("%q is not a size: write a number and kB, MB, GB, kiB, MiB or GiB, as in 256MB", text)
	}
	n, err := strconv.ParseFloat(string(m[1]), 64)
	bytes := math.Round(n * sizeUnits[string(m[2])])
	if err != nil || bytes >= math.MaxInt64 {
		return fmt.Errorf("%q is too large a size", text)
	}
	*s = size(bytes)
	return nil
}

// smallestMemory is what one study of some hundred answers needs to be quick.
const smallestMemory size = 16e6
