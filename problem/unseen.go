package problem

import (
	"math"
	"slices"
)

// Functions that are not in the paper: a change that helps on its six should not hurt here. Among
// them they have a curved valley, optima away from the centre, on the faces of the box and in many
// separate basins. Definitions are those of Surjanovic and Bingham, Virtual Library of Simulation
// Experiments; boxes differ where stated. Optima without a closed form come from mpmath with 50 digits,
// testdata/optima.py.

// Rosenbrock returns −Σ[100(xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)²] on [−5, 10]ᵈ, d ≥ 2, maximal at (1, …, 1) on
// the floor of a curved valley.
func Rosenbrock(d int) Problem {
	return cube("rosenbrock", d, 2, -5, 10, 1, func(x []float64) float64 {
		s := 0.0
		for i := range len(x) - 1 {
			s += 100*square(x[i+1]-x[i]*x[i]) + square(1-x[i])
		}
		return -s
	})
}

// StyblinskiTang returns −½Σ(x⁴ − 16x² + 5x) on [−5, 5]ᵈ. A term has two maxima; the better one is a
// root of 4x³ − 32x + 5.
func StyblinskiTang(d int) Problem {
	const (
		at   = -2.903534027771177095118918
		each = 156.6646628150856618555727 / 4
	)
	p := cube("styblinski", d, 1, -5, 5, at, func(x []float64) float64 {
		s := 0.0
		for _, v := range x {
			q := v * v
			s += q*q - 16*q + 5*v
		}
		return -0.5 * s
	})
	p.Optimum = each * float64(d)
	return p
}

// Griewank returns Π cos(xᵢ/√i) − 1 − Σxᵢ²/4000 on [−10, 15]ᵈ, 0 at the origin. The usual box,
// ±600, is so wide that only the bowl is seen; here the waves matter, and the origin is off centre.
func Griewank(d int) Problem {
	return cube("griewank", d, 1, -10, 15, 0, func(x []float64) float64 {
		s, c := 0.0, 1.0
		for i, v := range x {
			s += v * v
			c *= math.Cos(v / math.Sqrt(float64(i+1)))
		}
		return c - 1 - s/4000
	})
}

// Michalewicz5 returns Σ sin xᵢ · sin²⁰(i xᵢ²/π) on [0, π]⁵: narrow ridges over wide plateaus. It is
// a sum over coordinates, so the best of each coordinate make the optimum.
func Michalewicz5() Problem {
	p := cube("michalewicz", 5, 5, 0, math.Pi, 0, func(x []float64) float64 {
		s := 0.0
		for i, v := range x {
			w := square(math.Sin(float64(i+1) * v * v / math.Pi)) // sin²
			w4 := w * w * w * w
			s += math.Sin(v) * w4 * w4 * w * w // sin²⁰ = (sin²)¹⁰
		}
		return s
	})
	p.Optimum = 4.687658179088146252136167
	p.Maximisers = [][]float64{{
		2.202905520172609346074638, 1.570796326794896619231322, 1.28499157055292435989239,
		1.923058469866362843152215, 1.720469772565841280081248,
	}}
	return p
}

// LevyEdge returns Levy moved so that its maximiser lies on the faces of [−10, 10]ᵈ: on the upper
// face in the first coordinate, the lower in the second, off centre at −6 in the others. Searches
// that shy away from the boundary miss it.
func LevyEdge(d int) Problem {
	p := cube("levyedge", d, 1, -10, 10, -6, nil)
	copy(p.Maximisers[0], []float64{10, -10})
	p.F = levy(slices.Clone(p.Maximisers[0]))
	return p
}
