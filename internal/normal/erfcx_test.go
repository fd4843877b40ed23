package normal

import (
	"math"
	"testing"
)

func TestErfcx(t *testing.T) {
	e := track(t, "Erfcx", sharp)
	for _, r := range golden(t, "scalar.json") {
		e.rel(Erfcx(r["x"]), r["erfcx"], r["x"])
	}
	for _, c := range [][2]float64{{math.Inf(1), 0}, {math.Inf(-1), math.Inf(1)}, {0, 1}} {
		if got := Erfcx(c[0]); math.Abs(got-c[1]) > 1e-15 {
			t.Errorf("Erfcx(%v) = %v, want %v", c[0], got, c[1])
		}
	}
}

// Against the standard library, where erfc has not underflowed.
func TestErfcxAgainstErfc(t *testing.T) {
	e := track(t, "e^{-x²}Erfcx vs erfc", 1e-13)
	for i := -100; i <= 500; i++ {
		x := float64(i) / 20
		e.rel(math.Exp(-x*x)*Erfcx(x), math.Erfc(x), x)
	}
}
