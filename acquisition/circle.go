package acquisition

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/maximize"
)

// A circle is a part without ends, such as a hue: a point of a circle of radius ½ round (½, ½), where the model sees it as any two coordinates that share a
// lengthscale (gp/scales.go). It has one degree of freedom, and whatever moves it moves the turn u; nothing ever moves the two coordinates by themselves.
//
//	x = (1 + cos 2πu)/2, y = (1 + sin 2πu)/2,   d(x, y)/du = π (−sin 2πu, cos 2πu)
//
// So a step of length s in the model's coordinates is one of s/π in u.

// Circle returns the coordinates of the turn u; u and u + 1 are the same.
func Circle(u float64) (x, y float64) {
	s, c := math.Sincos(2 * math.Pi * (u - math.Floor(u)))
	return (1 + c) / 2, (1 + s) / 2
}

// CirclePosition returns the turn in [0, 1) of a point of the circle, or in its direction from the middle.
func CirclePosition(x, y float64) float64 {
	u := math.Atan2(2*y-1, 2*x-1) / (2 * math.Pi)
	if u < 0 {
		u++
	}
	if u >= 1 { // a hair below 0
		u = 0
	}
	return u
}

// circleSlack is how far off the circle a point may be: rounding, on the way to user units and back.
const circleSlack = 1e-9

// onCircle reports whether two coordinates are a point of it.
func onCircle(x []float64) bool {
	return math.Abs(math.Hypot(x[0]-0.5, x[1]-0.5)-0.5) <= circleSlack
}

// rotate moves the circle at x[0], x[1] by a length in the model's coordinates.
func rotate(x []float64, length float64) {
	x[0], x[1] = Circle(CirclePosition(x[0], x[1]) + length/math.Pi)
}

// tangent returns the derivative along the circle at x, in the model's length, of what has the gradient grad there.
func tangent(x, grad []float64) float64 {
	return -(2*x[1]-1)*grad[0] + (2*x[0]-1)*grad[1]
}

// towards moves the circle at x a part t of the shorter way to the one at y.
func towards(x, y []float64, t float64) {
	from := CirclePosition(x[0], x[1])
	way := CirclePosition(y[0], y[1]) - from
	x[0], x[1] = Circle(from + t*(way-math.Round(way)))
}

// flatten turns gradient and Hessian (d×d) of a function at x into those along its circles: with n = (cos, sin) the way
// out of one and t = (−sin, cos) the way along it, ∂f = t·∇f and, as a circle of radius ½ bends by 2, ∂²f = tᵀHt − 2 n·∇f. They
// stand at the first coordinate of the circle; what stands at the second means nothing.
func flatten(x, grad, h []float64, circles []int) {
	d := len(x)
	for _, j := range circles {
		t := [2]float64{-(2*x[j+1] - 1), 2*x[j] - 1}
		out := t[1]*grad[j] - t[0]*grad[j+1]
		for i := range d {
			h[i*d+j] = h[i*d+j]*t[0] + h[i*d+j+1]*t[1]
		}
		for i := range d {
			h[j*d+i] = t[0]*h[j*d+i] + t[1]*h[(j+1)*d+i]
		}
		h[j*d+j] -= 2 * out
		grad[j] = tangent(x[j:], grad[j:])
	}
}

// chart lays circles out flat for a climb of several points: in place of the first coordinate of each circle that may move
// stands its turn, counted so that the start is at ½, and 0 in place of the second. What is beyond 0 or 1 is the circle once
// more; where a search can have no more than [0, 1] the cut lies opposite to the start.
type chart struct {
	d     int
	turns []int     // where in the row of all points the circles are that move
	from  []float64 // the turn of each at the start
}

// newChart lays out the circles of the points x that their limits leave free.
func newChart(limits []limits, d int, x []float64) chart {
	c := chart{d: d}
	for i, l := range limits {
		for _, j := range l.circles {
			if k := i*d + j; !l.held && !l.pins(j) {
				c.turns, c.from = append(c.turns, k), append(c.from, CirclePosition(x[k], x[k+1]))
			}
		}
	}
	return c
}

// flat returns the points from number i on with their circles laid out.
func (c chart) flat(i int, x []float64) []float64 {
	if c.turns == nil {
		return x
	}
	z := clone(x)
	for n, k := range c.turns {
		if k -= i * c.d; k >= 0 && k < len(z) {
			u := CirclePosition(x[k], x[k+1]) - c.from[n] + 0.5
			z[k], z[k+1] = u-math.Floor(u), 0
		}
	}
	return z
}

// round writes the points of z, from number i on, into x.
func (c chart) round(i int, x, z []float64) {
	copy(x, z)
	for n, k := range c.turns {
		if k -= i * c.d; k >= 0 && k < len(z) {
			x[k], x[k+1] = Circle(c.from[n] + z[k] - 0.5)
		}
	}
}

// rounded is round for all points.
func (c chart) rounded(z []float64) []float64 {
	if c.turns == nil {
		return z
	}
	x := make([]float64, len(z))
	c.round(0, x, z)
	return x
}

// objective is f of points that are laid out, with the chain rule.
func (c chart) objective(f maximize.Objective) maximize.Objective {
	if c.turns == nil {
		return f
	}
	var x []float64
	return func(z, grad []float64) float64 {
		if x == nil {
			x = make([]float64, len(z))
		}
		c.round(0, x, z)
		v := f(x, grad)
		if grad != nil {
			for _, k := range c.turns {
				grad[k], grad[k+1] = math.Pi*tangent(x[k:], grad[k:]), 0
			}
		}
		return v
	}
}

// limits are those of points that are laid out.
func (c chart) limits(all []limits) []limits {
	if c.turns == nil {
		return all
	}
	out := slices.Clone(all)
	for i, l := range all {
		out[i].circles = nil
		for _, j := range l.circles {
			if slices.Contains(c.turns, i*c.d+j) {
				out[i].free = append(slices.Clip(out[i].free), j)
			}
		}
		if l.ok != nil {
			x := make([]float64, c.d)
			out[i].ok = func(z []float64) bool {
				c.round(i, x, z)
				return l.ok(x)
			}
		}
	}
	return out
}
