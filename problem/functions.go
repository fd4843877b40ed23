package problem

import (
	"math"
	"slices"
)

// The functions of App. C, with the definitions and boxes of BoTorch 0.9.5 (test_functions/synthetic.py) where it has them; most of its formulas go back to
// Surjanovic and Bingham, Virtual Library of Simulation Experiments. Algebra that only matters near the optimum is rearranged here, so that a gap of 1e-20 is
// a gap and not a rounding error.

// Quadratic returns −½‖x‖² on [−1, 1]ᵈ, maximal at the origin. App. C prints it without the sign, but says that every function is negated.
func Quadratic(d int) Problem {
	return cube("quadratic", d, 1, -1, 1, 0, func(x []float64) float64 {
		return -0.5 * sumOf(x, func(_ int, v float64) float64 { return v * v })
	})
}

// Branin returns the negated Branin function on [−5, 10] × [0, 15],
//
//	−(x₂ − bx₁² + cx₁ − 6)² − 10(1−t) cos x₁ − 10,   b = 5.1/(4π²), c = 5/π, t = 1/(8π).
//
// The square vanishes and cos x₁ = −1 at three points, hence the optimum −10t = −5/(4π).
func Branin() Problem {
	const (
		b = 5.1 / (4 * math.Pi * math.Pi)
		c = 5 / math.Pi
		t = 1 / (8 * math.Pi)
	)
	return Problem{
		Name: "branin2", Dim: 2,
		Lower: []float64{-5, 0}, Upper: []float64{10, 15},
		Optimum:    -10 * t,
		Maximisers: [][]float64{{-math.Pi, 12.275}, {math.Pi, 2.275}, {3 * math.Pi, 2.475}},
		F: func(x []float64) float64 {
			s := x[1] - b*x[0]*x[0] + c*x[0] - 6
			return -(s*s + 10*(1-t)*math.Cos(x[0]) + 10)
		},
	}
}

// Ackley returns the negated Ackley function on [−32.768, 32.768]ᵈ, the box the paper names,
//
//	20 exp(−r/5) + exp(c) − 20 − e,   r = √(mean x²), c = mean cos 2πx.
//
// It is 0 at the origin and has a cusp there. Written as it stands it ends at 4e-16; with c − 1 = −2 mean sin² πx the four terms pair up as
//
//	20 expm1(−r/5) + e·expm1(c−1).
func Ackley(d int) Problem {
	return cube("ackley", d, 1, -32.768, 32.768, 0, func(x []float64) float64 {
		squares := sumOf(x, func(_ int, v float64) float64 { return v * v })
		wave := sumOf(x, func(_ int, v float64) float64 { return square(math.Sin(math.Pi * v)) })
		n := float64(len(x))
		return 20*math.Expm1(-0.2*math.Sqrt(squares/n)) + math.E*math.Expm1(-2*wave/n)
	})
}

// Alpine1 returns −Σ|x sin x + 0.1x| on [−10, 10]ᵈ. BoTorch has no Alpine1; the box is that of the
// qEUBO experiments (Astudillo et al. 2023), from which the paper's list of problems seems to come.
//
// A term vanishes at x = 0 and wherever sin x = −0.1: −9.325, −6.383, −3.041, −0.100, 3.242, 6.183
// and 9.525. So there are 8ᵈ maximisers, each a kink, and distance to the origin means nothing.
func Alpine1(d int) Problem {
	return cube("alpine", d, 1, -10, 10, 0, func(x []float64) float64 {
		return -sumOf(x, func(_ int, v float64) float64 { return math.Abs(v * (math.Sin(v) + 0.1)) })
	})
}

// Levy returns the negated Levy function on [−10, 10]ᵈ, 0 at (1, …, 1).
func Levy(d int) Problem { return cube("levy", d, 1, -10, 10, 1, levy(constant(d, 1))) }

// levy is the negated Levy function moved to have its maximum at a point,
//
//	−sin²(πw₁) − Σ_{i<d}(wᵢ−1)²(1 + 10 sin²(πwᵢ+1)) − (w_d−1)²(1 + sin²(2πw_d)),   w = 1 + (x−at)/4.
//
// With v = w − 1 every sine keeps its square, and the maximum is exactly 0.
func levy(at []float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		s := square(math.Sin(math.Pi * (x[0] - at[0]) / 4))
		last := len(x) - 1
		for j := range last {
			v := (x[j] - at[j]) / 4
			s += v * v * (1 + 10*square(math.Sin(math.Pi*v+1)))
		}
		v := (x[last] - at[last]) / 4
		return -(s + v*v*(1+square(math.Sin(2*math.Pi*v))))
	}
}

func square(v float64) float64 { return v * v }

// sumOf returns the sum of f(i, v) over a list.
func sumOf[T any](list []T, f func(i int, v T) float64) (s float64) {
	for i, v := range list {
		s += f(i, v)
	}
	return s
}

