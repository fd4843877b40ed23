package prefer

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestContradictions: of thirty answers that want more of everything and one that does not, the one is marked, and the chance it is given is that of
// a study that never heard it.
func TestContradictions(t *testing.T) {
	for name, cfg := range map[string]Config{"averaged": {}, "likeliest": {Belief: Likeliest, Model: gp.Model{Trend: gp.None()}}} {
		s := seen(t, 2, 30, cfg, func(u []float64) float64 { return 40 * (u[0] + u[1]) })
		odd := Duel{First: optionOf(s.cfg.Space, []float64{0.2, 0.1}), Second: optionOf(s.cfg.Space, []float64{0.9, 0.8}), Answer: Answer{Choice: First}}
		before, err := s.Belief(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		a, b, _ := s.state.code.Pair(odd.First, odd.Second)
		want := before.law.prob(a, b, 1, -1, false)
		if list, err := s.Contradictions(t.Context(), Look{}); err != nil || len(list) != 0 {
			t.Errorf("%s: of one mind, and yet %v, %v", name, list, err)
		}
		id, err := s.Observe(t.Context(), odd)
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.Contradictions(t.Context(), Look{})
		if err != nil || len(list) != 1 || list[0].Answer != id {
			t.Fatalf("%s: %v, %v, want %s", name, list, err, id)
		}
		// The hyper-parameters have heard it: that makes it likelier than it was, by far less than what was said against it.
		if got := list[0].Chance; !(got >= want/2 && got < contradictory) {
			t.Errorf("%s: %g given the others, %g before it was said", name, got, want)
		}
		if err := s.Undo(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if list, err = s.Contradictions(t.Context(), Look{}); err != nil || len(list) != 0 {
			t.Errorf("%s: taken back, and yet %v, %v", name, list, err)
		}
	}
}

// TestWithout: with hyper-parameters that nothing changes, the chance without an answer is nearly that of a posterior that was never told it; the
// other sites were found with it, the more so the less it was expected.
func TestWithout(t *testing.T) {
	model := gp.Model{Noise: 1}.WithDefaults()
	h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: []float64{0.5}, Outputscale: 4}, Cuts: gp.Cuts{0}}
	post := func(ev evidence) *gp.Posterior {
		p, err := model.Condition(ev.duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for said, near := range map[gp.Outcome]float64{-1: 0.015, 1: 0.04} {
		all, rest := evidence{duels: &gp.Duels{Dim: 1}}, evidence{duels: &gp.Duels{Dim: 1}}
		for _, x := range []float64{0.9, 0.7, 0.6} {
			all.add([]float64{x}, []float64{x / 3}, 1, "")
			rest.add([]float64{x}, []float64{x / 3}, 1, "")
		}
		all.add([]float64{0.1}, []float64{0.8}, said, "")
		f := &fit{evidence: all, law: likeliest(post(all))}
		want := post(rest).Prob([]float64{0.1}, []float64{0.8}, said)
		if got, most := f.leaveOneOut(3, ""); math.Abs(got-want) > near || most != 1 {
			t.Errorf("%+d has %g of %g without itself, want %g", said, got, most, want)
		}
	}
}
