package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// decimal writes a utility with two places and a real minus; what rounds to nothing is 0.00.
func decimal(v float64) string {
	return strings.Replace(strconv.FormatFloat(math.Round(100*v)/100+0, 'f', 2, 64), "-", "−", 1)
}

// value writes a setting as the page does.
func value(v space.Value) string { return chart.Number(v) }

// english puts results into words.
var english say.Words

// dictionary is the English text of a key of the page's dictionary.
func dictionary(key string, places ...any) string { return language.English().T(key, places...) }

// spell writes a share with its interval: "12 of 20, 60 % [39, 78]".
func spell(s prefer.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d, %s [%.0f, %.0f]", s.Count, s.Of, say.Percent(float64(s.Count)/float64(s.Of)), 100*s.Low, 100*s.High)
}

// seconds writes how long somebody looked; a dash if nobody knows.
func seconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case d == 0:
		return "–"
	case s < 9.95:
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
	case s < 600:
		return strconv.FormatFloat(s, 'f', 0, 64) + " s"
	default:
		return strconv.FormatFloat(s/60, 'f', 0, 64) + " min"
	}
}
