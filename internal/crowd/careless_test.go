package crowd

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
)

// TestCarelessOdds: under a coin e^odds has the mean 1, as a ratio of probabilities has: of sides, of pairs that came twice, of
// response times of those who look.
func TestCarelessOdds(t *testing.T) {
	n, mean := 17, 0.0
	for k := range n + 1 {
		mean += math.Exp(lgamma(float64(n+1)) - lgamma(float64(k+1)) - lgamma(float64(n-k+1)) - float64(n)*math.Ln2 + sideOdds(k, n))
	}
	if math.Abs(mean-1) > 1e-12 {
		t.Errorf("sides: %g", mean)
	}
	const pairs = 6
	mean = 0
	for bits := range 1 << pairs {
		var answers []Preference
		for i := range pairs {
			a, b := []float64{float64(i)}, []float64{float64(i) + 0.5}
			answers = append(answers, Preference{a, b, true, false}, Preference{b, a, bits>>i&1 == 0, false})
		}
		mean += math.Exp(-selfOdds(answers)) / (1 << pairs)
	}
	if math.Abs(mean-1) > 1e-12 {
		t.Errorf("saying the same again: %g", mean)
	}
	mean = 0
	for x := -6.0; x < 6; x += 0.001 {
		mean += math.Exp(-x*x/(2*0.25)) / (0.5 * math.Sqrt(2*math.Pi)) * 0.001 * math.Exp(quickOdds(time.Duration(1e12*math.Exp(x)), 1e12))
	}
	if mean > 1 || mean < 0.6 { // less than 1, for it says quickMost at most
		t.Errorf("quickness: %g", mean)
	}
}

// TestLogProbability: the probability of preferences is Φ of one, and of several nearly the evidence that EP, of which it is the first pass, finds for them.
func TestLogProbability(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	duels := &gp.Duels{Dim: 2}
	var answers []Preference
	var x []float64
	const n = 12
	for range n {
		a, b := []float64{rng.Float64(), rng.Float64()}, []float64{rng.Float64(), rng.Float64()}
		c := Preference{A: a, B: b, First: a[0]+0.5*a[1]+0.3*rng.NormFloat64() > b[0]+0.5*b[1]}
		o := gp.Outcome(-1)
		if c.First {
			o = 1
		}
		if err := duels.Add(a, b, o); err != nil {
			t.Fatal(err)
		}
		answers, x = append(answers, c), append(append(x, a...), b...)
	}
	post, err := gp.Model{Noise: 1, Trend: gp.None()}.WithDefaults().Fit(t.Context(), duels, nil)
	if err != nil {
		t.Fatal(err)
	}
	kernel, cov := post.Hyper().Kernel, make([]float64, 4*n*n)
	for i := range 2 * n {
		for j := range 2 * n {
			cov[i*2*n+j] = kernel.At(x[2*i:2*i+2], x[2*j:2*j+2])
		}
	}
	if got, want := logProbability(answers, make([]float64, 2*n), cov, 1), post.Evidence(); math.Abs(got-want) > 0.2 {
		t.Errorf("%d answers have log probability %.3f, EP says %.3f", n, got, want)
	}
	got := logProbability([]Preference{{First: false}}, []float64{0.5, -0.5}, []float64{2, 1, 1, 3}, 1)
	if want := normal.LogCDF(-1 / 2.0); math.Abs(got-want) > 1e-12 { // Var d = 2 + 3 − 2
		t.Errorf("one answer: %g, want %g", got, want)
	}
}
