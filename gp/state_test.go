package gp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// through sends a state through JSON.
func through(t *testing.T, s State) State {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back State
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

// sameBits checks that two posteriors agree to the last bit at random points, now and after one more answer.
func sameBits(t *testing.T, rng *rand.Rand, got, want *Posterior, point func() []float64) {
	t.Helper()
	a, b := NewMoments(3), NewMoments(3)
	for range 4 {
		var x []float64
		for range 3 {
			x = append(x, point()...)
		}
		got.Moments(a, x)
		want.Moments(b, x)
		for i, v := range append(append([]float64(nil), a.Mean...), a.Cov...) {
			if w := append(append([]float64(nil), b.Mean...), b.Cov...)[i]; math.Float64bits(v) != math.Float64bits(w) {
				t.Fatalf("moment %d: %x, want %x", i, v, w)
			}
		}
		x, y := point(), point()
		if v, w := got.Condition(x, y, 1).Mean(y), want.Condition(x, y, 1).Mean(y); v != w {
			t.Fatalf("mean after one more answer: %x, want %x", v, w)
		}
	}
	if diff := cmp.Diff(want.State(), got.State(), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(State{})); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
}

// TestRestore: a posterior restored from its state, after JSON, is the one the fit returned, bit for bit.
func TestRestore(t *testing.T) {
	ties := Answers{Ties: true}
	plain := func(rng *rand.Rand, n int, a Answers) *Duels { return randomDuels(rng, n, 3, a, testCuts(a)) }
	kinds := map[string]struct {
		model Model
		duels func(rng *rand.Rand, n int, a Answers) *Duels
	}{
		"plain": {Model{}, plain},
		"ties":  {Model{Answers: ties, Noise: 1.3}, plain},
		"trend": {Model{Trend: LogNormal(1, 1)}, plain},
		"effects": {Model{Scales: mixedScales, Trend: LogNormal(1, 1), Effects: Polynomials}, func(rng *rand.Rand, n int, a Answers) *Duels {
			return mixedDuels(rng, n, a, testCuts(a))
		}},
		"scales": {Model{Scales: mixedScales}, func(rng *rand.Rand, n int, a Answers) *Duels { return mixedDuels(rng, n, a, testCuts(a)) }},
		"raters": {Model{Answers: ties, RaterNoise: DefaultRaterNoise()}, func(rng *rand.Rand, n int, a Answers) *Duels {
			return raterDuels(rng, n, a, testCuts(a), 0.5, 1, 2)
		}},
		"level": {Model{Answers: ties, Trend: LogNormal(1, 1), Level: Level{Accept: 0.6}}, func(rng *rand.Rand, n int, a Answers) *Duels {
			return levelDuels(rng, n, 3, a, testCuts(a))
		}},
	}
	checked := 0
	for name, kind := range kinds {
		for _, inf := range allInferences {
			if inf == Sparse && (kind.model.trended() || name == "level") {
				continue
			}
			sizes := []int{0, 1, 30, 200}
			if inf == Sparse {
				sizes = append(sizes, 400)
			}
			for _, n := range sizes {
				t.Run(fmt.Sprintf("%s/%v/%d", name, inf, n), func(t *testing.T) {
					m := kind.model
					m.Inference = inf
					if n >= 200 {
						m.MaxEvals, m.SparseOptions.Inducing = 2, 100
					}
					rng := rand.New(rand.NewPCG(uint64(n), uint64(inf)))
					duels := kind.duels(rng, n, m.Answers)
					point := func() []float64 { return kind.duels(rng, 1, Answers{Ties: true}).A }
					p, err := m.Fit(context.Background(), duels, nil)
					if err != nil {
						t.Fatal(err)
					}
					q, err := m.Restore(duels, through(t, p.State()))
					if err != nil {
						t.Fatal(err)
					}
					sameBits(t, rng, q, p, point)
					checked++
				})
			}
		}
	}
	if checked == 0 {
		t.Fatal("nothing was restored")
	}
}

// TestRestoreOthers: what Model.Condition and Draws return can be restored as well, and sparse posteriors whose
// inducing points no fit would choose from here.
func TestRestoreOthers(t *testing.T) {
	for _, inf := range allInferences {
		m := lawModel(inf)
		m.SparseOptions.Inducing = 30
		duels := lawData(8)
		fitted, err := m.Fit(context.Background(), duels, nil)
		if err != nil {
			t.Fatal(err)
		}
		h := fitted.Hyper()
		h.Kernel.Outputscale *= 3
		conditioned, err := m.Condition(duels, h, fitted)
		if err != nil {
			t.Fatal(err)
		}
		draws, err := m.Draws(context.Background(), duels, fitted, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, 3))
		for _, p := range append(draws, conditioned) {
			q, err := m.Restore(duels, through(t, p.State()))
			if err != nil {
				t.Fatal(err)
			}
			sameBits(t, rng, q, p, func() []float64 { return []float64{rng.Float64(), rng.Float64()} })
		}
	}
}

