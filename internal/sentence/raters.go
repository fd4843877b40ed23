package sentence

import (
	"fmt"
	"slices"
)

// Range writes a range of things: "3 to 7 answers", "1 answer".
func Range(r [2]int, thing string) string {
	if r[0] == r[1] {
		return Count(r[1], thing)
	}
	return fmt.Sprintf("%d to %s", r[0], Count(r[1], thing))
}

// Raters lists raters.
func Raters(names []string) string {
	names = slices.Clone(names)
	for i, name := range names {
		if name == "" {
			names[i] = "somebody without a name"
		}
	}
	return List(names)
}

// Verb returns the form of a verb for as many names.
func Verb(names []string, one, many string) string {
	if len(names) == 1 {
		return one
	}
	return many
}
