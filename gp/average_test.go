package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// peopleLike is a model with priors so wide that a few duels leave most of them open.
func peopleLike() Model {
	return Model{Lengthscale: LogNormal(0.5, 1), Outputscale: LogNormal(-1, 1.5), Trend: LogNormal(0, 2), Effects: Polynomials}
}

// TestAverageAgainstPriorDraws: forecasts and evidence are those of very many settings drawn from the prior and weighted
// by their evidence, another road to the same integral.
func TestAverageAgainstPriorDraws(t *testing.T) {
	const d, many = 2, 4000
	rng := rand.New(rand.NewPCG(1, 7))
	duels := randomDuels(rng, 14, d, Answers{}, Cuts{0})
	m := peopleLike()
	x, err := Average(context.Background(), duels, m)
	if err != nil {
		t.Fatal(err)
	}
	points := make([][]float64, 12)
	for i := range points {
		points[i] = []float64{rng.Float64(), rng.Float64()}
	}
	want := make([]float64, len(points)/2)
	var all []float64
	top := math.Inf(-1)
	type setting struct {
		z float64
		p []float64
	}
	var settings []setting
	for range many {
		h := m.Start(d)
		for j := range h.Kernel.Lengthscale {
			h.Kernel.Lengthscale[j] = math.Exp(0.5 + rng.NormFloat64())
		}
		h.Kernel.Outputscale, h.Kernel.Trend = math.Exp(-1+1.5*rng.NormFloat64()), math.Exp(2*rng.NormFloat64())
		p, err := m.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := setting{z: p.Evidence()}
		for i := range want {
			s.p = append(s.p, p.Prob(points[2*i], points[2*i+1], 1))
		}
		settings, all = append(settings, s), append(all, s.z)
		top = max(top, s.z)
	}
	var sum float64
	for _, s := range settings {
		w := math.Exp(s.z - top)
		sum += w
		for i := range want {
			want[i] += w * s.p[i]
		}
	}
	for i := range want {
		want[i] /= sum
		if got := x.Prob(points[2*i], points[2*i+1], 1); math.Abs(got-want[i]) > 0.045 {
			t.Errorf("pair %d: %.3f, by %d draws of the prior %.3f", i, got, many, want[i])
		}
	}
	if want := logMean(all); math.Abs(x.Evidence()-want) > 0.25 {
		t.Errorf("log evidence %.3f, by %d draws of the prior %.3f", x.Evidence(), many, want)
	}
}

// TestAverageOfModels: models share in the whole by their evidence.
func TestAverageOfModels(t *testing.T) {
	duels := randomDuels(rand.New(rand.NewPCG(2, 7)), 20, 2, Answers{Ties: true}, Cuts{0.4})
	a, b := peopleLike(), Model{}
	a.Answers, b.Answers = Answers{Ties: true}, Answers{Ties: true}
	x, err := Average(context.Background(), duels, a, b)
	if err != nil {
		t.Fatal(err)
	}
	one, err := Average(context.Background(), duels, a)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Average(context.Background(), duels, b)
	if err != nil {
		t.Fatal(err)
	}
	share := 1 / (1 + math.Exp(two.Evidence()-one.Evidence()))
	p, q := []float64{0.1, 0.8}, []float64{0.7, 0.3}
	want := share*one.Prob(p, q, 1) + (1-share)*two.Prob(p, q, 1)
	if got := x.Prob(p, q, 1); math.Abs(got-want) > 0.03 { // each has half the effort
		t.Errorf("together %.4f, each by its evidence %.4f", got, want)
	}
	if x.Hyper().Kernel.Trend != 0 {
		t.Errorf("models of which one has a trend have together %g", x.Hyper().Kernel.Trend)
	}
}

// TestChance: the evidence of answers about nothing, against a fine grid of the gap; and coins look like chance where
// answers by a utility do not.
func TestChance(t *testing.T) {
	coin := &Duels{Dim: 1}
	rng := rand.New(rand.NewPCG(3, 7))
	for range 40 {
		o := Outcome(1)
		if rng.Float64() < 0.5 {
			o = -1
		}
		if err := coin.Add([]float64{rng.Float64()}, []float64{rng.Float64()}, o); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := (Model{}).Chance(coin), 40*math.Log(0.5); math.Abs(got-want) > 1e-9 {
		t.Errorf("40 coins: %g, want %g", got, want)
	}
	for _, c := range []struct {
		name  string
		duels *Duels
		like  bool
	}{{"coins", coin, true}, {"a utility", randomDuels(rng, 40, 1, Answers{}, Cuts{0}), false}} {
		x, err := Average(context.Background(), c.duels, peopleLike(), Model{})
		if err != nil {
			t.Fatal(err)
		}
		if odds := (Model{}).Chance(c.duels) - x.Evidence(); (odds > 0) != c.like {
			t.Errorf("%s: chance is likelier by e^%.2f", c.name, odds)
		}
	}
	ties := &Duels{Dim: 1}
	for i := range 30 {
		if err := ties.Add([]float64{0}, []float64{1}, Outcome(i%3-1)); err != nil {
			t.Fatal(err)
		}
	}
	m := Model{Answers: Answers{Ties: true}}.WithDefaults()
	var each []float64
	for i := range 4001 {
		z := -6 + 12*float64(i)/4000
		delta := math.Exp(m.Cut.A + m.Cut.B*z)
		tie := 2*cdf(delta) - 1
		each = append(each, 10*math.Log(tie)+20*math.Log((1-tie)/2)-z*z/2-0.5*math.Log(2*math.Pi)+math.Log(12))
	}
	if got, want := m.Chance(ties), logMean(each); math.Abs(got-want) > 0.02 {
		t.Errorf("a third of ties: %.4f, on a grid %.4f", got, want)
	}
}

func cdf(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// TestAverageOfManyCoordinates: items may have more features than quasi-random points have dimensions.
func TestAverageOfManyCoordinates(t *testing.T) {
	duels := randomDuels(rand.New(rand.NewPCG(4, 7)), 6, 100, Answers{}, Cuts{0})
	x, err := Average(context.Background(), duels, peopleLike(), Model{})
	if err != nil || !(x.Evidence() < 0) {
		t.Errorf("evidence %g, %v", x.Evidence(), err)
	}
}
