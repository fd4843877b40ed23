package acquisition

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// region is a domain made of parts, prepared for a search.
type region struct {
	dom      *Domain
	d        int
	free     []int     // continuous coordinates, but for those of circles
	circles  []int     // first coordinates of continuous circles
	discrete []Part    // the other parts
	every    [][]int   // the levels of each
	tried    [][]int   // those that climbs of a question try, fewer where they are too many (promising)
	sample   []float64 // quasi-random feasible options
	plain    bool      // the whole unit cube: bounds are all that a climb has to know
}

// limits says where one point of a search may be.
type limits struct {
	lo, hi  []float64              // bounds of all coordinates; only those of the continuous ones count
	ok      func(x []float64) bool // feasible and allowed; nil: everything is
	held    bool                   // the point stays where it is
	free    []int                  // coordinates that move continuously
	circles []int                  // first coordinates of circles: these have no bounds, but equal ones pin them
}

// regionSample is the number of quasi-random options a search works with, regionCover the number of
// combinations of levels up to which each of them gets its own starts.
const (
	regionSample  = 256
	regionCover   = 32
	regionInner   = 96 // candidates that may be the best while pairs are ranked
	regionCorners = 48 // options with every continuous coordinate at a bound
)

// newRegion prepares dom, or the unit cube in d dimensions if it is nil.
func newRegion(dom *Domain, d int, seed uint64) *region {
	if dom == nil {
		dom = Cube(d)
	}
	r := &region{dom: dom, d: d, sample: dom.Points(regionSample, seed)}
	r.free, r.circles = dom.continuous(d)
	for _, p := range dom.Parts {
		if p.Levels != nil && p.count() > 1 { // else it is where it must be
			r.discrete = append(r.discrete, p)
			r.every = append(r.every, upTo(p.count()))
		}
	}
	r.tried = r.every
	return r
}

// upTo returns 0 … n−1.
func upTo(n int) []int { return xslices.Times(n, func(i int) int { return i }) }

// newCube prepares the unit cube for a search without conditions. It needs a smaller sample: challengers and candidates draw their own.
func newCube(d int, seed uint64) *region {
	return &region{dom: Cube(d), d: d, free: upTo(d), sample: sobol.Points(d, peakRaw, seed), plain: true}
}

// anywhere are the limits of a point that is free in the whole domain.
func (r *region) anywhere() limits {
	return limits{lo: make([]float64, r.d), hi: ones(r.d), ok: r.dom.Feasible, free: r.free, circles: r.circles}
}

// asked are the limits of an option of the question.
func (r *region) asked(t Task) limits {
	l := limits{lo: t.Lower, hi: t.Upper, ok: r.dom.Feasible, free: r.free, circles: r.circles}
	if t.Allowed != nil {
		l.ok = func(x []float64) bool { return r.dom.feasible(x) && t.Allowed(x) }
	}
	return l
}

// question are the limits of the two options of a question, the first of which may be held.
func (r *region) question(t Task) []limits {
	first, second := r.asked(t), r.asked(t)
	first.held = t.Hold != nil
	return []limits{first, second}
}

// may reports whether the point may be x, bounds aside.
func (l limits) may(x []float64) bool { return l.held || l.ok == nil || l.ok(x) }

// contains reports whether the point may be x, bounds included.
func (l limits) contains(x []float64) bool {
	for _, j := range l.free {
		if !(x[j] >= l.lo[j] && x[j] <= l.hi[j]) {
			return false
		}
	}
	for _, j := range l.circles {
		if l.pins(j) && !closeTo(x[j:j+2], l.lo[j:j+2], circleSlack) {
			return false
		}
	}
	return l.may(x)
}

// pins reports whether the circle at coordinate j must be where its bounds are.
func (l limits) pins(j int) bool { return l.lo[j] == l.hi[j] && l.lo[j+1] == l.hi[j+1] }

// clip moves the continuous coordinates of x into the bounds.
func (l limits) clip(x []float64) {
	for _, j := range l.free {
		x[j] = min(max(x[j], l.lo[j]), l.hi[j])
	}
	l.pin(x)
}

// clipAll does so for the points of a row, but those that are held: x̂ may lie outside of what can be asked.
func clipAll(all []limits, x []float64) {
	for i, l := range all {
		if d := len(l.lo); !l.held {
			l.clip(x[i*d : (i+1)*d])
		}
	}
}

// place moves a point of the whole domain to where it is, in proportion, within the bounds.
func (l limits) place(x []float64) {
	for _, j := range l.free {
		x[j] = l.lo[j] + x[j]*(l.hi[j]-l.lo[j])
	}
	l.pin(x)
}

// pin moves circles that are pinned to where they must be.
func (l limits) pin(x []float64) {
	for _, j := range l.circles {
		if l.pins(j) {
			copy(x[j:j+2], l.lo[j:j+2])
		}
	}
}

// A part with very many levels without order, as a list of prompts, cannot have each of them tried in every exchange of a climb: a thousand levels
// of four points would be ten thousand evaluations a round. The levels that may win are few: those with high means where x̂ is, and those of which
// little is known. Levels nobody has seen are all alike, and a few of them stand for the rest.
const (
	promisingAll  = 32 // levels up to which all are tried
	promisingEach = 8  // best ones by mean + z·sd, for every z below
)

var promisingDoubts = [...]float64{0, 1, 2}

// promising keeps the levels of large parts that climbs of a question try: the best ones at the peaks of the mean, and those of the peaks themselves.
// The search for x̂ itself tries all of them.
func (r *region) promising(p *gp.Posterior, peaks []Peak) {
	r.tried = slices.Clone(r.every)
	for k, part := range r.discrete {
		n := part.count()
		if part.Ordered || n <= promisingAll {
			continue
		}
		x := make([]float64, 0, n*r.d)
		for l := range n {
			x = append(x, peaks[0].X...)
			copy(part.of(x[l*r.d:]), part.level(l))
		}
		mean, variance, score := make([]float64, n), make([]float64, n), make([]float64, n)
		p.Marginals(mean, variance, x, 1)
		levels := xslices.Map(peaks[:min(len(peaks), candidatePeaks)], func(pk Peak) int { return part.find(pk.X) })
		for _, z := range promisingDoubts {
			for l := range score {
				score[l] = mean[l] + z*math.Sqrt(math.Max(0, variance[l]))
				if slices.Contains(levels, l) {
					score[l] = math.NaN()
				}
			}
			levels = append(levels, topRows(score, promisingEach)...)
		}
		slices.Sort(levels)
		r.tried[k] = slices.Compact(levels)
	}
}
