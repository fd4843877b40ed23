package normal

import (
	"math"
	"math/rand/v2"
	"testing"
)

// thirdScale is the natural scale of the third moment, as Truncate's comment defines it.
func thirdScale(a, b, variance, ata, atb float64) float64 {
	ends := ata + edge(a, edge(a, ata)) + atb + edge(b, edge(b, atb))
	return math.Min(variance*math.Sqrt(variance), ends)
}

func TestTruncate(t *testing.T) {
	logz, mean := track(t, "LogZ", sharp), track(t, "Mean", sharp)
	variance, shrink := track(t, "Variance", 1e-14), track(t, "Shrink", sharp)
	third, oneThird := track(t, "Third", 3e-14), track(t, "Third, one-sided", 1e-14)
	ata, atb := track(t, "AtA", sharp), track(t, "AtB", sharp)
	for _, r := range golden(t, "truncated.json") {
		a, b := r["a"], r["b"]
		got := Truncate(a, b)
		logz.rel(got.LogZ, r["logz"], a, b)
		mean.check(got.Mean, r["mean"], math.Max(math.Sqrt(r["variance"]), math.Abs(r["mean"])), a, b)
		variance.rel(got.Variance, r["variance"], a, b)
		shrink.rel(got.Shrink, r["shrink"], a, b)
		if math.IsInf(a, 0) || math.IsInf(b, 0) {
			oneThird.rel(got.Third, r["third"], a, b)
		} else if scale := thirdScale(a, b, r["variance"], r["ata"], r["atb"]); scale > tiny {
			third.check(got.Third, r["third"], scale, a, b)
		}
		ata.rel(got.AtA, r["ata"], a, b)
		atb.rel(got.AtB, r["atb"], a, b)
	}
}

func TestTruncateLimits(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	if got, want := Truncate(-inf, inf), (Truncated{Variance: 1}); got != want {
		t.Errorf("whole line: %+v", got)
	}
	for _, a := range []float64{0, -3, 1e9} {
		if got, want := Truncate(a, a), (Truncated{LogZ: -inf, Mean: a, Shrink: 1, AtA: inf, AtB: inf}); got != want {
			t.Errorf("point %v: %+v", a, got)
		}
	}
	for _, c := range [][2]float64{{1, 0}, {nan, 0}, {0, nan}, {inf, -inf}} {
		got := Truncate(c[0], c[1])
		for _, v := range []float64{got.LogZ, got.Mean, got.Variance, got.Shrink, got.Third, got.AtA, got.AtB} {
			if !math.IsNaN(v) {
				t.Errorf("Truncate(%v, %v) = %+v, want NaN throughout", c[0], c[1], got)
				break
			}
		}
	}
}

// The half line is Lemma 3.1: mean h(τ), shrink h(h+τ) = −h'(τ).
func TestTruncateHalfLine(t *testing.T) {
	mean, shrink := track(t, "mean = h", sharp), track(t, "shrink = -h'", sharp)
	for i := -800; i <= 700; i++ {
		tau := float64(i) / 20
		for _, got := range []Truncated{Truncate(-tau, math.Inf(1)), Truncate(math.Inf(-1), tau)} {
			mean.rel(math.Abs(got.Mean), Mills(tau), tau)
			shrink.rel(got.Shrink, -MillsPrime(tau), tau)
		}
	}
}

func TestTruncateMirrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		a := 5 * rng.NormFloat64()
		b := a + math.Exp(3*rng.NormFloat64())
		p, m := Truncate(a, b), Truncate(-b, -a)
		m.Mean, m.Third, m.AtA, m.AtB = -m.Mean, -m.Third, m.AtB, m.AtA
		if p != m {
			t.Errorf("(%v, %v): %+v, mirrored %+v", a, b, p, m)
		}
	}
}

