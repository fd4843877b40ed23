package acquisition

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// mixed is a region with levels, constraints or conditions, prepared for one task: options of the question may be fewer than those of the domain.
type mixed struct {
	*region
	ask     limits    // of an option of the question
	askable []float64 // quasi-random options that may be one
}

// candidates are those of the cube in kind: peaks of the mean, what else was found, the best options shown,
// quasi-random options and neighbours of x̂; none of them twice. If one side is held it is the last.
func (f *mixed) candidates(t Task, peaks []Peak, rivals, inward, slopes []float64) *candidates {
	p := t.utility()
	c := &candidates{d: f.d, peaks: peaks, in: f.region}
	var asked []bool
	seen := map[string]bool{}
	add := func(rows []float64) {
		for i := 0; i < len(rows); i += f.d {
			x := rows[i : i+f.d]
			if k := key(x); !seen[k] {
				seen[k] = true
				c.x = append(c.x, x...)
				asked = append(asked, f.ask.contains(x))
			}
		}
	}
	most := candidatePeaks
	if f.dom.combinations(regionCover) <= regionCover && len(f.discrete) > 0 {
		most += regionCover
	}
	for _, pk := range peaks[:min(len(peaks), most)] {
		add(pk.X)
	}
	add(rivals)
	before := len(asked)
	add(inward)
	for i := before; i < len(asked); i++ {
		c.inward = append(c.inward, i)
	}
	add(Top(p, f.dom.among(t.Shown), candidateShown, samePeak, t.Search.Workers))
	count := t.Search.Candidates
	if len(f.discrete) > 0 {
		count *= 2
	}
	add(f.askable[:min(len(f.askable), count*f.d)])
	add(f.corners(t.Seed))
	add(f.changes(peaks[0].X))
	near := f.dom.Around(p, peaks[0].X, candidateNear, rand.New(rand.NewPCG(t.Seed, 0xca9d)))
	add(near)
	add(slopes)
	for i := 0; i < len(near); i += f.d { // the best may be outside what can be asked
		f.ask.clip(near[i : i+f.d])
	}
	add(near)
	if t.Hold != nil {
		c.x = append(c.x, t.Hold...)
		asked = append(asked, true)
	}
	c.n = len(c.x) / f.d
	c.fill(t)
	c.may = func(i, j int) bool {
		if t.Hold != nil && i != c.n-1 || !asked[i] || !asked[j] {
			return false
		}
		return t.Hold == nil || !slices.Equal(c.row(i), c.row(j))
	}
	return c
}

// inward returns the feasible options off the faces that hold best, and off a wall: back along the slope of the mean, which is normal to the wall there.
func (f *mixed) inward(p Utility, best []float64) []float64 {
	rows := inward(p, best)
	if f.dom.Feasible != nil {
		ls := p.Hyper().Kernel.Lengthscale
		grad, size := make([]float64, f.d), 0.0
		p.MeanGradient(gp.NewMoments(1), best, grad)
		for _, j := range f.circles {
			grad[j] = tangent(best[j:], grad[j:])
			size = math.Hypot(size, grad[j]*ls[j])
		}
		for _, j := range f.free {
			size = math.Hypot(size, grad[j]*ls[j])
		}
		for _, step := range inwardSteps {
			if size == 0 {
				break // nothing holds it
			}
			x := clone(best)
			for _, j := range f.free {
				x[j] = min(max(x[j]-step*grad[j]*ls[j]*math.Min(ls[j], 1)/size, 0), 1)
			}
			for _, j := range f.circles {
				rotate(x[j:j+2], -step*grad[j]*ls[j]*math.Min(ls[j], 1)/size)
			}
			rows = append(rows, x...)
		}
	}
	return f.dom.among(rows)
}

// corners returns options that may be asked with every continuous coordinate at one of its bounds: what says most about far regions, and often what is most
// uncertain. On a cube of few dimensions that is all of them.
func (f *mixed) corners(seed uint64) []float64 {
	if len(f.free) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 0xc04e))
	var out []float64
	for i := range min(regionCorners, len(f.askable)/f.d) {
		x := clone(f.askable[i*f.d : (i+1)*f.d])
		for _, j := range f.free {
			x[j] = f.ask.lo[j]
			if rng.IntN(2) == 1 {
				x[j] = f.ask.hi[j]
			}
		}
		if f.ask.may(x) {
			out = append(out, x...)
		}
	}
	return out
}

// changesMost bounds the options that changes returns.
const changesMost = 64

// changes returns the feasible options that differ from x in one discrete part: where x̂ has no better
// neighbour in its continuous coordinates, these are its rivals.
func (f *mixed) changes(x []float64) []float64 {
	var out []float64
	for k, p := range f.discrete {
		for _, l := range f.tried[k] {
			y := clone(x)
			copy(p.of(y), p.level(l))
			if len(out) < changesMost*f.d && f.dom.feasible(y) {
				out = append(out, y...)
			}
		}
	}
	return out
}

func (f *mixed) pairs(ctx context.Context, t Task, acq, screen Acquisition) Choice {
	peaks := f.recommend(ctx, t.Posterior, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	f.promising(t.Posterior, peaks)
	return f.climbPairs(ctx, t, f.candidates(t, peaks, nil, nil, nil), acq, screen)
}
