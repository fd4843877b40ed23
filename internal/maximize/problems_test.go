package maximize

import (
	"math"
	"testing"
)

// A problem is one of Moré, Garbow and Hillstrom's (1981), Testing unconstrained optimization software, ACM TOMS 7,
// 17–41: a sum of squares F(x) = Σ rᵢ(x)², to be minimised, with the published start and minimum. Numbers in the
// names are theirs.
type problem struct {
	name   string
	start  []float64
	minima []float64 // published minima, global and local
	m      int       // number of residuals
	// residuals writes r (m) and the Jacobian J (m × n).
	residuals func(x, r, jac []float64)
}

// objective returns −F, which the package maximises. Each has its own scratch memory.
func (p problem) objective() Objective {
	n := len(p.start)
	r, jac := make([]float64, p.m), make([]float64, p.m*n)
	return func(x, grad []float64) float64 {
		clear(r)
		clear(jac)
		p.residuals(x, r, jac)
		var f float64
		clear(grad)
		for i, ri := range r {
			f += ri * ri
			if grad != nil {
				axpy(grad, -2*ri, jac[i*n:][:n])
			}
		}
		return -f
	}
}

func unbounded(n int) (lo, hi []float64) {
	lo, hi = make([]float64, n), make([]float64, n)
	for i := range lo {
		lo[i], hi[i] = math.Inf(-1), math.Inf(1)
	}
	return lo, hi
}

func repeat(n int, pattern ...float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = pattern[i%len(pattern)]
	}
	return x
}

func ramp(n int, f func(i float64) float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = f(float64(i + 1))
	}
	return x
}

