package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestGradeGradient checks the gradient of log evidence + log prior in θ where δ and grades have priors of their own,
// also at cuts that are hundreds of σ apart.
func TestGradeGradient(t *testing.T) {
	checked := 0
	for _, inf := range []Inference{EP, Variational, Laplace} {
		for _, a := range []Answers{{Grades: 1}, {Ties: true, Grades: 1}, {Ties: true, Grades: 2}} {
			for _, wide := range []float64{1, 300} {
				t.Run(fmt.Sprintf("%v/%+v/wide%g", inf, a, wide), func(t *testing.T) {
					m := Model{Inference: inf, Answers: a, Grade: DefaultGrade()}.WithDefaults()
					gaps := make([]float64, a.free())
					for i := range gaps {
						gaps[i] = 0.4
						if i > 0 || !a.Ties {
							gaps[i] = wide * (0.8 + 0.3*float64(i))
						}
					}
					cuts := a.cuts(gaps)
					duels := randomDuels(rand.New(rand.NewPCG(11, uint64(wide))), 18, 3, a, cuts)
					h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7, 0.3}, Outputscale: 2 * wide * wide}, Cuts: cuts}
					theta, grad := m.theta(h), make([]float64, len(m.theta(h)))
					ev := newDense(m, duels, nil)
					at := func(th, g []float64) float64 {
						h := m.fromTheta(th, 3)
						z, ok := ev.evaluate(h, 1e-11, g)
						if !ok {
							t.Errorf("inference did not settle at theta %v", th)
						}
						return z + m.logPrior(h, g)
					}
					at(theta, grad)
					for i := range theta {
						fd := slope(func(step float64) float64 {
							th := append([]float64(nil), theta...)
							th[i] += step
							return at(th, nil)
						}, 1e-4)
						near(t, fmt.Sprintf("slope in θ[%d]", i), grad[i], fd, 1e-5)
						checked++
					}
				})
			}
		}
	}
	if checked == 0 {
		t.Fatal("no gradient was checked")
	}
}

// strongTaste are duels of a taste in units of the noise: f(x) = scale·x, "clearly" beyond half of the range.
func strongTaste(scale float64) *Duels {
	rng, duels := rand.New(rand.NewPCG(12, 1)), &Duels{Dim: 1}
	for range 40 {
		a, b := rng.Float64(), rng.Float64()
		g := scale*(a-b) + rng.NormFloat64()
		o := Outcome(1)
		if math.Abs(g) > scale/2 {
			o = 2
		}
		if g < 0 {
			o = -o
		}
		if err := duels.Add([]float64{a}, []float64{b}, o); err != nil {
			panic(err)
		}
	}
	return duels
}

// TestGradeFarOut: where the noise is a hundredth of the taste nothing but the prior keeps "clearly" from being found there:
// the bound of δ would have.
func TestGradeFarOut(t *testing.T) {
	m := Model{Answers: Answers{Grades: 1}, Grade: Flat(), Outputscale: Flat()}
	p, err := m.Fit(context.Background(), strongTaste(200), nil)
	if err != nil {
		t.Fatal(err)
	}
	if cut := p.Hyper().Cuts[1]; cut < 2*maxGap || cut > maxGrade/2 {
		t.Errorf("\"clearly\" from %.3gσ on, want about 100", cut)
	}
}

// TestGradeDefaultsToCut: without a prior of their own grades have that of δ, to the last bit.
func TestGradeDefaultsToCut(t *testing.T) {
	duels := randomDuels(rand.New(rand.NewPCG(13, 1)), 25, 2, Answers{Ties: true, Grades: 1}, Cuts{0.4, 1.2})
	m := Model{Answers: Answers{Ties: true, Grades: 1}}
	own := m
	own.Grade = m.WithDefaults().Cut
	a, err := m.Fit(context.Background(), duels, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := own.Fit(context.Background(), duels, nil) // the bound differs, and is far away
	if err != nil {
		t.Fatal(err)
	}
	if a.Evidence() != b.Evidence() || a.Hyper().Cuts[1] != b.Hyper().Cuts[1] {
		t.Errorf("evidence %v, cuts %v; with the same prior spelled out %v, %v", a.Evidence(), a.Hyper().Cuts, b.Evidence(), b.Hyper().Cuts)
	}
	if m.Chance(duels) != own.Chance(duels) {
		t.Errorf("chance %v, spelled out %v", m.Chance(duels), own.Chance(duels))
	}
}

// TestGradeChance: the evidence of answers about nothing, against sums over a grid of both gaps.
func TestGradeChance(t *testing.T) {
	duels := &Duels{Dim: 1}
	count := map[Outcome]float64{}
	for _, o := range []Outcome{0, 1, -1, 2, -2, 1, 0, -1, 1, 1, -2, 0} {
		count[o]++
		if err := duels.Add([]float64{0}, []float64{1}, o); err != nil {
			t.Fatal(err)
		}
	}
	m := Model{Answers: Answers{Ties: true, Grades: 1}, Grade: DefaultGrade()}.WithDefaults()
	var each []float64
	const n = 300
	for i := range n {
		for j := range n {
			u, v := -6+12*(float64(i)+0.5)/n, -6+12*(float64(j)+0.5)/n
			delta := math.Exp(m.Cut.A + m.Cut.B*u)
			clear := delta + math.Exp(m.Grade.A+m.Grade.B*v)
			tie, far := 2*cdf(delta)-1, cdf(-clear)
			each = append(each, count[0]*math.Log(tie)+(count[1]+count[-1])*math.Log(cdf(-delta)-far)+(count[2]+count[-2])*math.Log(far)-
				(u*u+v*v)/2-math.Log(2*math.Pi)+2*math.Log(12))
		}
	}
	if got, want := m.Chance(duels), logMean(each); math.Abs(got-want) > 0.05 {
		t.Errorf("%.4f, on a grid %.4f", got, want)
	}
}
