package problem

import (
	"math"
	"slices"
	"testing"
)

// TestMedianDifference: of the square ½ − |x|² on [0, 1]² shifted or not, against all pairs of a grid; of uniform values on (0, 1)
// it is 1 − 1/√2.
func TestMedianDifference(t *testing.T) {
	p := Branin()
	var all, diffs []float64
	const n = 40
	for i := range n {
		for k := range n {
			all = append(all, p.UnitUtility([]float64{(float64(i) + 0.5) / n, (float64(k) + 0.5) / n}))
		}
	}
	for i, a := range all {
		for _, b := range all[:i] {
			diffs = append(diffs, math.Abs(a-b))
		}
	}
	slices.Sort(diffs)
	want := diffs[len(diffs)/2]
	if got := MedianDifference(p); math.Abs(got/want-1) > 0.05 {
		t.Errorf("Branin: %g, on a grid %g", got, want)
	}
	uniform := make([]float64, 1000)
	for i := range uniform {
		uniform[i] = math.Mod(float64(i)*0.618033988749895, 1)
	}
	if got, want := MedianOf(uniform), 1-math.Sqrt(0.5); math.Abs(got/want-1) > 0.02 {
		t.Errorf("uniform: %g, want %g", got, want)
	}
	if got := MedianOf([]float64{3}); got != 0 {
		t.Errorf("one option: %g", got)
	}
}

// TestClearly: when each kind of rater says so.
func TestClearly(t *testing.T) {
	met := []float64{1, -3, 2, 2.4, -0.5, 2.5, -1.9}
	for when, want := range map[Clearly][]int{
		ClearNever:  {0, 0, 0, 0, 0, 0, 0},
		ClearAlways: {1, 1, 1, 1, 1, 1, 1},
		ClearBeyond: {0, 1, 1, 1, 0, 1, 1},
		ClearOfSeen: {0, 1, 0, 1, 0, 1, 0}, // medians of what was met: none, 1, 2, 2, 2.2, 2, 2.2
	} {
		again, err := ParseClearly(when.String())
		if err != nil || again != when {
			t.Errorf("%v is read as %v, %v", when, again, err)
		}
		r := Grading{Clearly: when, Cut: 1.8}
		for i, g := range met {
			if got := r.Strength(g, false, Draw{}); got != want[i] {
				t.Errorf("%v: %d at difference %d, %g; want %d", when, got, i, g, want[i])
			}
		}
	}
	coin := Grading{Clearly: ClearByChance}
	heads := 0.0
	for i := range uint64(4000) {
		heads += float64(coin.Strength(5, false, At(3, i)))
	}
	if math.Abs(heads/4000-0.5) > 0.03 {
		t.Errorf("a coin has %g heads of 4000", heads)
	}
	if _, err := ParseClearly("often"); err == nil {
		t.Error("often is taken")
	}
}

// TestReply: the intervals of the noisy difference, without noise where they are known, with it as often as Outcome has them.
func TestReply(t *testing.T) {
	p := Quadratic(2) // 0 at the centre
	centre := []float64{0.5, 0.5}
	at := func(f float64) []float64 { // a point of that utility below the centre's
		lo, hi := 0.5, 1.0
		for range 60 {
			mid := (lo + hi) / 2
			if p.UnitUtility(centre)-p.UnitUtility([]float64{mid, 0.5}) < f {
				lo = mid
			} else {
				hi = mid
			}
		}
		return []float64{lo, 0.5}
	}
	r := Rater{Problem: p, Delta: 0.05, Grading: Grading{Clearly: ClearBeyond, Cut: 0.15}}
	for _, c := range []struct {
		f        float64
		first    Reply
		second   Reply
		strength int
	}{{0.04, Tie, Tie, 0}, {0.06, First, Second, 0}, {0.14, First, Second, 0}, {0.16, First, Second, 1}} {
		reply, s := r.Reply(centre, at(c.f), Draw{})
		back, sb := r.Reply(at(c.f), centre, Draw{})
		if reply != c.first || back != c.second || s != c.strength || sb != s {
			t.Errorf("difference %g: %v %d, the other way %v %d", c.f, reply, s, back, sb)
		}
	}
	r.Sigma = 0.1
	for i := range uint64(500) {
		d := At(8, i)
		want := r.Outcome(p.UnitUtility(centre), p.UnitUtility(at(0.07)), []float64{-0.15, -0.05, 0.05, 0.15}, d)
		reply, s := r.Reply(centre, at(0.07), d)
		if got := map[Reply]int{First: 3 + s, Tie: 2, Second: 1 - s}[reply]; got != want {
			t.Fatalf("answer %d: %v %d is interval %d, want %d", i, reply, s, got, want)
		}
	}
}
