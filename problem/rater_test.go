package problem

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/internal/normal"
)

func TestDraws(t *testing.T) {
	if At(1, 2) != At(1, 2) {
		t.Error("a draw changes")
	}
	if a := At(1, 2); a == At(2, 1) || a == At(1, 3) || a == At(2, 2) {
		t.Error("different draws are the same")
	}
	// Moments over many answers of many seeds, against 4 standard errors.
	const seeds, answers = 50, 2000
	var n, mean, square, lag, uniform, cross float64
	for seed := range uint64(seeds) {
		last := 0.0
		for i := range uint64(answers) {
			d := At(seed, i)
			if d.Uniform < 0 || d.Uniform >= 1 {
				t.Fatalf("uniform %v", d.Uniform)
			}
			n++
			mean += d.Normal
			square += d.Normal * d.Normal
			lag += d.Normal * last
			uniform += d.Uniform - 0.5
			cross += d.Normal * (d.Uniform - 0.5)
			last = d.Normal
		}
	}
	for _, c := range []struct {
		name           string
		sum, want, dev float64
	}{
		{"mean", mean, 0, 1},
		{"square", square, 1, math.Sqrt2},
		{"product of successive", lag, 0, 1},
		{"uniform", uniform, 0, math.Sqrt(1.0 / 12)},
		{"product of both", cross, 0, math.Sqrt(1.0 / 12)},
	} {
		if got := c.sum / n; math.Abs(got-c.want) > 4*c.dev/math.Sqrt(n) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPrefers(t *testing.T) {
	for _, c := range []struct {
		name            string
		sigma, lapse    float64
		link            Link
		f1, f2          float64
		normal, uniform float64
		want            bool
	}{
		{"better", 0, 0, Probit, 2, 1, -9, 0.5, true},
		{"worse", 0, 0, Probit, 1, 2, 9, 0.5, false},
		{"tie, heads", 0, 0, Probit, 1, 1, 0.3, 0.5, true},
		{"tie, tails", 0, 0, Probit, 1, 1, -0.3, 0.5, false},
		{"no noise from an infinite draw", 0, 0, Probit, 1, 2, math.Inf(1), 0.5, false},
		{"noise loses", 1, 0, Probit, 1, 2, 0.99, 0.5, false},
		{"noise wins", 1, 0, Probit, 1, 2, 1.01, 0.5, true},
		{"noise in units of the utility", 10, 0, Probit, 10, 20, 1.01, 0.5, true},
		// Φ(1) = 0.8413 has logit 1.6687, times √3/π is 0.9200
		{"logistic loses", 1, 0, Logistic, 0, 0.921, 1, 0.5, false},
		{"logistic wins", 1, 0, Logistic, 0, 0.919, 1, 0.5, true},
		{"attentive", 0, 0.2, Probit, 1, 2, 0, 0.2, false},
		{"lapse to the second", 0, 0.2, Probit, 2, 1, 0, 0.09, false},
		{"lapse to the first", 0, 0.2, Probit, 1, 2, 0, 0.11, true},
	} {
		r := Rater{Problem: Branin(), Sigma: c.sigma, Link: c.link, Lapse: c.lapse}
		if got := r.Prefers(c.f1, c.f2, Draw{c.normal, c.uniform}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestAnswer(t *testing.T) {
	r, err := NewRater(Quadratic(2), 0)
	if err != nil || r.Sigma != 0 {
		t.Fatal(r.Sigma, err)
	}
	centre, corner := []float64{0.5, 0.5}, []float64{1, 0}
	if !r.Answer(centre, corner, Draw{-5, 0}) || r.Answer(corner, centre, Draw{5, 0}) {
		t.Error("the corner of the bowl is preferred to its centre")
	}
}

// TestLogistic: the noise has the law it says, with unit variance, and the sign of the normal.
func TestLogistic(t *testing.T) {
	const n = 1 << 16
	square := 0.0
	for i := range n {
		z := normal.Quantile((float64(i) + 0.5) / n)
		e := Logistic.noise(z)
		square += e * e / n
		if math.Signbit(e) != math.Signbit(z) {
			t.Fatalf("noise %v from %v", e, z)
		}
		if p := normal.CDF(z); math.Abs(Logistic.cdf(e)-p) > 1e-14 {
			t.Fatalf("cdf of the noise at %v: %v, want %v", e, Logistic.cdf(e), p)
		}
	}
	if math.Abs(square-1) > 1e-3 { // the midpoint rule misses a little of the tails
		t.Errorf("variance %v", square)
	}
	if e := Logistic.noise(-40); math.IsInf(e, 0) || e > -400 {
		t.Errorf("noise(−40) = %v, want about −800·√3/π", e)
	}
}

// probability returns the probability that Prefers is true over draws: Eq. 2 with lapses,
//
//	(1−λ) F((f₁−f₂)/σ) + λ/2,
//
// with F = Φ for the probit link. Without noise F is a step, ½ at equal utilities.
func (r Rater) probability(f1, f2 float64) float64 {
	var p float64
	switch diff := f1 - f2; {
	case diff == 0:
		p = 0.5
	case r.Sigma == 0 && diff > 0:
		p = 1
	case r.Sigma == 0:
		p = 0
	default:
		p = r.Link.cdf(diff / r.Sigma)
	}
	return (1-r.Lapse)*p + r.Lapse/2
}

// TestFrequencies: answers come out as often as probability and the normal law say, within 4 standard
// errors, which a right program leaves once in 16000 trials; the draws are fixed.
func TestFrequencies(t *testing.T) {
	const n = 40000
	edges := []float64{-2, -0.5, 0.5, 2}
	for i, r := range []Rater{
		{Sigma: 1},
		{Sigma: 1, Link: Logistic},
		{Sigma: 0.3, Lapse: 0.2},
		{Sigma: 2, Link: Logistic, Lapse: 0.5},
		{Lapse: 1},
		{},
	} {
		for _, diff := range []float64{-1.5, -0.2, 0, 0.7} {
			first, counts := 0.0, make([]float64, len(edges)+1)
			for k := range uint64(n) {
				d := At(uint64(i), k)
				if r.Prefers(3+diff, 3, d) {
					first++
				}
				counts[r.Outcome(3+diff, 3, edges, d)]++
			}
			check := func(what string, count, p float64) {
				t.Helper()
				if math.Abs(count/n-p) > 4*math.Sqrt(p*(1-p)/n)+1e-12 {
					t.Errorf("σ %v, %v, lapse %v, difference %v: %s in %v of answers, want %v", r.Sigma, r.Link, r.Lapse, diff, what, count/n, p)
				}
			}
			check("first", first, r.probability(3+diff, 3))
			if r.Sigma == 0 {
				continue
			}
			below := 0.0
			for k := range counts {
				upto := 1.0
				if k < len(edges) {
					upto = r.Link.cdf((edges[k] - diff) / r.Sigma)
				}
				check("an interval", counts[k], (1-r.Lapse)*(upto-below)+r.Lapse/float64(len(counts)))
				below = upto
			}
		}
	}
}

// TestCommonNumbers: with one draw a better first option never turns a win into a loss.
func TestCommonNumbers(t *testing.T) {
	for _, r := range []Rater{{Sigma: 1, Lapse: 0.1}, {Sigma: 2, Link: Logistic}, {Lapse: 0.3}} {
		for k := range uint64(500) {
			d, last := At(9, k), 0
			for diff := -6.0; diff <= 6; diff += 0.25 {
				o := r.Outcome(diff, 0, []float64{-1, 0, 1}, d)
				if o < last {
					t.Fatalf("%+v: outcome falls from %d to %d at difference %v", d, last, o, diff)
				}
				last = o
			}
		}
	}
}

func TestOutcomeEdges(t *testing.T) {
	r := Rater{}
	edges := []float64{-1, 1}
	for diff, want := range map[float64][2]int{-2: {0, 0}, -1: {0, 1}, 0: {1, 1}, 1: {1, 2}, 2: {2, 2}, math.Inf(1): {2, 2}} {
		down, up := r.Outcome(diff, 0, edges, Draw{-1, 0}), r.Outcome(diff, 0, edges, Draw{1, 0})
		if down != want[0] || up != want[1] {
			t.Errorf("difference %v: outcomes %d and %d, want %v", diff, down, up, want)
		}
	}
	if got := r.Outcome(5, 0, nil, Draw{}); got != 0 {
		t.Errorf("no edges: outcome %d", got)
	}
	if got := (Rater{Lapse: 1}).Outcome(5, 0, edges, Draw{0, math.Nextafter(1, 0)}); got != 2 {
		t.Errorf("last lapse: outcome %d", got)
	}
	mustPanic(t, "edges fall", func() { r.Outcome(0, 0, []float64{1, -1}, Draw{}) })
	mustPanic(t, "edges equal", func() { r.Outcome(0, 0, []float64{1, 1}, Draw{}) })
	mustPanic(t, "edge NaN", func() { r.Outcome(0, 0, []float64{math.NaN()}, Draw{}) })
	mustPanic(t, "utility NaN", func() { r.Prefers(math.NaN(), 0, Draw{}) })
}

func TestRaterValidate(t *testing.T) {
	if err := (Rater{Problem: Branin(), Sigma: 1, Link: Logistic, Lapse: 1}).Validate(); err != nil {
		t.Error(err)
	}
	for _, r := range []Rater{
		{Problem: Branin(), Sigma: -1},
		{Problem: Branin(), Sigma: math.NaN()},
		{Problem: Branin(), Sigma: math.Inf(1)},
		{Problem: Branin(), Lapse: -0.1},
		{Problem: Branin(), Lapse: 1.1},
		{Problem: Branin(), Link: 7},
		{},
	} {
		if r.Validate() == nil {
			t.Errorf("σ %v, %v, lapse %v, problem %q: no error", r.Sigma, r.Link, r.Lapse, r.Name)
		}
	}
	if _, err := NewRater(Branin(), 0.5); err == nil {
		t.Error("a rater who is always guessing")
	}
}

func TestNoise(t *testing.T) {
	for level, want := range map[string]float64{"none": 0, "0": 0, "low": 0.1, "high": 0.3, "0.25": 0.25, "1e-3": 1e-3, ".499": 0.499} {
		if got, err := Noise(level); err != nil || got != want {
			t.Errorf("Noise(%q) = %v, %v; want %v", level, got, err, want)
		}
	}
	for _, level := range []string{"", "Low", "medium", "0.5", "1", "-0.1", "NaN", "Inf", "10%", "0.0", "1e-999", " 0.1"} {
		if got, err := Noise(level); err == nil {
			t.Errorf("Noise(%q) = %v", level, got)
		}
	}
}

func FuzzNoise(f *testing.F) {
	for _, s := range []string{"none", "0", "low", "high", "0.2", "0x1p-3", "nan", "-0", "1_0", "0.49999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, level string) {
		rate, err := Noise(level)
		if !(rate >= 0 && rate < 0.5) || math.Signbit(rate) {
			t.Errorf("Noise(%q) = %v", level, rate)
		}
		if err != nil && rate != 0 {
			t.Errorf("Noise(%q) = %v with %v", level, rate, err)
		}
	})
}
