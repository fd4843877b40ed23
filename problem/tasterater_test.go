package problem

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// wrongAnswers counts wrong answers of a rater about pairs of different utility.
func wrongAnswers(a *Taste, r TasteRater, n int, draw func() float64) float64 {
	wrong, asked := 0.0, 0.0
	for i := range n {
		f1, f2 := draw(), draw()
		if f1 == f2 {
			continue
		}
		asked++
		if reply := r.Answer(f1, f2, 5, uint64(i)); reply == First != (f1 > f2) {
			wrong++
		}
	}
	return wrong / asked
}

func TestOrdinaryNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		o      TasteOptions
		lo, hi float64 // median share of wrong answers among the best quarter
	}{
		{TasteOptions{Family: smoothFamilies, Shape: Box, Dim: 1}, 0.28, 0.42},
		{TasteOptions{Family: smoothFamilies, Shape: Box, Dim: 2}, 0.23, 0.36},
		{TasteOptions{Family: smoothFamilies, Shape: Box, Dim: 3}, 0.20, 0.33},
		{TasteOptions{Shape: Mixed}, 0.15, 0.4},
		{TasteOptions{Shape: List}, 0.15, 0.4},
		{TasteOptions{Shape: PlainList, Family: plainOwn}, 0.1, 0.3},
	} {
		var good []float64
		for _, a := range tastes(t, 23, 16, c.o) {
			r, err := a.Rater("ordinary")
			if err != nil {
				t.Fatal(err)
			}
			if e := wrongAnswers(a, r, 4000, func() float64 { return a.Utility(a.Random(rng)) }); math.Abs(e-wrongShare) > 0.025 {
				t.Errorf("%s, %v: %.3f of the answers are wrong", a.Family, a.Shape, e)
			}
			n := len(a.sample)
			good = append(good, wrongAnswers(a, r, 4000, func() float64 { return a.sample[n-1-rng.IntN(n/4)] }))
		}
		slices.Sort(good)
		if m := good[len(good)/2]; m < c.lo || m > c.hi {
			t.Errorf("%+v: %.3f of the answers about the best quarter are wrong, want %g to %g", c.o, m, c.lo, c.hi)
		} else {
			t.Logf("%+v: %.3f", c.o, m)
		}
	}
}

// TestNoiseAt: differences of normal variables are wrong with probability atan(σ/√2)/π.
func TestNoiseAt(t *testing.T) {
	values := make([]float64, 4096)
	for i := range values {
		values[i] = At(1, uint64(i)).Normal
	}
	slices.Sort(values)
	got, want := noiseAt(values, 0.125), math.Sqrt2*math.Tan(math.Pi*0.125)
	if math.Abs(got/want-1) > 0.03 {
		t.Errorf("σ = %g, want %g", got, want)
	}
	if got := noiseAt([]float64{1, 1, 1}, 0.1); got != 0 {
		t.Errorf("σ = %g where nothing differs", got)
	}
}

func TestTasteRaters(t *testing.T) {
	a, err := NewTaste(29, 0, TasteOptions{Family: plainOwn, Shape: PlainList, Items: 400})
	if err != nil {
		t.Fatal(err)
	}
	const n = 4000
	rng := rand.New(rand.NewPCG(6, 6))
	share := map[string]map[Reply]float64{}
	agree := map[string]float64{} // with the truth, of those who choose
	for _, kind := range TasteRaters() {
		r, err := a.Rater(kind)
		if err != nil {
			t.Fatal(err)
		}
		count := map[Reply]float64{}
		right := 0.0
		for i := range uint64(n) {
			f1, f2 := a.Utility(a.Random(rng)), a.Utility(a.Random(rng))
			reply := r.Answer(f1, f2, 9, i)
			if count[reply] += 1.0 / n; reply == First && f1 > f2 || reply == Second && f1 < f2 {
				right += 1.0 / n
			}
			if reply != r.Answer(f1, f2, 9, i) {
				t.Fatalf("%s changes their mind", kind)
			}
		}
		share[kind], agree[kind] = count, right/(count[First]+count[Second])
	}
	for _, c := range []struct {
		kind   string
		reply  Reply
		lo, hi float64
	}{
		{"exact", Tie, 0, 0}, {"ordinary", Tie, 0, 0}, {"ordinary", BothBad, 0, 0}, {"careless", Tie, 0, 0},
		{"ties", Tie, 0.1, 0.3}, {"ties often", Tie, 0.45, 0.8}, {"exact ties", Tie, 0.05, 0.3}, {"careless ties", Tie, 0.18, 0.35},
		{"skips", Skip, 0.22, 0.28}, {"level", BothBad, 0.08, 0.35}, {"hard to please", BothBad, 0.6, 0.95},
		{"displeased", BothBad, 0.99, 1}, {"always bad", BothBad, 1, 1.01}, {"random", First, 0.46, 0.54},
	} {
		if got := share[c.kind][c.reply]; got < c.lo-1e-9 || got > c.hi+1e-9 {
			t.Errorf("%s says %v in %.3f of all answers, want %g to %g", c.kind, c.reply, got, c.lo, c.hi)
		}
	}
	for _, c := range []struct {
		kind   string
		lo, hi float64
	}{{"exact", 0.99, 1}, {"ordinary", 0.88, 0.92}, {"skips", 0.88, 0.92}, {"careless", 0.6, 0.76}, {"random", 0.46, 0.54}} {
		if got := agree[c.kind]; got < c.lo-1e-9 || got > c.hi+1e-9 {
			t.Errorf("%s is right in %.3f of all choices, want %g to %g", c.kind, got, c.lo, c.hi)
		}
	}
	if _, err := a.Rater("grumpy"); err == nil {
		t.Error("a rater nobody knows")
	}
}

func TestTolerance(t *testing.T) {
	a := Taste{Max: 12, Mean: 2}
	if got := a.Tolerance(0); got != 0.5 {
		t.Errorf("without noise %g, want 0.05 · 10", got)
	}
	if got := a.Tolerance(2); math.Abs(got-1.349) > 1e-3 {
		t.Errorf("with noise 2 %g, want 1.349", got)
	}
}
