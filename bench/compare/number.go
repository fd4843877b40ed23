package compare

import (
	"math"
	"strconv"
	"strings"
)

// dash stands where there is nothing.
const dash = "–"

// number writes v with so many significant digits: 0.0123, 12.3, 1234, 1.2e−5; a dash for NaN.
func number(v float64, digits int) string {
	if math.IsNaN(v) {
		return dash
	}
	short := strconv.FormatFloat(v, 'e', digits-1, 64) // rounds first, so that 9.99 is 10 and not 10.0
	mantissa, exponent, ok := strings.Cut(short, "e")
	e, err := strconv.Atoi(exponent)
	switch {
	case !ok || err != nil: // ±Inf
		return strings.Replace(short, "-", "−", 1)
	case v == 0:
		return "0"
	case e < -3 || e > 5:
		short = mantissa + "e" + strconv.Itoa(e)
	default:
		short = strconv.FormatFloat(v, 'f', max(0, digits-1-e), 64)
	}
	return strings.ReplaceAll(short, "-", "−")
}

// percent writes a share as "12.5 %" or "10 %"; a dash for NaN.
func percent(share float64) string {
	if math.IsNaN(share) {
		return dash
	}
	return strings.ReplaceAll(strconv.FormatFloat(math.Round(1000*share)/10, 'f', -1, 64), "-", "−") + " %"
}
