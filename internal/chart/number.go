package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/space"
)

// Number writes a value for people: three digits of a number, whole ones in full, words as they are.
func Number(v space.Value) string {
	if math.IsNaN(v.Float()) {
		return v.String()
	}
	return tick(v.Float())
}

// tick writes a number with three digits, more if it takes them to write it whole, and a real minus. x + 0 makes −0 a plain 0.
func tick(x float64) string {
	text := fmt.Sprintf("%.3g", x+0)
	if math.Abs(x) < 1e6 && (x == math.Trunc(x) || math.Abs(x) >= 100) {
		text = strconv.FormatFloat(math.Round(x)+0, 'f', 0, 64)
	}
	return strings.Replace(text, "-", "−", 1)
}

// ninth is Φ⁻¹(0.95): so many standard deviations either side of the mean a normal variable lies with nine chances in ten.
const ninth = 1.6448536269514722

// NineInTen returns the range in which a normal variable lies with nine chances in ten.
func NineInTen(mean, sd float64) (low, high float64) { return mean - ninth*sd, mean + ninth*sd }

// taken is the chance that an option is taken over one whose utility is higher by a normal variable in units of the noise:
// E[Φ(−d)] = Φ(−below/√(1 + sd²)).
func taken(below, sd float64) float64 { return math.Erfc(below/math.Sqrt(2*(1+sd*sd))) / 2 }