// The fields are derivatives of log Z(t) = log(Φ(b−t) − Φ(a−t)), checked one against the next by central differences of
// step s·(width of the feature); the law of differences leaves 1e-7.
func TestTruncateDerivatives(t *testing.T) {
	first, second, third := track(t, "(log Z)'", 1e-7), track(t, "(log Z)''", 1e-7), track(t, "(log Z)'''", 1e-7)
	rng := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		a := 4 * rng.NormFloat64()
		b := a + math.Exp(1.5*rng.NormFloat64())
		if rng.IntN(4) == 0 {
			b = math.Inf(1)
		}
		const s = 1e-4
		// (a+s, b+s) rounds the width; only the slopes of the fields matter here, at widths above 1e-2.
		if b-a < 1e-2 {
			continue
		}
		mid, lo, hi := Truncate(a, b), Truncate(a+s, b+s), Truncate(a-s, b-s) // t = 0, −s, +s
		first.check((hi.LogZ-lo.LogZ)/(2*s), mid.Mean, 1+math.Abs(mid.Mean), a, b)
		second.check((hi.Mean-lo.Mean)/(2*s), -mid.Shrink, 1, a, b)
		third.check((lo.Shrink-hi.Shrink)/(2*s), mid.Third, 1, a, b)
	}
}

// Continuity where the method changes: just below and just above each switch.
func TestTruncateSwitches(t *testing.T) {
	w := track(t, "jump at a switch", 1e-13)
	compare := func(p, q Truncated, at float64) {
		w.check(p.LogZ, q.LogZ, math.Abs(q.LogZ), at)
		w.check(p.Mean, q.Mean, math.Abs(q.Mean)+math.Sqrt(q.Variance), at)
		w.check(p.Variance, q.Variance, q.Variance, at)
		w.check(p.Third, q.Third, math.Pow(q.Variance, 1.5), at)
	}
	for _, a := range []float64{0, 0.3, 2, 50, 1e4} {
		for _, drop := range []float64{narrow8Drop, narrow16Drop, onesidedDrop} {
			at := func(t float64) Truncated { return Truncate(a, a+2*t/(a+math.Sqrt(a*a+2*t))) }
			compare(at(drop*(1-4e-15)), at(drop*(1+4e-15)), drop)
		}
	}
	for _, f := range []float64{0.001, 0.1, 0.3, 0.5} {
		at := func(w float64) Truncated { return Truncate(-f*w, (1-f)*w) }
		compare(at(acrossWidth*(1-4e-15)), at(acrossWidth*(1+4e-15)), acrossWidth)
	}
	for _, b := range []float64{1e-3, 0.7, 5} {
		compare(Truncate(-1e-30, b), Truncate(1e-30, b), b)
	}
}

func FuzzTruncate(f *testing.F) {
	for _, s := range [][2]float64{{0, 1}, {-1, 1}, {-1e-320, 1e-320}, {1e308, math.MaxFloat64}, {-math.MaxFloat64, math.MaxFloat64},
		{38, 38.5}, {1e6, 1e6 + 1e-9}, {-5, -4.9999999}, {0, 5e-324}, {1e160, 1e161}, {-1, 1e300}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, a, b float64) {
		if math.IsNaN(a) || math.IsNaN(b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
			t.Skip()
		}
		a, b = min(a, b), max(a, b)
		for _, b := range []float64{b, math.Inf(1)} {
			got := Truncate(a, b)
			for name, v := range map[string]float64{"LogZ": got.LogZ, "Mean": got.Mean, "Variance": got.Variance,
				"Shrink": got.Shrink, "Third": got.Third, "AtA": got.AtA, "AtB": got.AtB} {
				if math.IsNaN(v) {
					t.Errorf("Truncate(%v, %v).%s is NaN", a, b, name)
				}
			}
			if !(got.Mean >= a && got.Mean <= b) {
				t.Errorf("Truncate(%v, %v).Mean = %v, outside", a, b, got.Mean)
			}
			if !(got.Variance >= 0 && got.Variance <= 1 && got.Shrink >= 0 && got.Shrink <= 1) {
				t.Errorf("Truncate(%v, %v): Variance %v, Shrink %v", a, b, got.Variance, got.Shrink)
			}
			if math.Abs(got.Variance+got.Shrink-1) > 2.3e-16 {
				t.Errorf("Truncate(%v, %v): Variance + Shrink = %v", a, b, got.Variance+got.Shrink)
			}
			if !(got.LogZ <= 0) || got.LogZ != LogInterval(a, b) && math.Abs(got.LogZ-LogInterval(a, b)) > 1e-14*math.Abs(got.LogZ) {
				t.Errorf("Truncate(%v, %v).LogZ = %v, LogInterval %v", a, b, got.LogZ, LogInterval(a, b))
			}
		}
	})
}