var problems = []problem{
	{"01 Rosenbrock", []float64{-1.2, 1}, []float64{0}, 2, rosenbrock},
	{"02 Freudenstein-Roth", []float64{0.5, -2}, []float64{0, 48.9842536792}, 2, func(x, r, j []float64) {
		a, b := x[0], x[1]
		r[0] = -13 + a + ((5-b)*b-2)*b
		r[1] = -29 + a + ((b+1)*b-14)*b
		copy(j, []float64{1, 10*b - 3*b*b - 2, 1, 3*b*b + 2*b - 14})
	}},
	{"03 Powell badly scaled", []float64{0, 1}, []float64{0}, 2, func(x, r, j []float64) {
		r[0] = 1e4*x[0]*x[1] - 1
		r[1] = math.Exp(-x[0]) + math.Exp(-x[1]) - 1.0001
		copy(j, []float64{1e4 * x[1], 1e4 * x[0], -math.Exp(-x[0]), -math.Exp(-x[1])})
	}},
	{"04 Brown badly scaled", []float64{1, 1}, []float64{0}, 3, func(x, r, j []float64) {
		r[0], r[1], r[2] = x[0]-1e6, x[1]-2e-6, x[0]*x[1]-2
		copy(j, []float64{1, 0, 0, 1, x[1], x[0]})
	}},
	{"05 Beale", []float64{1, 1}, []float64{0}, 3, func(x, r, j []float64) {
		for i, y := range []float64{1.5, 2.25, 2.625} {
			p := math.Pow(x[1], float64(i+1))
			r[i] = y - x[0]*(1-p)
			j[2*i] = p - 1
			j[2*i+1] = x[0] * float64(i+1) * math.Pow(x[1], float64(i))
		}
	}},
	{"06 Jennrich-Sampson", []float64{0.3, 0.4}, []float64{124.362182356}, 10, func(x, r, j []float64) {
		for i := range r {
			k := float64(i + 1)
			a, b := math.Exp(k*x[0]), math.Exp(k*x[1])
			r[i] = 2 + 2*k - (a + b)
			j[2*i], j[2*i+1] = -k*a, -k*b
		}
	}},
	{"07 Helical valley", []float64{-1, 0, 0}, []float64{0}, 3, func(x, r, j []float64) {
		theta := math.Atan(x[1]/x[0]) / (2 * math.Pi)
		if x[0] < 0 {
			theta += 0.5
		}
		rho2 := x[0]*x[0] + x[1]*x[1]
		rho := math.Sqrt(rho2)
		r[0], r[1], r[2] = 10*(x[2]-10*theta), 10*(rho-1), x[2]
		copy(j, []float64{
			100 * x[1] / (2 * math.Pi * rho2), -100 * x[0] / (2 * math.Pi * rho2), 10,
			10 * x[0] / rho, 10 * x[1] / rho, 0,
			0, 0, 1,
		})
	}},
	{"08 Bard", []float64{1, 1, 1}, []float64{8.21487730658e-3}, 15, func(x, r, j []float64) {
		y := []float64{0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39}
		for i := range r {
			u := float64(i + 1)
			v := 16 - u
			w := min(u, v)
			q := v*x[1] + w*x[2]
			r[i] = y[i] - (x[0] + u/q)
			copy(j[3*i:], []float64{-1, u * v / (q * q), u * w / (q * q)})
		}
	}},
	{"09 Gaussian", []float64{0.4, 1, 0}, []float64{1.12793276962e-8}, 15, func(x, r, j []float64) {
		y := []float64{0.0009, 0.0044, 0.0175, 0.0540, 0.1295, 0.2420, 0.3521, 0.3989}
		for i := range r {
			t := (8 - float64(i+1)) / 2
			e := math.Exp(-x[1] * (t - x[2]) * (t - x[2]) / 2)
			r[i] = x[0]*e - y[min(i, 14-i)]
			copy(j[3*i:], []float64{e, -x[0] * e * (t - x[2]) * (t - x[2]) / 2, x[0] * e * x[1] * (t - x[2])})
		}
	}},
	{"12 Box 3-D", []float64{0, 10, 20}, []float64{0}, 10, func(x, r, j []float64) {
		for i := range r {
			t := 0.1 * float64(i+1)
			a, b, c := math.Exp(-t*x[0]), math.Exp(-t*x[1]), math.Exp(-t)-math.Exp(-10*t)
			r[i] = a - b - x[2]*c
			copy(j[3*i:], []float64{-t * a, t * b, -c})
		}
	}},
	{"13 Powell singular", []float64{3, -1, 0, 1}, []float64{0}, 4, powellSingular},
	{"14 Wood", []float64{-3, -1, -3, -1}, []float64{0}, 6, func(x, r, j []float64) {
		s90, s10 := math.Sqrt(90), math.Sqrt(10)
		r[0], r[1] = 10*(x[1]-x[0]*x[0]), 1-x[0]
		r[2], r[3] = s90*(x[3]-x[2]*x[2]), 1-x[2]
		r[4], r[5] = s10*(x[1]+x[3]-2), (x[1]-x[3])/s10
		copy(j, []float64{
			-20 * x[0], 10, 0, 0,
			-1, 0, 0, 0,
			0, 0, -2 * s90 * x[2], s90,
			0, 0, -1, 0,
			0, s10, 0, s10,
			0, 1 / s10, 0, -1 / s10,
		})
	}},
	{"15 Kowalik-Osborne", []float64{0.25, 0.39, 0.415, 0.39}, []float64{3.07505603849e-4}, 11, func(x, r, j []float64) {
		y := []float64{0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246}
		u := []float64{4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625}
		for i := range r {
			a, b := u[i]*u[i]+u[i]*x[1], u[i]*u[i]+u[i]*x[2]+x[3]
			r[i] = y[i] - x[0]*a/b
			copy(j[4*i:], []float64{-a / b, -x[0] * u[i] / b, x[0] * a * u[i] / (b * b), x[0] * a / (b * b)})
		}
	}},
	{"16 Brown-Dennis", []float64{25, 5, -5, -1}, []float64{85822.2016263}, 20, func(x, r, j []float64) {
		for i := range r {
			t := float64(i+1) / 5
			a := x[0] + t*x[1] - math.Exp(t)
			b := x[2] + x[3]*math.Sin(t) - math.Cos(t)
			r[i] = a*a + b*b
			copy(j[4*i:], []float64{2 * a, 2 * a * t, 2 * b, 2 * b * math.Sin(t)})
		}
	}},
	{"18 Biggs EXP6", []float64{1, 2, 1, 1, 1, 1}, []float64{0, 5.65564992e-3}, 13, func(x, r, j []float64) {
		for i := range r {
			t := 0.1 * float64(i+1)
			y := math.Exp(-t) - 5*math.Exp(-10*t) + 3*math.Exp(-4*t)
			a, b, c := math.Exp(-t*x[0]), math.Exp(-t*x[1]), math.Exp(-t*x[4])
			r[i] = x[2]*a - x[3]*b + x[5]*c - y
			copy(j[6*i:], []float64{-t * x[2] * a, t * x[3] * b, a, -b, -t * x[5] * c, c})
		}
	}},
	{"20 Watson 6", repeat(6, 0), []float64{2.28767005355e-3}, 31, watson},
	{"20 Watson 9", repeat(9, 0), []float64{1.39976013098e-6}, 31, watson},
	{"21 extended Rosenbrock 10", repeat(10, -1.2, 1), []float64{0}, 10, func(x, r, j []float64) {
		n := len(x)
		for i := 0; i < n; i += 2 {
			r[i], r[i+1] = 10*(x[i+1]-x[i]*x[i]), 1-x[i]
			j[i*n+i], j[i*n+i+1], j[(i+1)*n+i] = -20*x[i], 10, -1
		}
	}},
	{"22 extended Powell 12", repeat(12, 3, -1, 0, 1), []float64{0}, 12, func(x, r, j []float64) {
		n := len(x)
		var block [16]float64
		for i := 0; i < n; i += 4 {
			powellSingular(x[i:i+4], r[i:i+4], block[:])
			for k := range 4 {
				copy(j[(i+k)*n+i:], block[4*k:4*k+4])
			}
		}
	}},
	{"23 penalty I 4", ramp(4, func(i float64) float64 { return i }), []float64{2.24997750e-5}, 5, penalty1},
	{"23 penalty I 10", ramp(10, func(i float64) float64 { return i }), []float64{7.08765147e-5}, 11, penalty1},
	{"24 penalty II 4", repeat(4, 0.5), []float64{9.37629306e-6}, 8, penalty2},
	{"25 variably dimensioned 8", ramp(8, func(i float64) float64 { return 1 - i/8 }), []float64{0}, 10, func(x, r, j []float64) {
		n := len(x)
		var s float64
		for i, v := range x {
			r[i] = v - 1
			j[i*n+i] = 1
			s += float64(i+1) * (v - 1)
		}
		r[n], r[n+1] = s, s*s
		for i := range x {
			j[n*n+i] = float64(i + 1)
			j[(n+1)*n+i] = 2 * s * float64(i+1)
		}
	}},
	{"26 trigonometric 10", repeat(10, 0.1), []float64{0, 2.79506122e-5}, 10, func(x, r, j []float64) {
		n := len(x)
		var c float64
		for _, v := range x {
			c += math.Cos(v)
		}
		for i, v := range x {
			r[i] = float64(n) - c + float64(i+1)*(1-math.Cos(v)) - math.Sin(v)
			for k, w := range x {
				j[i*n+k] = math.Sin(w)
			}
			j[i*n+i] += float64(i+1)*math.Sin(v) - math.Cos(v)
		}
	}},
	{"27 Brown almost linear 10", repeat(10, 0.5), []float64{0, 1}, 10, func(x, r, j []float64) {
		n := len(x)
		var s float64
		for _, v := range x {
			s += v
		}
		for i := range n - 1 {
			r[i] = x[i] + s - float64(n+1)
			for k := range x {
				j[i*n+k] = 1
			}
			j[i*n+i] = 2
		}
		p := 1.0
		for _, v := range x {
			p *= v
		}
		r[n-1] = p - 1
		for k := range x {
			q := 1.0
			for l, v := range x {
				if l != k {
					q *= v
				}
			}
			j[(n-1)*n+k] = q
		}
	}},
	{"28 discrete boundary value 10", ramp(10, func(i float64) float64 { return i / 11 * (i/11 - 1) }), []float64{0}, 10, func(x, r, j []float64) {
		n := len(x)
		h := 1 / float64(n+1)
		for i, v := range x {
			c := v + float64(i+1)*h + 1
			r[i] = 2*v + h*h*c*c*c/2
			j[i*n+i] = 2 + 3*h*h*c*c/2
			if i > 0 {
				r[i] -= x[i-1]
				j[i*n+i-1] = -1
			}
			if i < n-1 {
				r[i] -= x[i+1]
				j[i*n+i+1] = -1
			}
		}
	}},
	{"30 Broyden tridiagonal 10", repeat(10, -1), []float64{0}, 10, func(x, r, j []float64) {
		n := len(x)
		for i, v := range x {
			r[i] = (3-2*v)*v + 1
			j[i*n+i] = 3 - 4*v
			if i > 0 {
				r[i] -= x[i-1]
				j[i*n+i-1] = -1
			}
			if i < n-1 {
				r[i] -= 2 * x[i+1]
				j[i*n+i+1] = -2
			}
		}
	}},
	{"31 Broyden banded 10", repeat(10, -1), []float64{0}, 10, func(x, r, j []float64) {
		n := len(x)
		for i, v := range x {
			r[i] = v*(2+5*v*v) + 1
			j[i*n+i] = 2 + 15*v*v
			for k := max(0, i-5); k <= min(n-1, i+1); k++ {
				if k != i {
					r[i] -= x[k] * (1 + x[k])
					j[i*n+k] = -1 - 2*x[k]
				}
			}
		}
	}},
}

