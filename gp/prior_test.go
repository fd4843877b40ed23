package gp

import (
	"math"
	"testing"
)

// TestPriorDensities: scipy 1.17.1, gamma.logpdf(x, 3, scale=1/6), gamma.logpdf(x, 2, scale=1/0.15) and
// lognorm.logpdf(x, 0.7, scale=0.3).
func TestPriorDensities(t *testing.T) {
	for _, c := range []struct {
		x                         float64
		length, output, logNormal float64
	}{
		{0.05, -1.609333319983762, -6.797472243325754, -0.8424517193531751},
		{0.5, 0.2958368660043291, -4.562387150331708, -0.1353845902324371},
		{3.0, -11.12064419553956, -3.145627681103653, -7.070975990667112},
		{20.0, -109.3264042257678, -3.798507696217771, -21.55546804768774},
	} {
		for p, want := range map[Prior]float64{
			Gamma(3, 6): c.length, Gamma(2, 0.15): c.output, LogNormal(math.Log(0.3), 0.7): c.logNormal,
		} {
			got, dlog := p.LogDensity(c.x)
			near(t, p.String(), got, want, 1e-13)
			near(t, p.String()+" slope", dlog, slope(func(h float64) float64 {
				v, _ := p.LogDensity(c.x * math.Exp(h))
				return v
			}, 1e-5), 1e-8)
		}
	}
	if v, d := Flat().LogDensity(7); v != 0 || d != 0 {
		t.Errorf("flat prior has density %g, slope %g", v, d)
	}
}

func TestPriorCenters(t *testing.T) {
	near(t, "gamma", Gamma(3, 6).Center(), 0.5, 0)
	near(t, "lognormal", LogNormal(math.Log(0.3), 0.7).Center(), 0.3, 1e-15)
	h := Model{Answers: Answers{Ties: true, Grades: 1}}.Start(2)
	near(t, "δ starts at its median", h.Cuts[0], 0.3, 1e-15)
	near(t, "the next cut", h.Cuts[1], 0.6, 1e-15)
}

// TestTiesNeverChosen: not choosing "can't tell" is evidence for a small δ, choosing it often for a
// large one.
func TestTiesNeverChosen(t *testing.T) {
	fit := func(tie int) float64 {
		ds := &Duels{Dim: 1}
		for i := range 30 {
			o := Outcome(1 - 2*(i%2))
			if i%10 < tie {
				o = 0
			}
			x := float64(i) / 30
			if err := ds.Add([]float64{x}, []float64{1 - x/2}, o); err != nil {
				t.Fatal(err)
			}
		}
		p, err := Model{Answers: Answers{Ties: true}}.Fit(t.Context(), ds, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p.Hyper().Cuts[0]
	}
	never, often := fit(0), fit(7)
	if !(never < 0.2 && often > 0.5) {
		t.Errorf("δ = %g when ties are never chosen, %g when they are in 70 %%", never, often)
	}
}
