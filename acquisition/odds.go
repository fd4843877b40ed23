package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
)

// odds are the outcomes of the questions (candidate i, candidate j) for one i and many j, all at once: what KG.partition tells of one of
// them takes most of the time in which a pair is ranked.
type odds struct {
	n          int
	i, count   int       // they are those of candidate i with the first count
	prob       []float64 // outcomes×n: Φ(β) − Φ(α)
	tilt       []float64 // outcomes×n: (φ(α) − φ(β))/s
	gap, inv   []float64 // n: m and 1/s
	z, density []float64 // n: of one edge
	below      []float64
	above      []float64
	last       []float64 // of the edge before: z, …
	lastBelow  []float64
	lastAbove  []float64
}

// newOdds returns room for n candidates.
func newOdds(outcomes, n int) odds {
	v := func() []float64 { return make([]float64, n) }
	return odds{n: n, i: -1, prob: make([]float64, outcomes*n), tilt: make([]float64, outcomes*n), gap: v(), inv: v(), z: v(), density: v(),
		below: v(), above: v(), last: v(), lastBelow: v(), lastAbove: v()}
}

// hold computes the row of candidate i, with those before it or as far as j, unless it is at hand.
func (o *odds) hold(k KG, m *gp.Moments, i, j int) {
	if o.i == i && j < o.count {
		return
	}
	n, count := o.n, max(i, j+1)
	o.i, o.count = i, count
	row := m.Cov[i*n : (i+1)*n]
	for j := range count {
		v := row[i] + m.Cov[j*n+j] - 2*row[j]
		o.gap[j], o.inv[j] = m.Mean[i]-m.Mean[j], 1/math.Sqrt(math.Max(0, v)+k.Sigma*k.Sigma)
	}
	for e, edge := range k.Edges {
		z, below, above := o.z[:count], o.below[:count], o.above[:count]
		for j := range z {
			z[j] = (edge - o.gap[j]) * o.inv[j]
		}
		normal.Halves(below, above, o.density[:count], z)
		prob, tilt, next := o.prob[e*n:], o.tilt[e*n:], o.tilt[(e+1)*n:]
		for j, d := range o.density[:count] {
			d *= o.inv[j]
			next[j] = d
			if e == 0 {
				prob[j], tilt[j] = below[j], -d
				continue
			}
			tilt[j] -= d
			if prob[j] = below[j] - o.lastBelow[j]; o.last[j] > 0 { // of two differences the one between small numbers
				prob[j] = o.lastAbove[j] - above[j]
			}
		}
		o.z, o.last, o.below, o.lastBelow, o.above, o.lastAbove = o.last, o.z, o.lastBelow, o.below, o.lastAbove, o.above
	}
	copy(o.prob[len(k.Edges)*n:], o.lastAbove[:count])
}
