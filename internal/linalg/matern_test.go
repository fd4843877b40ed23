package linalg

import (
	"math"
	"math/big"
	"testing"
)

// TestMatern52 compares with the formula in 256 bits. The relative error is that of the exponential, which magnifies the
// rounding of its argument: |√5 r|·ε/2 beside a few roundings.
func TestMatern52(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range lengths() {
			rng := newRand(uint64(n))
			r2 := newMatrix(1, n, 0)
			for i := range r2.a {
				r2.a[i] = 30 * rng.Float64() * rng.Float64()
				if i%11 == 3 {
					r2.a[i] = 0
				}
				if i%13 == 5 {
					r2.a[i] = 3000 * rng.Float64()
				}
			}
			const scale = 1.7
			k, f, only, inPlace := newMatrix(1, n, 0), newMatrix(1, n, 0), newMatrix(1, n, 0), r2.clone()
			Matern52(k.a, f.a, r2.a, scale)
			Matern52(only.a, nil, r2.a, scale)
			Matern52(inPlace.a, nil, inPlace.a, scale)
			for _, m := range []matrix{k, f, only, inPlace} {
				m.check(t, whole)
			}
			for i, v := range r2.a {
				if only.a[i] != k.a[i] || inPlace.a[i] != k.a[i] {
					t.Fatalf("n=%d: k[%d] is %v, without f %v, in place %v", n, i, k.a[i], only.a[i], inPlace.a[i])
				}
				wk, wf := bigMatern52(v, scale)
				tol := (4 + math.Sqrt(5*v)) * eps
				if math.Abs(k.a[i]-wk) > tol*wk || math.Abs(f.a[i]-wf) > tol*wf {
					t.Fatalf("n=%d r²=%v: k = %v, f = %v; want %v and %v", n, v, k.a[i], f.a[i], wk, wf)
				}
			}
		}
	})
}

func bigMatern52(r2, scale float64) (k, f float64) {
	const prec = 256
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
	a := num(5)
	a.Mul(a, num(r2)).Sqrt(a)
	// e^−a: the rounded argument by bigExp, times the series for what rounding left.
	af, _ := a.Float64()
	rest := new(big.Float).SetPrec(prec).Sub(num(af), a)
	e := bigExp(-af)
	e.Mul(e, rest.Add(rest, num(1))).Mul(e, num(scale))
	linear := new(big.Float).SetPrec(prec).Add(num(1), a)
	third := num(5)
	third.Quo(third, num(3))
	value := new(big.Float).SetPrec(prec).Mul(third, num(r2))
	value.Add(value, linear).Mul(value, e)
	grad := linear.Mul(linear, third)
	grad.Mul(grad, e)
	k, _ = value.Float64()
	f, _ = grad.Float64()
	return k, f
}

func TestMatern52Special(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		r2 := []float64{0, math.NaN(), -1, 1e300, math.Inf(1), 1e-300}
		k, f := make([]float64, len(r2)), make([]float64, len(r2))
		Matern52(k, f, r2, 2)
		nan := math.NaN()
		wantK, wantF := []float64{2, nan, nan, 0, nan, 2}, []float64{10. / 3, nan, nan, 0, nan, 10. / 3}
		for i := range r2 {
			if !alike(k[i], wantK[i]) || !alike(f[i], wantF[i]) {
				t.Errorf("r²=%v: k = %v, f = %v; want %v and %v", r2[i], k[i], f[i], wantK[i], wantF[i])
			}
		}
	})
	x := make([]float64, 3)
	wantPanic(t, "k", func() { Matern52(x[:2], nil, x, 1) })
	wantPanic(t, "f", func() { Matern52(x, x[:2], x, 1) })
}

// alike is equality to rounding, with NaN equal to itself.
func alike(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 4*eps*math.Abs(b)
}

// TestMatern52Factor checks f = −2 dk/d(r²) by central differences.
func TestMatern52Factor(t *testing.T) {
	for _, v := range []float64{0.01, 0.3, 1, 4, 25} {
		h := 1e-5 * v
		k, f := make([]float64, 3), make([]float64, 3)
		Matern52(k, f, []float64{v - h, v, v + h}, 1.3)
		if d := -(k[2] - k[0]) / h; math.Abs(d-f[1]) > 1e-8*f[1] {
			t.Errorf("r²=%v: f = %v, differences give %v", v, f[1], d)
		}
	}
}
