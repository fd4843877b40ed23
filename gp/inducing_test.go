package gp

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGreedyVarianceReductionReference(t *testing.T) {
	for _, c := range loadReference(t).Greedy.Cases {
		got := GreedyVarianceReduction(Kernel{Lengthscale: c.Lengthscale, Outputscale: c.Outputscale}, flatten(c.Candidates), c.MaxPoints)
		if diff := cmp.Diff(c.Chosen, got); diff != "" {
			t.Errorf("chosen points (-want +got):\n%s", diff)
		}
	}
}

// TestInducingPoints: Sobol points first, then the options in the order of the duels, repetitions
// left out, and at most the cap.
func TestInducingPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	duels := randomDuels(rng, 30, 2, Answers{}, Cuts{0})
	if err := duels.Add(duels.A[:2], duels.B[2:4], 1); err != nil {
		t.Fatal(err)
	}
	k := Kernel{Lengthscale: []float64{0.3, 0.3}, Outputscale: 2}
	o := SparseOptions{Seed: 5}.withDefaults()
	all := o.inducingPoints(k, duels)
	if len(all) != 2*(100+60) {
		t.Errorf("%d inducing points, want 100 Sobol and 60 options", len(all)/2)
	}
	if diff := cmp.Diff(duels.A[:2], all[200:202]); diff != "" {
		t.Errorf("first option is not behind the Sobol points: %s", diff)
	}
	o.Inducing = 40
	few := o.inducingPoints(k, duels)
	if len(few) != 80 {
		t.Errorf("%d inducing points, want 40", len(few)/2)
	}
	if diff := cmp.Diff(all[:2], few[:2]); diff != "" {
		t.Errorf("greedy selection does not start at the first candidate: %s", diff)
	}
}