func rosenbrock(x, r, j []float64) {
	r[0], r[1] = 10*(x[1]-x[0]*x[0]), 1-x[0]
	copy(j, []float64{-20 * x[0], 10, -1, 0})
}

func powellSingular(x, r, j []float64) {
	s5, s10 := math.Sqrt(5), math.Sqrt(10)
	a, b := x[1]-2*x[2], x[0]-x[3]
	r[0], r[1], r[2], r[3] = x[0]+10*x[1], s5*(x[2]-x[3]), a*a, s10*b*b
	copy(j, []float64{
		1, 10, 0, 0,
		0, 0, s5, -s5,
		0, 2 * a, -4 * a, 0,
		2 * s10 * b, 0, 0, -2 * s10 * b,
	})
}

func watson(x, r, j []float64) {
	n := len(x)
	for i := range 29 {
		t := float64(i+1) / 29
		var poly, deriv float64
		for k := n - 1; k >= 0; k-- {
			poly = poly*t + x[k]
		}
		for k := n - 1; k >= 1; k-- {
			deriv = deriv*t + float64(k)*x[k]
		}
		r[i] = deriv - poly*poly - 1
		for k := range n {
			j[i*n+k] = -2 * poly * math.Pow(t, float64(k))
			if k > 0 {
				j[i*n+k] += float64(k) * math.Pow(t, float64(k-1))
			}
		}
	}
	r[29] = x[0]
	j[29*n] = 1
	r[30] = x[1] - x[0]*x[0] - 1
	j[30*n], j[30*n+1] = -2*x[0], 1
}

