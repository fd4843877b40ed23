package trial

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
)

// Distinct returns the values that rows have, in the order in which they first appear.
func Distinct[R any, T comparable](rows []R, of func(R) T) (out []T) {
	for _, r := range rows {
		if v := of(r); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// Baseline returns the series that others are compared with: the one given, or the first. It is an error if there is no such series.
func Baseline(bench, given string, series []string) (string, error) {
	if given == "" && len(series) > 0 {
		given = series[0]
	}
	if !slices.Contains(series, given) {
		return given, fmt.Errorf("%s: baseline %q, want one of %q", bench, given, series)
	}
	return given, nil
}

// Mean returns the mean of values with its interval. It sorts them: the order in which studies ended shall not show in the last digits.
func Mean(draws *compare.Draws, values []float64) compare.Interval {
	slices.Sort(values)
	return draws.Mean(values)
}

// Share is 1 for yes and 0 for no.
func Share(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Default returns a list of a plan, or what stands for an empty one.
func Default[T any](list []T, to ...T) []T {
	if len(list) == 0 {
		return to
	}
	return list
}

// CheckNames reports a name of a plan that is not known.
func CheckNames(field string, names, known []string) error {
	for _, n := range names {
		if !slices.Contains(known, n) {
			return fmt.Errorf("%s has %q, want some of %s", field, n, strings.Join(known, ", "))
		}
	}
	return nil
}

// CheckMarks reports numbers of answers of a plan that do not increase.
func CheckMarks(field string, marks []int) error {
	for i, m := range marks {
		if m < 1 || i > 0 && m <= marks[i-1] {
			return fmt.Errorf("%s = %v, want increasing numbers of answers", field, marks)
		}
	}
	return nil
}
