package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// answerKinds are the scales of answers every inference is tested on.
var answerKinds = map[string]Answers{
	"two":         {},
	"ties":        {Ties: true},
	"graded":      {Grades: 1},
	"graded-ties": {Ties: true, Grades: 2},
}

// randomDuels draws duels answered by a smooth utility under noise σ.
func randomDuels(rng *rand.Rand, n, d int, a Answers, cuts Cuts) *Duels {
	ds := &Duels{Dim: d}
	f := func(x []float64) float64 {
		var s float64
		for j, v := range x {
			s -= 8 * (v - 0.3 - 0.1*float64(j%4)) * (v - 0.3 - 0.1*float64(j%4))
			s += 0.5 * math.Sin(7*v)
		}
		return s
	}
	for range n {
		x, y := make([]float64, d), make([]float64, d)
		for j := range d {
			x[j], y[j] = rng.Float64(), rng.Float64()
		}
		g := f(x) - f(y) + rng.NormFloat64()
		for _, o := range a.Outcomes() {
			if iv := cuts.Interval(o, 1); g > iv.Lo && g <= iv.Hi {
				if err := ds.Add(x, y, o); err != nil {
					panic(err)
				}
			}
		}
	}
	return ds
}

func testCuts(a Answers) Cuts {
	gaps := make([]float64, a.free())
	for i := range gaps {
		gaps[i] = 0.4 + 0.3*float64(i)
	}
	return a.cuts(gaps)
}

// TestEvidenceGradient checks the gradient of every evidence in every hyper-parameter, for every
// kind of answer, against central differences.
func TestEvidenceGradient(t *testing.T) {
	checked := 0
	for _, inf := range []Inference{EP, Variational, Laplace} {
		for kind, a := range answerKinds {
			for _, scale := range []float64{2, 60} {
				t.Run(fmt.Sprintf("%v/%s/scale%g", inf, kind, scale), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(7, uint64(len(kind))))
					cuts := testCuts(a)
					duels := randomDuels(rng, 18, 3, a, cuts)
					m := Model{Inference: inf, Answers: a}.WithDefaults()
					h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7, 0.3}, Outputscale: scale}, Cuts: cuts}
					checked += checkEvidenceGradient(t, m, newDense(m, duels, nil), h)
				})
			}
		}
	}
	if checked == 0 {
		t.Fatal("no gradient was checked")
	}
}

func checkEvidenceGradient(t *testing.T, m Model, ev evaluator, h Hyper) int {
	t.Helper()
	theta := m.theta(h)
	grad := make([]float64, len(theta))
	at := func(th []float64, g []float64) float64 {
		z, ok := ev.evaluate(m.fromTheta(th, h.Kernel.Dim()), 1e-11, g)
		if !ok {
			t.Errorf("inference did not settle at theta %v", th)
		}
		return z
	}
	at(theta, grad)
	for i := range theta {
		fd := slope(func(step float64) float64 {
			th := append([]float64(nil), theta...)
			th[i] += step
			return at(th, nil)
		}, 1e-4)
		// The second-order error of the difference quotient is about 1e-8 times third derivatives.
		near(t, fmt.Sprintf("∂log Z/∂θ[%d]", i), grad[i], fd, 1e-6)
	}
	return len(theta)
}