func TestRestoreWarnings(t *testing.T) {
	duels := lawData(2)
	m := Model{Answers: Answers{Ties: true}, MaxEvals: 1}
	p, err := m.Fit(context.Background(), duels, nil)
	if err != nil {
		t.Fatal(err)
	}
	q, err := m.Restore(duels, p.State())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := errors.Join(q.Warnings()...), errors.Join(p.Warnings()...); want == nil || got == nil || got.Error() != want.Error() {
		t.Errorf("warnings %v, want %v", got, want)
	}
	if q.Evaluations() != p.Evaluations() || q.Evidence() != p.Evidence() || q.LogPrior() != p.LogPrior() {
		t.Error("evaluations, evidence or prior were lost")
	}
}

func TestRestoreErrors(t *testing.T) {
	duels := lawData(2)
	state := func(inf Inference) State {
		p, err := lawModel(inf).Condition(duels, Hyper{Kernel: Kernel{Lengthscale: []float64{0.3, 0.6}, Outputscale: 8}, Cuts: Cuts{0.4}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p.State()
	}
	for _, c := range []struct {
		want  string
		inf   Inference
		spoil func(*State)
	}{
		{"State.Inference = ep, want sparse", Sparse, func(s *State) { s.Inference = EP }},
		{"looks ahead", EP, func(s *State) { s.Imagined = 1 }},
		{"19 precisions and 20 shifts for 20 duels", EP, func(s *State) { s.Sites.Lambda = s.Sites.Lambda[1:] }},
		{"Lambda[3] = -1", EP, func(s *State) { s.Sites.Lambda[3] = -1 }},
		{"Sites.Lambda: number 2 is NaN", Laplace, func(s *State) { s.Sites.Lambda[2] = math.NaN() }},
		{"Sites.Nu: number 0 is +Inf", Variational, func(s *State) { s.Sites.Nu[0] = math.Inf(1) }},
		{"no inducing points", EP, func(s *State) { s.Inducing = []float64{1, 2} }},
		{"not a multiple of 2", Sparse, func(s *State) { s.Inducing = s.Inducing[1:] }},
		{"Inducing[1] = NaN", Sparse, func(s *State) { s.Inducing[1] = math.NaN() }},
		{"Evidence: number 0 is -Inf", EP, func(s *State) { s.Evidence = math.Inf(-1) }},
		{"Evaluations = -1", EP, func(s *State) { s.Evaluations = -1 }},
		{"3 lengthscales for points with 2", EP, func(s *State) { s.Hyper.Kernel.Lengthscale = []float64{1, 1, 1} }},
		{"0 cuts", EP, func(s *State) { s.Hyper.Cuts = nil }},
		{"20 duels give no posterior", EP, func(s *State) { s.Sites.Lambda[0] = 1e308 }},
		{"weights: number 0 is NaN", EP, func(s *State) { s.Sites.Nu[0] = 1e308 }},
	} {
		s := state(c.inf)
		c.spoil(&s)
		if _, err := lawModel(c.inf).Restore(duels, s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	p, err := lawModel(EP).Restore(duels, state(EP))
	if err != nil {
		t.Fatal(err)
	}
	if n := p.Condition([]float64{0, 0}, []float64{1, 1}, 1).State().Imagined; n != 1 {
		t.Errorf("%d imagined answers after one", n)
	}
}

// FuzzRestore feeds arbitrary JSON to Restore: an error, or a posterior made of finite numbers.
func FuzzRestore(f *testing.F) {
	duels := lawData(1)
	duels = &Duels{Dim: 2, A: duels.A[:8], B: duels.B[:8], Outcome: duels.Outcome[:4], Rater: []int{0, 1, 0, 1}}
	model := func(inf Inference) Model {
		m := lawModel(inf)
		m.RaterNoise = DefaultRaterNoise()
		return m
	}
	for _, inf := range allInferences {
		p, err := model(inf).Fit(context.Background(), duels, nil)
		if err != nil {
			f.Fatal(err)
		}
		text, err := json.Marshal(p.State())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add([]byte(strings.ReplaceAll(string(text), "0.", "1e200")))
		f.Add([]byte(strings.ReplaceAll(string(text), "e-", "e")))
	}
	f.Add([]byte(`{"inference":"sparse","hyper":{"kernel":{"lengthscale":[1e-320,1],"outputscale":1e300},"cuts":[1]},"sites":{"lambda":[0,0,0,0],"nu":[0,0,0,0]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s State
		if json.Unmarshal(text, &s) != nil {
			return
		}
		p, err := model(s.Inference).Restore(duels, s)
		if err != nil {
			return
		}
		if err := errors.Join(finite("b", p.b), finite("r", p.r)); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(s, p.State(), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(State{})); diff != "" {
			t.Errorf("the state changed (-want +got):\n%s", diff)
		}
	})
}

// BenchmarkRestore beside a cold conditioning on the same duels at the same hyper-parameters.
func BenchmarkRestore(b *testing.B) {
	for _, inf := range []Inference{EP, Sparse} {
		for _, n := range []int{30, 120, 400} {
			m := Model{Inference: inf}
			ds := benchDuels(n, 6)
			p := fitOrFatal(b, m, ds, nil)
			h, s := p.Hyper(), p.State()
			b.Run(fmt.Sprintf("%v/n%d/restore", inf, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := m.Restore(ds, s); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("%v/n%d/condition", inf, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := m.Condition(ds, h, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
