package problem

import (
	"math"
	"testing"
)

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
