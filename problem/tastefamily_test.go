package problem

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestFamiliesAreFound(t *testing.T) {
	for _, f := range tasteFamilies {
		for _, a := range tastes(t, 3, 2, TasteOptions{Family: f.name, Dim: max(f.least, 2), Shape: Box}) {
			if a.Family != f.name || a.Kind != f.kind || !(a.Max > a.Mean) || !(a.Spread > 0) {
				t.Errorf("%s: got %s, %s, max %g, mean %g, spread %g", f.name, a.Family, a.Kind, a.Max, a.Mean, a.Spread)
			}
		}
	}
	for _, shape := range []Shape{Box, PlainList} {
		for _, a := range tastes(t, 5, 8, TasteOptions{Family: ruggedFamilies, Dim: 2, Shape: shape}) {
			if a.Kind != ruggedFamilies {
				t.Errorf("%s is not rugged and was not wanted", a.Family)
			}
		}
	}
}

// TestFourier holds draws against the covariance they should have, exp(−½r²) for the squared exponential and
// (1 + √3r)exp(−√3r) for Matérn 3/2, over many draws of one lengthscale.
func TestFourier(t *testing.T) {
	const n, r = 4000, 0.7
	for _, c := range []struct{ order, want float64 }{
		{math.Inf(1), math.Exp(-0.5 * r * r)}, {1.5, (1 + math.Sqrt(3)*r) * math.Exp(-math.Sqrt(3)*r)},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		var cov, square float64
		for range n {
			land := waves(rng, c.order, []float64{0.5})
			a, b := land.f([]float64{0.2}), land.f([]float64{0.2 + 0.5*r})
			cov += a * b / n
			square += a * a / n
		}
		if math.Abs(square-1) > 0.1 || math.Abs(cov-c.want) > 0.1 {
			t.Errorf("order %g: variance %.3f, covariance %.3f, want 1 and %.3f", c.order, square, cov, c.want)
		}
	}
}

func TestRotation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	turned := 0
	for range 40 {
		rows := rotation(rng, 5)
		for i, a := range rows {
			for j, b := range rows {
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(dot(a, b)-want) > 1e-12 {
					t.Fatalf("rows %d and %d have product %g", i, j, dot(a, b))
				}
			}
		}
		if rows[0][1] != 0 {
			turned++
		}
	}
	if turned < 8 || turned > 32 {
		t.Errorf("%d of 40 are turned", turned)
	}
}
