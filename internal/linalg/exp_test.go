package linalg

import (
	"math"
	"math/big"
	"testing"
)

// maxExpUlp bounds the error of Exp where the result is normal.
const maxExpUlp = 1

// bigExp returns eˣ to about 200 bits: a Taylor series after halving the argument 2ᵏ-fold to below 2⁻³², which is
// squared back.
func bigExp(x float64) *big.Float {
	const prec = 256
	const halvings = 44 // |x| < 2¹¹ in all tests
	r := new(big.Float).SetPrec(prec).SetFloat64(x)
	r.SetMantExp(r, -halvings)
	sum, term := big.NewFloat(1).SetPrec(prec), big.NewFloat(1).SetPrec(prec)
	for i := 1; i <= 9; i++ { // (2⁻³³)¹⁰/10! < 2⁻³⁵⁰
		term.Mul(term, r)
		term.Quo(term, big.NewFloat(float64(i)).SetPrec(prec))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// ulpError returns |got − want| in units of the last place of want.
func ulpError(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	_, e := math.Frexp(w)
	ulp := math.Ldexp(1, max(e-53, -1074))
	d := new(big.Float).SetPrec(256).SetFloat64(got)
	d.Sub(d, want)
	d.Quo(d, new(big.Float).SetFloat64(ulp))
	f, _ := d.Float64()
	return math.Abs(f)
}

// TestExp compares with math/big.
func TestExp(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := newRand(3)
		var x []float64
		for range 4000 {
			x = append(x, -708+1417*rng.Float64(), -40*rng.Float64(), rng.NormFloat64(), rng.NormFloat64()*1e-9)
		}
		for k := -1020; k < 1020; k += 7 { // both sides of every kind of reduction boundary
			edge := (float64(k) + 0.5) * math.Ln2
			x = append(x, edge, math.Nextafter(edge, 1e3), math.Nextafter(edge, -1e3), float64(k)*math.Ln2)
		}
		y := make([]float64, len(x))
		Exp(y, x)
		var worst, at float64
		for i, v := range x {
			if e := ulpError(y[i], bigExp(v)); e > worst {
				worst, at = e, v
			}
		}
		t.Logf("worst error %.3f ulp, at %v", worst, at)
		if worst > maxExpUlp {
			t.Errorf("error of %.3f ulp at %v, want at most %v", worst, at, maxExpUlp)
		}
	})
}

// TestExpMath stays within 2 ulp of math.Exp, which is up to 1.4 ulp off itself, at a million points.
func TestExpMath(t *testing.T) {
	n := 1000000
	if testing.Short() {
		n = 100000
	}
	eachPath(t, func(t *testing.T) {
		rng := newRand(4)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = -708 + 1417*rng.Float64() // beyond 709.4 math.Exp overflows on amd64
		}
		Exp(y, x)
		for i, v := range x {
			w := math.Exp(v)
			if d := int64(math.Float64bits(y[i]) - math.Float64bits(w)); d < -2 || d > 2 {
				t.Fatalf("Exp(%v) = %v, math.Exp has %v", v, y[i], w)
			}
		}
	})
}

func TestExpSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	cases := []struct{ x, want float64 }{
		{0, 1}, {math.Copysign(0, -1), 1}, {inf, inf}, {-inf, 0}, {nan, nan}, {-nan, nan},
		{710, inf}, {1e6, inf}, {math.MaxFloat64, inf}, {-746, 0}, {-1e6, 0}, {-math.MaxFloat64, 0},
		{709.78, 1.7928227943945156e308}, {709.79, inf}, {5e-324, 1}, {-5e-324, 1},
	}
	eachPath(t, func(t *testing.T) {
		for pad := range 9 { // at every position of a vector and of its tail
			x := vector(newRand(1), len(cases)+pad)
			for i, c := range cases {
				x.a[pad+i] = c.x
			}
			y := newMatrix(1, len(x.a), 0)
			Exp(y.a, x.a)
			y.check(t, whole)
			for i, c := range cases {
				got := y.a[pad+i]
				if math.IsNaN(c.want) != math.IsNaN(got) || !math.IsNaN(c.want) && got != c.want && !(math.Abs(got/c.want-1) < 1e-12) {
					t.Errorf("Exp(%v) = %v, want %v", c.x, got, c.want)
				}
			}
		}
		// Subnormal results: gradual, within 2 units of the smallest number.
		x, y := make([]float64, 400), make([]float64, 400)
		for i := range x {
			x[i] = -708.3 - float64(i)*0.0925
		}
		Exp(y, x)
		for i, v := range x {
			if e := ulpError(y[i], bigExp(v)); e > 2 {
				t.Errorf("Exp(%v) = %v, off by %v units", v, y[i], e)
			}
		}
	})
}

func TestExpLengths(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range lengths() {
			x := vector(newRand(uint64(n)), n)
			y := x.clone()
			Exp(y.a, y.a)
			y.check(t, whole)
			for i, v := range x.a {
				if w := math.Exp(v); math.Abs(y.a[i]-w) > 4e-16*w {
					t.Fatalf("n=%d: Exp(%v) = %v, want %v", n, v, y.a[i], w)
				}
			}
		}
	})
	wantPanic(t, "Exp", func() { Exp(make([]float64, 2), make([]float64, 3)) })
}
