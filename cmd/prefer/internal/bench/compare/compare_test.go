package compare

import (
	"math"
	"math/rand/v2"
	"testing"
)

var at15 = Position{Answers, 15}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(1, math.Abs(b)) }

func closeInterval(a, b Interval) bool {
	return near(a.Value, b.Value) && near(a.Lower, b.Lower) && near(a.Upper, b.Upper)
}

// TestCompareConstant: at every seed a tenth of the other's gap, so every resample says the same of the mean of logarithms.
func TestCompareConstant(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 0.1, 0.2, 0.3, 0.4, 0.5)
	fill(t, &table, branin, theirs, 15, 1, 2, 3, 4, 5, 99) // the sixth seed has no partner
	c := table.Compare(branin, ours, theirs, at15)
	if c.N != 5 || c.Wins != 5 || c.Losses != 0 || c.Verdict != Better {
		t.Errorf("%+v", c)
	}
	if want := (Interval{-1, -1, -1}); !closeInterval(c.LogRatio, want) {
		t.Errorf("log ratio %v, want %v", c.LogRatio, want)
	}
	if want := (Interval{0.1, 0.1, 0.1}); !closeInterval(c.Ratio(), want) {
		t.Errorf("ratio %v, want %v", c.Ratio(), want)
	}
	if back := table.Compare(branin, theirs, ours, at15); back.Verdict != Worse || back.Losses != 5 || !near(back.LogRatio.Lower, 1) {
		t.Errorf("the other way round: %+v", back)
	}
}

// TestCompareTwoSeeds: differences 0 and 2 have resamples 0, 1, 1, 2. Two seeds are no verdict.
func TestCompareTwoSeeds(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 1, 100)
	fill(t, &table, branin, theirs, 15, 1, 1)
	c := table.Compare(branin, ours, theirs, at15)
	if want := (Interval{1, 0, 2}); !closeInterval(c.LogRatio, want) {
		t.Errorf("log ratio %v, want %v", c.LogRatio, want)
	}
	if c.Wins != 0 || c.Losses != 1 || c.Verdict != Same {
		t.Errorf("%+v", c)
	}
}

func TestCompareFew(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 1, 1, 1, 1)
	fill(t, &table, branin, theirs, 15, 9, 9, 9, 9)
	if c := table.Compare(branin, ours, theirs, at15); c.N != 4 || c.Verdict != Same {
		t.Errorf("four seeds: %+v", c)
	}
	if c := table.Compare(branin, ours, third, at15); c.N != 0 || c.Verdict != Same || !math.IsNaN(c.LogRatio.Value) {
		t.Errorf("no seed: %+v", c)
	}
}

// TestCompareFloor: at the optimum rounding decides which gap is smaller; that is no difference.
func TestCompareFloor(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 0, -1e-16, 1e-15, 0, 0)
	fill(t, &table, branin, theirs, 15, 1e-13, 1e-14, 1e-13, 1e-15, 1e-16)
	c := table.Compare(branin, ours, theirs, at15)
	if c.Verdict != Same || c.Wins != 0 || c.Losses != 0 || c.LogRatio != (Interval{}) {
		t.Errorf("%+v", c)
	}
}

// TestCompareSame: a series is never better than itself, and one with its seeds shuffled hardly ever: a 95 %
// interval misses 0 one time in twenty, a little more often with 20 seeds.
func TestCompareSame(t *testing.T) {
	src := rand.New(rand.NewPCG(7, 8))
	gaps := make([]float64, 20)
	for i := range gaps {
		gaps[i] = math.Exp(2 * src.NormFloat64())
	}
	differences := 0
	const trials = 40
	for range trials {
		var table Table
		fill(t, &table, branin, ours, 15, gaps...)
		if c := table.Compare(branin, ours, ours, at15); c.Verdict != Same || c.LogRatio != (Interval{}) {
			t.Fatalf("against itself: %+v", c)
		}
		noisy := make([]float64, len(gaps))
		for i := range gaps { // a coin decides which of the pair is the larger
			noisy[i] = gaps[i] * math.Exp(src.NormFloat64())
		}
		fill(t, &table, branin, theirs, 15, noisy...)
		if table.Compare(branin, ours, theirs, at15).Verdict != Same {
			differences++
		}
		shuffled := make([]float64, len(gaps))
		for i, j := range src.Perm(len(gaps)) {
			shuffled[i] = gaps[j]
		}
		fill(t, &table, branin, third, 15, shuffled...)
		if c := table.Compare(branin, ours, third, at15); c.Verdict != Same {
			t.Errorf("shuffled: %+v", c) // the mean difference is exactly 0
		}
	}
	if differences > 7 { // 8 or more of 40 at a rate of 7 %: under 1 %
		t.Errorf("%d of %d comparisons of equals find a difference", differences, trials)
	}
}

func TestComparisons(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 1, 2, 3)
	fill(t, &table, branin, theirs, 15, 1, 2, 3)
	fill(t, &table, quadratic, third, 15, 1, 2, 3)
	got := Comparisons(&table, Options{})
	// 15 answers are question 11, which is no column
	if len(got) != 1 || got[0].Theirs != theirs || got[0].Position != at15 || got[0].N != 3 {
		t.Errorf("%+v", got)
	}
}