// Hartmann's functions are sums of four Gaussian bumps on the unit cube,
//
//	f(x) = Σᵢ αᵢ exp(−Σⱼ Aᵢⱼ(xⱼ − Pᵢⱼ)²),   i = 1, …, 4,
//
// usually printed negated, for minimisation (Dixon and Szegő 1978, Towards Global Optimisation 2; constants as in BoTorch 0.9.5). The optima are roots of the
// gradient, found by mpmath with 50 digits from the best of 2000 local searches: testdata/optima.py. Those in circulation are rounded: −3.32237 puts a floor
// of 2e-6 under the gap of Hartmann6.

// Hartmann6 returns the 6-dimensional Hartmann function. Its second best local maximum, 3.2032, is near (0.405, 0.882, 0.846, 0.574, 0.139, 0.038).
func Hartmann6() Problem {
	return hartmann(
		[][]float64{
			{10, 3, 17, 3.5, 1.7, 8},
			{0.05, 10, 17, 0.1, 8, 14},
			{3, 3.5, 1.7, 10, 17, 8},
			{17, 8, 0.05, 10, 0.1, 14},
		},
		[][]float64{
			{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
			{0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
			{0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
			{0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381},
		},
		3.322368011415514800084312,
		[]float64{
			0.2016895110067054243329518, 0.1500106918234579687929572, 0.4768739742218969903248683,
			0.2753324304940560682433848, 0.3116516166001132424501625, 0.6573005340656203060610622,
		})
}

// Hartmann3 returns the 3-dimensional Hartmann function, which is not in the paper.
func Hartmann3() Problem {
	return hartmann(
		[][]float64{{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}},
		[][]float64{
			{0.3689, 0.1170, 0.2673},
			{0.4699, 0.4387, 0.7470},
			{0.1091, 0.8732, 0.5547},
			{0.0381, 0.5743, 0.8828},
		},
		3.862779787332662522767447,
		[]float64{0.114588876655068968358762, 0.5556488946169300447690242, 0.8525469846866774376207107})
}

// hartmann builds the sum of bumps of weights α = (1, 1.2, 3, 3.2); a and p are 4 × d.
func hartmann(a, p [][]float64, optimum float64, at []float64) Problem {
	alpha := [4]float64{1, 1.2, 3, 3.2}
	out := cube("hartmann", len(at), len(at), 0, 1, 0, func(x []float64) (s float64) {
		for i, w := range alpha {
			s += w * math.Exp(-sumOf(x, func(j int, v float64) float64 { return a[i][j] * square(v-p[i][j]) }))
		}
		return s
	})
	out.Optimum, out.Maximisers = optimum, [][]float64{at}
	return out
}

// Functions that are not in the paper: a change that helps on its six should not hurt here. Among them they have a curved valley, optima away from the
// centre, on the faces of the box and in many separate basins. Definitions are those of Surjanovic and Bingham, Virtual Library of Simulation Experiments;
// boxes differ where stated. Optima without a closed form come from mpmath with 50 digits, testdata/optima.py.

// Rosenbrock returns −Σ[100(xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)²] on [−5, 10]ᵈ, d ≥ 2, maximal at (1, …, 1) on the floor of a curved valley.
func Rosenbrock(d int) Problem {
	return cube("rosenbrock", d, 2, -5, 10, 1, func(x []float64) float64 {
		return -sumOf(x[1:], func(i int, next float64) float64 { return 100*square(next-x[i]*x[i]) + square(1-x[i]) })
	})
}

// StyblinskiTang returns −½Σ(x⁴ − 16x² + 5x) on [−5, 5]ᵈ. A term has two maxima; the better one is a root of 4x³ − 32x + 5.
func StyblinskiTang(d int) Problem {
	const (
		at   = -2.903534027771177095118918
		each = 156.6646628150856618555727 / 4
	)
	p := cube("styblinski", d, 1, -5, 5, at, func(x []float64) float64 {
		return -0.5 * sumOf(x, func(_ int, v float64) float64 { return square(v*v) - 16*v*v + 5*v })
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
		return sumOf(x, func(i int, v float64) float64 {
			w := square(math.Sin(float64(i+1) * v * v / math.Pi)) // sin²
			w4 := w * w * w * w
			return math.Sin(v) * w4 * w4 * w * w // sin²⁰ = (sin²)¹⁰
		})
	})
	p.Optimum = 4.687658179088146252136167
	p.Maximisers = [][]float64{{
		2.202905520172609346074638, 1.570796326794896619231322, 1.28499157055292435989239,
		1.923058469866362843152215, 1.720469772565841280081248,
	}}
	return p
}

// LevyEdge returns Levy moved so that its maximiser lies on the faces of [−10, 10]ᵈ: on the upper face in the first coordinate, the lower in the second, off
// centre at −6 in the others. Searches that shy away from the boundary miss it.
func LevyEdge(d int) Problem {
	p := cube("levyedge", d, 1, -10, 10, -6, nil)
	copy(p.Maximisers[0], []float64{10, -10})
	p.F = levy(slices.Clone(p.Maximisers[0]))
	return p
}
