package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/internal/maximize"
)

// units are what a climb measures its variables in: it works on y = x/u, and its quadratic model, which begins round, begins as one that is u⁻² in x. They
// are powers of two, so that nothing is rounded on the way, and what lies on a bound stays on it. Nil are units of 1.
type units []float64

// newUnits returns the powers of two next to the sizes.
func newUnits(size []float64) units {
	u := make(units, len(size))
	for i, v := range size {
		u[i] = math.Exp2(math.Round(math.Log2(v)))
	}
	return u
}

// in returns rows of variables in these units.
func (u units) in(x []float64) []float64 {
	if u == nil {
		return x
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v / u[i%len(u)]
	}
	return y
}

// out takes the end of a climb back.
func (u units) out(r maximize.Result) maximize.Result {
	for i, v := range u {
		r.X[i] *= v
		if r.Grad != nil {
			r.Grad[i] /= v
		}
	}
	return r
}

// objective returns f as a function in these units.
func (u units) objective(f maximize.Objective) maximize.Objective {
	if u == nil {
		return f
	}
	x := make([]float64, len(u))
	return func(y, grad []float64) float64 {
		for i, v := range u {
			x[i] = y[i] * v
		}
		value := f(x, grad)
		for i := range grad {
			grad[i] *= u[i]
		}
		return value
	}
}

// Units of the fantasy points.
const (
	fantasyReach = 4        // times as far as an answer is expected to move the best option …
	fantasyLeast = 1.0 / 32 // … but not less than this part of the way on which the mean falls by half the noise
)

// units are those of the one-shot form: lengthscales for the question. The fantasy points move with the best option, and that is held
// by the curvature −h of the mean at x̂: an answer that gains g moves it by √(2g/h), which late in a study is a hundredth of a lengthscale
// in one coordinate and a third in another. In units of the cube a climb took three to four times as many evaluations there.
func (s *oneShot) units() units {
	p, d := s.t.utility(), s.in.d
	ls, noise := p.Hyper().Kernel.Lengthscale, p.Noise()
	reach := min(1, max(fantasyLeast, fantasyReach*math.Sqrt(2*max(0, s.ranks[0].score)/noise))) // a score may be the log of one
	h := curvature(p, s.peaks[0].X)
	size := make([]float64, s.kg.points()*d)
	for i := range size {
		j := i % d
		size[i] = min(1, ls[j])
		if held := -h[j*d+j]; i >= 2*d && held > 0 {
			size[i] = min(size[i], reach*math.Sqrt(noise/held))
		}
	}
	return newUnits(size)
}
