package acquisition

import (
	"github.com/prefer-bo/prefer/internal/maximize"
)

// repair makes a function on a constrained set climbable by a search that knows only bounds. A constraint
// is a yes or no, and a search that treats "no" as −∞ stops dead at the first wall it meets, in all of its
// variables. Instead every infeasible point x is pulled to the wall along the line from an anchor c inside:
//
//	F(x) = f(y),   y = c + s(x) (x − c),   s(x) the largest s ≤ 1 that is feasible,
//
// continuous where the set is seen whole from the anchor, as a convex one is. Its gradient
//
//	∇F = s ∇f(y) + ((x − c)·∇f(y)) ∇s
//
// vanishes at the wall exactly where ∇f is normal to it, so the climb slides along. ∇s comes from central differences of s. A wall n·(z − c) = 1 has s =
// 1/(n·(x − c)) and ∇s = −s²n: walls met before are tried first, each at the price of two questions; for linear constraints that is nearly always enough.
type repair struct {
	limits  []limits
	d       int
	anchors []float64   // one per point
	walls   [][]float64 // per point: the normals n seen, up to maxWalls
	y       []float64   // the points pulled in
	s       []float64   // of every point
	at, ray []float64   // one point each
	slopes  []float64   // ∇s of all
}

const (
	maxWalls   = 4     // more seldom meet in one point that a climb passes by often
	wallSlack  = 1e-7  // how close to a remembered wall a point is put, and how well it must be there
	wallStep   = 1e-4  // of the differences of s
	bisections = 50    // down to rounding
	sharpTurn  = 1e-12 // |∇s| bound below which a wall is parallel to the ray
)

func newRepair(limits []limits, d int, anchors []float64) *repair {
	q := len(limits)
	return &repair{limits: limits, d: d, anchors: anchors, walls: make([][]float64, q), y: make([]float64, q*d),
		s: make([]float64, q), at: make([]float64, d), ray: make([]float64, d), slopes: make([]float64, q*d)}
}

// objective is F for f.
func (r *repair) objective(f maximize.Objective) maximize.Objective {
	return func(x, grad []float64) float64 {
		for i := range r.limits {
			r.pull(i, x[i*r.d:(i+1)*r.d], grad != nil)
		}
		v := f(r.y, grad)
		if grad == nil {
			return v
		}
		for i, s := range r.s {
			if s == 1 {
				continue
			}
			g := grad[i*r.d : (i+1)*r.d]
			var along float64
			for j := range g {
				along += (x[i*r.d+j] - r.anchors[i*r.d+j]) * g[j]
			}
			for j := range g {
				g[j] = s*g[j] + along*r.slopes[i*r.d+j]
			}
		}
		return v
	}
}

// points pulls all points of x in and returns them.
func (r *repair) points(x []float64) []float64 {
	for i := range r.limits {
		r.pull(i, x[i*r.d:(i+1)*r.d], false)
	}
	return clone(r.y)
}

// pull sets y and s of point i and, if steep is set, the slope of s.
func (r *repair) pull(i int, x []float64, steep bool) {
	d := r.d
	c, y := r.anchors[i*d:(i+1)*d], r.y[i*d:(i+1)*d]
	copy(y, x)
	r.s[i] = 1
	if r.limits[i].may(y) {
		return
	}
	slope := r.slopes[i*d : (i+1)*d]
	for w := 0; w < len(r.walls[i]); w += d {
		n := r.walls[i][w : w+d]
		var across float64
		for j := range n {
			across += n[j] * (x[j] - c[j])
		}
		s := 1 / across
		if !(s > 0 && s < 1) || !r.inside(i, x, s*(1-wallSlack)) || r.inside(i, x, s*(1+wallSlack)) {
			continue
		}
		s *= 1 - wallSlack
		r.s[i] = s
		for j := range n {
			y[j] = along(c[j], x[j], s)
			slope[j] = -s * s * n[j]
		}
		return
	}
	s := r.wall(i, x, 0, 1)
	r.s[i] = s
	for j := range y {
		y[j] = along(c[j], x[j], s)
	}
	if !steep {
		return
	}
	clear(slope)
	for _, j := range r.limits[i].free {
		slope[j] = r.difference(i, x, s, j)
	}
	if s > sharpTurn && len(r.walls[i]) < maxWalls*d {
		for _, v := range slope {
			r.walls[i] = append(r.walls[i], -v/(s*s))
		}
	}
}

// inside reports whether c + s(x − c) is allowed. A difference at the face of the cube looks a little beyond it; constraints are asked about the cube only.
func (r *repair) inside(i int, x []float64, s float64) bool {
	c := r.anchors[i*r.d : (i+1)*r.d]
	for j := range x {
		r.at[j] = along(c[j], x[j], s)
	}
	return r.limits[i].may(r.at)
}

// wall returns a feasible s next to the wall between lo, feasible, and hi, not.
func (r *repair) wall(i int, x []float64, lo, hi float64) float64 {
	for range bisections {
		mid := (lo + hi) / 2
		if mid == lo || mid == hi {
			break
		}
		if r.inside(i, x, mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// difference returns ∂s/∂x_j from the walls on two neighbouring rays, looked for near s first.
func (r *repair) difference(i int, x []float64, s float64, j int) float64 {
	copy(r.ray, x)
	at := func(h float64) float64 {
		r.ray[j] = x[j] + h
		lo, hi := s, s
		for w := 4 * wallStep; ; w *= 8 {
			if lo > 0 && !r.inside(i, r.ray, lo) {
				lo = max(0, s-w)
				continue
			}
			if r.inside(i, r.ray, hi) {
				if hi = s + w; hi > 2 {
					return hi // the wall ends here
				}
				continue
			}
			return r.wall(i, r.ray, lo, hi)
		}
	}
	up := at(wallStep)
	return (up - at(-wallStep)) / (2 * wallStep)
}

// along returns c + s(x − c) in [0, 1]. A coordinate that both share, such as that of a level, keeps its bits and may be anything.
func along(c, x, s float64) float64 {
	if c == x {
		return c
	}
	return min(max(c+s*(x-c), 0), 1)
}
