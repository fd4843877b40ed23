package simulate

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/internal/normal"
)

func TestParseNoise(t *testing.T) {
	for text, want := range map[string]Noise{
		"prior": Prior, "low": {ErrorRate: 0.1}, "high": {ErrorRate: 0.3}, "20%": {ErrorRate: 0.2}, "0.25": {Sigma: 0.25}, "10%": Low,
	} {
		got, err := ParseNoise(text)
		if err != nil || got != want {
			t.Errorf("ParseNoise(%q) = %+v, %v, want %+v", text, got, err, want)
		}
		if again, err := ParseNoise(got.String()); err != nil || again != got {
			t.Errorf("%q is written as %q, which reads as %+v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"", "%", "loud", "50%", "-3%", "0", "0%", "-1", "NaN", "Inf", "1e400"} {
		if n, err := ParseNoise(text); err == nil {
			t.Errorf("ParseNoise(%q) = %+v, want an error", text, n)
		}
	}
}

func FuzzParseNoise(f *testing.F) {
	f.Add("low")
	f.Add("12.5%")
	f.Add("0.3")
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseNoise(text)
		if err != nil {
			return
		}
		if err := n.Validate(); err != nil {
			t.Errorf("ParseNoise(%q) returned %+v: %v", text, n, err)
		}
		if _, err := ParseNoise(n.String()); err != nil {
			t.Errorf("%q is written as %q, which cannot be read: %v", text, n, err)
		}
	})
}

// TestSigma: of two values the rate has a closed form, σ = Δ/−Φ⁻¹(rate); σ in units of the spread is a product.
func TestSigma(t *testing.T) {
	for _, rate := range []float64{0.05, 0.1, 0.3, 0.45} {
		got, err := Noise{ErrorRate: rate}.sigma([]float64{2, 5}, 1)
		if want := 3 / -normal.Quantile(rate); err != nil || math.Abs(got-want) > 1e-7*want {
			t.Errorf("rate %g: σ = %g, %v, want %g", rate, got, err, want)
		}
	}
	if got, err := (Noise{Sigma: 0.5}).sigma([]float64{1, 1, 5, 5}, 1); err != nil || got != 1 {
		t.Errorf("σ = %g, %v, want 0.5 of the deviation 2", got, err)
	}
	if got, err := Prior.sigma([]float64{1, 7}, 0.3); err != nil || got != 0.3 {
		t.Errorf("σ = %g, %v, want the model's 0.3", got, err)
	}
	for _, n := range []Noise{Low, {Sigma: 1}} {
		if s, err := n.sigma([]float64{4, 4, 4}, 1); err == nil {
			t.Errorf("noise %v of a flat utility is %g, want an error", n, s)
		}
	}
}

// TestBest: the good options are the best hundredth, and at least twenty.
func TestBest(t *testing.T) {
	values := make([]float64, 5000)
	for i := range values {
		values[i] = float64(i * 7919 % 5000)
	}
	for n, want := range map[int]int{5000: 50, 1000: 20, 12: 12} {
		got := best(values[:n])
		if len(got) != want {
			t.Errorf("%d of %d options are good, want %d", len(got), n, want)
		}
		for _, v := range values[:n] {
			if v > got[0] != contains(got[1:], v) {
				t.Errorf("of %d: %g above the least good %g", n, v, got[0])
			}
		}
	}
}

func contains(x []float64, v float64) bool {
	for _, w := range x {
		if w == v {
			return true
		}
	}
	return false
}