func penalty1(x, r, j []float64) {
	n := len(x)
	s := math.Sqrt(1e-5)
	r[n] = -0.25
	for i, v := range x {
		r[i] = s * (v - 1)
		j[i*n+i] = s
		r[n] += v * v
		j[n*n+i] = 2 * v
	}
}

func penalty2(x, r, j []float64) {
	n := len(x)
	s := math.Sqrt(1e-5)
	r[0] = x[0] - 0.2
	j[0] = 1
	for i := 1; i < n; i++ {
		y := math.Exp(float64(i+1)/10) + math.Exp(float64(i)/10)
		r[i] = s * (math.Exp(x[i]/10) + math.Exp(x[i-1]/10) - y)
		j[i*n+i], j[i*n+i-1] = s*math.Exp(x[i]/10)/10, s*math.Exp(x[i-1]/10)/10
		r[n+i-1] = s * (math.Exp(x[i]/10) - math.Exp(-0.1))
		j[(n+i-1)*n+i] = s * math.Exp(x[i]/10) / 10
	}
	last := 2*n - 1
	r[last] = -1
	for i, v := range x {
		r[last] += float64(n-i) * v * v
		j[last*n+i] = 2 * float64(n-i) * v
	}
}

// TestProblemGradients compares every Jacobian above with central differences, at the start and at points around it.
func TestProblemGradients(t *testing.T) {
	checked := 0
	for _, p := range problems {
		f := p.objective()
		n := len(p.start)
		for trial := range 3 {
			x := make([]float64, n)
			for i, v := range p.start {
				x[i] = v + 0.07*float64(trial)*math.Sin(float64(3*i+5*trial)) + 0.01
			}
			grad, scratch := make([]float64, n), make([]float64, n)
			f(x, grad)
			scale := 0.0
			for _, g := range grad {
				scale = max(scale, math.Abs(g))
			}
			for i := range x {
				h := 6e-6 * max(1, math.Abs(x[i])) // ε^⅓: the step at which truncation and rounding balance
				xi := x[i]
				x[i] = xi + h
				up := f(x, scratch)
				x[i] = xi - h
				down := f(x, scratch)
				x[i] = xi
				want := (up - down) / (2 * h)
				// Rounding of f limits the difference quotient to about |f|ε/h.
				if tol := 1e-6*scale + 1e-9*max(math.Abs(up), 1); math.Abs(grad[i]-want) > tol {
					t.Errorf("%s: ∂f/∂x%d at %v = %g, central difference %g", p.name, i, x, grad[i], want)
				}
				checked++
			}
		}
	}
	if checked < 3*2*len(problems) {
		t.Fatalf("checked only %d derivatives", checked)
	}
}
