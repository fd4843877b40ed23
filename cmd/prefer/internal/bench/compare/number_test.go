package compare

import (
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v      float64
		digits int
		want   string
	}{
		{0.0123456, 3, "0.0123"}, {1.5, 2, "1.5"}, {12.345, 2, "12"}, {1234.5, 2, "1234"}, {1.234e7, 3, "1.23e7"}, {0, 3, "0"},
		{0.00012345, 2, "1.2e−4"}, {-0.5, 2, "−0.50"}, {9.996, 3, "10.0"}, {0.00099999, 2, "0.0010"}, {math.NaN(), 3, "–"}, {math.Inf(-1), 2, "−Inf"},
	} {
		if got := number(c.v, c.digits); got != c.want {
			t.Errorf("number(%v, %d) = %q, want %q", c.v, c.digits, got, c.want)
		}
	}
	for v, want := range map[float64]string{0: "0 %", 0.1: "10 %", 0.125: "12.5 %", 1. / 3: "33.3 %", 1: "100 %"} {
		if got := percent(v); got != want {
			t.Errorf("percent(%v) = %q, want %q", v, got, want)
		}
	}
}
