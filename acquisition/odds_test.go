package acquisition

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestOdds: a row of pairs has the outcomes that each has alone, whatever the number of edges, also after another row and for pairs
// beyond the diagonal.
func TestOdds(t *testing.T) {
	const n = 11
	rng := rand.New(rand.NewPCG(8, 9))
	m := gp.NewMoments(n)
	for i := range n {
		m.Mean[i] = 12 * rng.NormFloat64()
		m.Cov[i*n+i] = 3 + rng.Float64()
		for j := range i {
			m.Cov[i*n+j] = rng.NormFloat64()
			m.Cov[j*n+i] = m.Cov[i*n+j]
		}
	}
	for _, edges := range [][]float64{{0}, {-0.3, 0.3}, {-2, -0.3, 0.3, 2}} {
		k := KG{Edges: edges, Sigma: 0.5}
		outcomes := k.Outcomes()
		prob, tilt := make([]float64, outcomes), make([]float64, outcomes)
		row := newOdds(outcomes, n)
		for i := range n {
			for j := range n {
				row.hold(k, m, i, j)
				d, v := m.Difference(i, j)
				s := spread(v, k.Sigma)
				k.partition(d, s, prob, tilt)
				for o := range prob {
					agree(t, "probability", row.prob[o*n+j], prob[o], 1e-12)
					agree(t, "weight", row.tilt[o*n+j], tilt[o]/s, 1e-12)
				}
			}
		}
	}
}

// TestTopmost: the heap keeps what sorting all would.
func TestTopmost(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	heap := topmost[ranked]{most: rankKeep, order: byScore}
	var all []ranked
	for i := range 4 * rankKeep {
		p := ranked{i, i / 3, float64(rng.IntN(rankKeep))} // many ties
		heap.add(p)
		all = append(all, p)
	}
	slices.SortFunc(all, byScore)
	if got := heap.sorted(); !slices.Equal(got, all[:rankKeep]) {
		t.Fatalf("%v, want %v", got, all[:rankKeep])
	}
}
