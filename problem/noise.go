package problem

import (
	"fmt"
	"strconv"
)

// Noise returns the error rate a level of noise stands for, as NewRater and Calibrate take it: "low"
// is 0.1 and "high" 0.3, the paper's two settings; "none" and "0" are a rater without mistakes; any
// other number between 0 and 0.5 is itself.
func Noise(level string) (errorRate float64, err error) {
	switch level {
	case "none", "0":
		return 0, nil
	case "low":
		return 0.1, nil
	case "high":
		return 0.3, nil
	}
	rate, err := strconv.ParseFloat(level, 64)
	if err != nil || checkRate(rate) != nil {
		return 0, fmt.Errorf("problem: noise %q, want none, low, high or an error rate between 0 and 0.5", level)
	}
	return rate, nil
}
