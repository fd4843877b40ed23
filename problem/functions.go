package problem

import "math"

// The functions of App. C, with the definitions and boxes of BoTorch 0.9.5
// (test_functions/synthetic.py) where it has them; most of its formulas go back to Surjanovic and
// Bingham, Virtual Library of Simulation Experiments. Algebra that only matters near the optimum is
// rearranged here, so that a gap of 1e-20 is a gap and not a rounding error.

// Quadratic returns −½‖x‖² on [−1, 1]ᵈ, maximal at the origin. App. C prints it without the sign,
// but says that every function is negated.
func Quadratic(d int) Problem {
	return cube("quadratic", d, 1, -1, 1, 0, func(x []float64) float64 {
		s := 0.0
		for _, v := range x {
			s += v * v
		}
		return -0.5 * s
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
// It is 0 at the origin and has a cusp there. Written as it stands it ends at 4e-16; with c − 1 =
// −2 mean sin² πx the four terms pair up as
//
//	20 expm1(−r/5) + e·expm1(c−1).
func Ackley(d int) Problem {
	return cube("ackley", d, 1, -32.768, 32.768, 0, func(x []float64) float64 {
		square, wave := 0.0, 0.0
		for _, v := range x {
			s := math.Sin(math.Pi * v)
			square += v * v
			wave += s * s
		}
		n := float64(len(x))
		return 20*math.Expm1(-0.2*math.Sqrt(square/n)) + math.E*math.Expm1(-2*wave/n)
	})
}

// Alpine1 returns −Σ|x sin x + 0.1x| on [−10, 10]ᵈ. BoTorch has no Alpine1; the box is that of the
// qEUBO experiments (Astudillo et al. 2023), from which the paper's list of problems seems to come.
//
// A term vanishes at x = 0 and wherever sin x = −0.1: −9.325, −6.383, −3.041, −0.100, 3.242, 6.183
// and 9.525. So there are 8ᵈ maximisers, each a kink, and distance to the origin means nothing.
func Alpine1(d int) Problem {
	return cube("alpine", d, 1, -10, 10, 0, func(x []float64) float64 {
		s := 0.0
		for _, v := range x {
			s += math.Abs(v * (math.Sin(v) + 0.1))
		}
		return -s
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
