package prefer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/space"
)

// bounded has studies made by a test keep posteriors of so many bytes together.
func bounded(t *testing.T, limit int64) *memory.Budget {
	b := memory.NewBudget(limit)
	lower(t, &learn.Budget, b)
	return b
}

// TestMemoryOfStudies: posteriors of all studies share one bound, those used least recently go first, and a study whose posteriors are gone has
// the same ones when they are wanted again, also between two counts of the schedule, where hyper-parameters are remembered alone.
func TestMemoryOfStudies(t *testing.T) {
	all := simulated(160, 2, 4)
	option := func(x []float64) space.Option {
		return space.Option{"x": space.ValueOf(x[0]), "y": space.ValueOf(x[1])}
	}
	study := func(n int) *Study {
		s := start(t, Config{Space: unitSquare()})
		for i, o := range all.Outcome[:n] {
			observe(t, s, option(all.A[2*i:2*i+2]), option(all.B[2*i:2*i+2]), map[gp.Outcome]Choice{1: First, -1: Second, 0: Tie}[o])
		}
		return s
	}
	b := bounded(t, 0)
	first, second := study(154), study(152)
	both := func() (bits []uint64) {
		for _, s := range []*Study{first, second} {
			bits = append(bits, fingerprint(learned(t, s))...)
			belief, err := s.Belief(ctx, Look{})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range belief.utility.Parts {
				bits = append(bits, fingerprint(p)...)
			}
		}
		return bits
	}
	want := both()
	large := b.Stats().Used
	if again := both(); !slices.Equal(again, want) || b.Stats() != (memory.Stats{Used: large}) {
		t.Fatalf("looking again changed something: %+v", b.Stats())
	}
	b.SetLimit(large / 2)
	if s := b.Stats(); s.Used > large/2 || s.Used == 0 || s.Evicted == 0 || len(first.questionFits.Ready())+len(first.beliefFits.Ready()) != 0 {
		t.Errorf("%d bytes of %d are kept where half are allowed, %d evicted, %d of the study used first", s.Used, large, s.Evicted, len(first.questionFits.Ready())+len(first.beliefFits.Ready()))
	}
	b.SetLimit(1)
	for range 2 {
		before := b.Stats().Evicted
		if got := both(); !slices.Equal(got, want) {
			t.Error("posteriors that had to be computed again have other bits")
		}
		if b.Stats().Evicted == before {
			t.Error("nothing was evicted")
		}
	}
	if len(second.questionFits.Ready()) != 1 || len(second.beliefFits.Ready()) != 1 || len(first.questionFits.Ready())+len(first.beliefFits.Ready()) != 0 {
		t.Error("the posteriors of the study used last are not kept, or others are")
	}
}

// simulated returns n duels in d dimensions about a bowl with its top at 0.3, answered with noise.
func simulated(n, d int, seed uint64) *gp.Duels {
	rng := rand.New(rand.NewPCG(seed, 1))
	duels := &gp.Duels{Dim: d}
	f := func(x []float64) (v float64) {
		for _, x := range x {
			v -= 20 * (x - 0.3) * (x - 0.3)
		}
		return v
	}
	a, b := make([]float64, d), make([]float64, d)
	for range n {
		for j := range d {
			a[j], b[j] = rng.Float64(), rng.Float64()
		}
		o := gp.Outcome(1)
		if g := f(a) - f(b) + rng.NormFloat64(); math.Abs(g) < 0.3 {
			o = 0
		} else if g < 0 {
			o = -1
		}
		if err := duels.Add(a, b, o); err != nil {
			panic(err)
		}
	}
	return duels
}

// TestManyDuels: beyond DenseLimit the sparse GP takes over, and the study goes on after a thousand duels.
func TestManyDuels(t *testing.T) {
	if testing.Short() {
		t.Skip("fits a thousand duels; the full suite runs it")
	}
	began := time.Now()
	s := start(t, Config{Space: unitSquare()})
	all := simulated(learn.PlainLimit+learn.PlainLimit/20, 2, 8)
	option := func(x []float64) space.Option {
		return space.Option{"x": space.ValueOf(x[0]), "y": space.ValueOf(x[1])}
	}
	for i, o := range all.Outcome {
		observe(t, s, option(all.A[2*i:2*i+2]), option(all.B[2*i:2*i+2]), map[gp.Outcome]Choice{1: First, -1: Second, 0: Tie}[o])
	}
	q := ask(t, s, "")
	t.Logf("asked %v or %v after %d duels in %v", q.First, q.Second, s.view("").Duels.Len(), time.Since(began))
	if q.Method != "kg" || !(q.Value > 0) {
		t.Errorf("asked by %s with value %g", q.Method, q.Value)
	}
	if learned(t, s).State().Inducing == nil {
		t.Error("the posterior is not the sparse one")
	}
	b, err := s.Belief(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	if best := b.Best(); math.Abs(best.Float("x")-0.3) > 0.05 || math.Abs(best.Float("y")-0.3) > 0.05 {
		t.Errorf("the best of a bowl at 0.3 is %v", best)
	}
}

// TestKept: a study keeps the posteriors that it asks from after each answer a rater may give, and fewer of those it tells by; both of everybody
// where each rater has a utility.
func TestKept(t *testing.T) {
	for people, want := range map[People][2]int{Shared: {learn.KeptFits, learn.KeptBeliefs}, PerRater: {12, 12}} {
		s := start(t, Config{Space: unitSquare(), People: people, Modelling: Modelling{Search: little}})
		for i := range 12 {
			observe(t, s, space.Option{"x": space.ValueOf(0.04 * float64(i)), "y": space.ValueOf(0.5)}, space.Option{"x": space.ValueOf(0.9), "y": space.ValueOf(0.5)}, First)
			learned(t, s)
			if _, err := s.Best(t.Context(), Look{}); err != nil {
				t.Fatal(err)
			}
		}
		if got := [2]int{len(s.questionFits.Ready()), len(s.beliefFits.Ready())}; got != want {
			t.Errorf("%s: %d posteriors to ask from and %d to tell by are kept, want %d", people, got[0], got[1], want)
		}
	}
}
