package acquisition

import ()

// ground is a domain made of parts, prepared for a search.
type ground struct {
	dom      *Domain
	d        int
	free     []int     // continuous coordinates
	discrete []Part    // the other parts
	sample   []float64 // quasi-random feasible options
}

// side says where one point of a search may be.
type side struct {
	lo, hi []float64              // bounds of all coordinates; only those of the continuous ones count
	ok     func(x []float64) bool // feasible and allowed; nil: everything is
	held   bool                   // the point stays where it is
	free   []int                  // coordinates that move continuously
}

func (s side) may(x []float64) bool { return s.held || s.ok == nil || s.ok(x) }

// groundSample is the number of quasi-random options a search works with, groundCover the number of
// combinations of levels up to which each of them gets its own starts.
const (
	groundSample  = 256
	groundCover   = 32
	groundInner   = 96 // candidates that may be the best while pairs are ranked
	groundCorners = 48 // options with every continuous coordinate at a bound
)

// newGround prepares dom, or the unit cube in d dimensions if it is nil.
func newGround(dom *Domain, d int, seed uint64) *ground {
	if dom == nil {
		dom = Cube(d)
	}
	g := &ground{dom: dom, d: d, sample: dom.Points(groundSample, seed)}
	for _, p := range dom.Parts {
		if p.Levels == nil {
			g.free = append(g.free, p.At)
		} else {
			g.discrete = append(g.discrete, p)
		}
	}
	return g
}

// anywhere is the side of a point that is free in the whole domain.
func (g *ground) anywhere() side {
	return side{lo: make([]float64, g.d), hi: ones(g.d), ok: g.dom.Feasible, free: g.free}
}

// asked is the side of an option of the question.
func (g *ground) asked(t Task) side {
	s := side{lo: t.Lower, hi: t.Upper, ok: g.dom.Feasible, free: g.free}
	if t.Allowed != nil {
		s.ok = func(x []float64) bool { return g.dom.feasible(x) && t.Allowed(x) }
	}
	return s
}

// contains reports whether the side's point may be x, bounds included.
func (s side) contains(x []float64) bool {
	for _, j := range s.free {
		if !(x[j] >= s.lo[j] && x[j] <= s.hi[j]) {
			return false
		}
	}
	return s.may(x)
}

// clip moves the continuous coordinates of x into the bounds.
func (s side) clip(x []float64) {
	for _, j := range s.free {
		x[j] = min(max(x[j], s.lo[j]), s.hi[j])
	}
}
