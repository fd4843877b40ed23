package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSparsePrefix: sparse inference that continues from what a posterior keeps of the first duels gives the utility of one that computes all, and the same
// bits after the states went through JSON, before and after it continued. Raters have a position bias, which is a column each.
func TestSparsePrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	all := sidedDuels(rng, 420, 3, Answers{}, Cuts{0}, [3]float64{1, 0, -1})
	head := func(n int) *Duels { return all.some(evenly(n, n)) }
	m := Model{Inference: Sparse, Trend: Gamma(1.5, 0.1), Position: DefaultPosition(), SparseOptions: SparseOptions{Inducing: 40}}
	first, err := m.Fit(context.Background(), head(350), nil)
	if err != nil {
		t.Fatal(err)
	}
	if first.known == nil || first.known.size() < 350*40 || first.Size() < int64(8*350*40) {
		t.Fatalf("nothing is kept of 350 duels: %d numbers, %d bytes in all", first.known.size(), first.Size())
	}
	bits := func(p *Posterior) (out []uint64) {
		for _, v := range slices.Concat(p.b, p.r, p.sites.Lambda, p.sites.Nu, []float64{p.evidence}) {
			out = append(out, math.Float64bits(v))
		}
		return out
	}
	was := bits(first)
	for _, n := range []int{350, 351, 420} {
		got, err := m.Continue(head(n), first.State())
		if err != nil {
			t.Fatal(err)
		}
		again, err := m.Continue(head(n), through(t, first.State()))
		if err != nil {
			t.Fatal(err)
		}
		restored, err := m.Restore(head(n), through(t, got.State()))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(bits(got), bits(again)) || !slices.Equal(bits(got), bits(restored)) {
			t.Errorf("%d duels: other bits after JSON", n)
		}
		whole := m
		whole.SparseOptions.Points = first.inducing
		want, err := whole.Condition(head(n), first.Hyper(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 40 {
			x := all.A[3*i : 3*i+3]
			if a, b := got.Mean(x), want.Mean(x); math.Abs(a-b) > 1e-4*(1+math.Abs(b)) {
				t.Errorf("%d duels: mean %g, computed from nothing %g", n, a, b)
			}
			if a, b := got.Variance(x), want.Variance(x); math.Abs(a-b) > 1e-4*b {
				t.Errorf("%d duels: variance %g, computed from nothing %g", n, a, b)
			}
		}
	}
	if !slices.Equal(was, bits(first)) {
		t.Error("continuing has changed the posterior")
	}
	// A fit that starts from the posterior chooses other inducing points and hyper-parameters, so that nothing of it holds.
	more, err := m.Fit(context.Background(), head(420), first)
	if err != nil {
		t.Fatal(err)
	}
	same := m
	same.SparseOptions.Points = more.inducing
	want, err := same.Condition(head(420), more.Hyper(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if x := all.A[:3]; math.Abs(more.Mean(x)-want.Mean(x)) > 1e-4 {
		t.Errorf("a fit from the posterior has mean %g, computed from nothing %g", more.Mean(x), want.Mean(x))
	}
	for _, known := range []int{-1, 351} {
		s := first.State()
		s.Known = known
		if _, err := m.Restore(head(350), s); err == nil {
			t.Errorf("State.Known = %d of 350 duels was accepted", known)
		}
	}
}
