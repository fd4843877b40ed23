package gp

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// many returns n duels of three raters in d dimensions, answered by a smooth utility, with levels and sides.
func many(n, d int) *Duels {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	duels := &Duels{Dim: d}
	f := func(x []float64) (v float64) {
		for j, t := range x {
			v -= 4 * (t - 0.4) * (t - 0.4) / (1 + float64(j))
		}
		return v + math.Sin(5*x[0])
	}
	for i := range n {
		a, b := make([]float64, d), make([]float64, d)
		for j := range d {
			a[j], b[j] = rng.Float64(), rng.Float64()
		}
		rater := i % 3
		if i%10 == 9 {
			if f(a)+0.5*rng.NormFloat64() > 0 {
				_ = duels.AddAbove(a, rater)
			} else {
				_ = duels.AddBelow(a, rater)
			}
			continue
		}
		side := int8(1 - 2*(i%2))
		o := Outcome(-1)
		if f(a)-f(b)+0.5*float64(side)+rng.NormFloat64() > 0 {
			o = 1
		}
		if err := duels.AddSide(a, b, o, rater, side); err != nil {
			panic(err)
		}
	}
	return duels
}

// TestReducedAgainstEP: at the same hyper-parameters reduced inference says what EP says, of trend, kinship, levels and position bias, too.
func TestReducedAgainstEP(t *testing.T) {
	duels := many(300, 3)
	for name, c := range map[string]struct {
		model          Model
		mean, variance float64 // how far off, in standard deviations and relatively
	}{
		"plain":  {Model{}, 0.12, 0.07},
		"trend":  {Model{Trend: LogNormal(0, 1)}, 0.12, 0.07},
		"people": {Model{Trend: LogNormal(0, 1), Kinship: LogNormal(0, 1.5), Position: DefaultPosition()}, 0.35, 0.3}, // who would need more inducing duels
	} {
		m := c.model
		h := m.Start(3)
		if m.positioned() {
			h.Position = 0.5
		}
		dense, err := m.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Inference = Reduced
		few, err := m.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		if few.n > reducedMost || math.Abs(few.Evidence()-dense.Evidence()) > 0.1 {
			t.Errorf("%s: %d inducing duels, evidence %.4f, by EP %.4f", name, few.n, few.Evidence(), dense.Evidence())
		}
		rng := rand.New(rand.NewPCG(2, 3))
		for r := -1; r < 3; r++ {
			p, q := dense.For(r), few.For(r)
			for range 100 {
				x := make([]float64, 6)
				for j := range x {
					x[j] = rng.Float64()
				}
				m, k := NewMoments(2), NewMoments(2)
				p.Moments(m, x)
				q.Moments(k, x)
				dm, dv := m.Difference(0, 1)
				km, kv := k.Difference(0, 1)
				if math.Abs(dm-km) > c.mean*math.Sqrt(dv) || math.Abs(kv/dv-1) > c.variance {
					t.Fatalf("%s, rater %d: difference %.4f ± %.4f, by EP %.4f ± %.4f", name, r, km, math.Sqrt(kv), dm, math.Sqrt(dv))
				}
			}
			near := func(what string, got, gotVar, want, wantVar float64) {
				if math.Abs(got-want) > 0.15*math.Sqrt(wantVar) || math.Abs(gotVar-wantVar) > 0.1*wantVar {
					t.Errorf("%s, rater %d: %s %.4f ± %.4f, by EP %.4f ± %.4f", name, r, what, got, math.Sqrt(gotVar), want, math.Sqrt(wantVar))
				}
			}
			db, dbv := dense.Bias(r)
			kb, kbv := few.Bias(r)
			near("bias", kb, kbv, db, dbv)
			dl, dlv := dense.Level(r)
			kl, klv := few.Level(r)
			near("level", kl, klv, dl, dlv)
		}
	}
}

// TestReducedRestore: a state makes the same bits again, through JSON and in a process that has no rows of Φ, also after further duels.
func TestReducedRestore(t *testing.T) {
	duels := many(300, 3)
	m := Model{Inference: Reduced, Trend: LogNormal(0, 1), Kinship: LogNormal(0, 1.5), Position: DefaultPosition()}
	base, err := m.Fit(t.Context(), duels.some(evenly(270, 270)), nil)
	if err != nil {
		t.Fatal(err)
	}
	later, err := m.Continue(duels, base.State())
	if err != nil {
		t.Fatal(err)
	}
	again, err := m.Continue(duels, throughJSON(t, base.State()))
	if err != nil {
		t.Fatal(err)
	}
	restored, err := m.Restore(duels, throughJSON(t, later.State()))
	if err != nil {
		t.Fatal(err)
	}
	if s := base.State(); s.Among != 270 || later.State().Among != 270 || s.chosen == nil || later.State().chosen != nil {
		t.Errorf("inducing duels among the first %d and %d", s.Among, later.State().Among)
	}
	for _, p := range []*Posterior{again, restored} {
		if !slices.Equal(p.b, later.b) || !slices.Equal(p.r, later.r) || p.evidence != later.evidence {
			t.Error("not the same bits")
		}
	}
	bad := later.State()
	bad.Among = 301
	if _, err := m.Restore(duels, bad); err == nil || !strings.Contains(err.Error(), "State.Among = 301") {
		t.Errorf("a choice among more duels than there are: %v", err)
	}
}

// TestReducedGradient: the gradient of the reduced evidence, inducing duels staying, is that of finite differences.
func TestReducedGradient(t *testing.T) {
	duels := many(300, 3)
	for name, m := range map[string]Model{
		"plain":       {},
		"trend":       {Trend: LogNormal(0, 1), RaterNoise: DefaultRaterNoise()},
		"polynomials": {Trend: LogNormal(0, 1), Effects: Polynomials},
		"people":      {Trend: LogNormal(0, 1), Kinship: LogNormal(0, 1.5), Position: DefaultPosition()},
	} {
		m.Inference = Reduced
		m = m.WithDefaults()
		h := m.Start(3)
		if m.positioned() {
			h.Position = 0.5
		}
		h.Raters = m.startRaters(duels, nil)
		e := newReduced(m, duels, nil)
		e.fixed = true
		theta := m.theta(h)
		grad := make([]float64, len(theta))
		e.evaluate(m.fromTheta(theta, 3), 1e-10, grad)
		for i := range theta {
			const step = 1e-4
			at := func(x float64) float64 {
				moved := append([]float64(nil), theta...)
				moved[i] += x
				z, ok := e.evaluate(m.fromTheta(moved, 3), 1e-10, nil)
				if !ok {
					t.Fatalf("%s: not settled", name)
				}
				return z
			}
			want := (at(step) - at(-step)) / (2 * step)
			if math.Abs(grad[i]-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("%s: derivative %d is %.8g, by finite differences %.8g", name, i, grad[i], want)
			}
		}
	}
}
