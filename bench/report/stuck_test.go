package report

import "testing"

func TestStuck(t *testing.T) {
	// gaps at iter 0, 1, 2, …
	run := func(gaps ...float64) *Run {
		var r Run
		for i, gap := range gaps {
			r.points = append(r.points, point{answers: int32(4 + i), iter: int32(i), gap: gap})
		}
		return &r
	}
	for _, c := range []struct {
		name    string
		problem string
		run     *Run
		iter    int
		best    float64
		want    bool
	}{
		{"beside the third optimum", "branin2", run(5, 1.55, 1.55), 2, 0.01, true},
		{"at the threshold", "branin2", run(5, 1, 1), 2, 0.01, false},
		{"far and flat", "levy6", run(9, 9, 8, 8, 8), 4, 0.5, true},
		{"flat, not far", "levy6", run(9, 9, 8, 8, 8), 4, 0.8, false},
		{"far, on its way: 8 a half ago", "levy6", run(9, 9, 8, 8, 7.6), 4, 0.5, false},
		{"far, fallen by under 5 %", "levy6", run(9, 9, 8, 8, 7.61), 4, 0.5, true},
		{"fallen since a half ago, not since the last", "levy6", run(9, 9, 30, 8, 8), 4, 0.5, false},
		{"odd: half of 3 questions ago is iter 1", "levy6", run(9, 8, 1, 8), 3, 0.5, true},
		{"risen", "levy6", run(9, 1, 2, 8), 3, 0.5, true},
		{"no question yet", "levy6", run(9, 9), 0, 0.5, false},
		{"not there", "branin2", run(9, 9), 5, 0.5, false},
		{"all others at the optimum", "levy6", run(1e-11, 1e-11, 1e-11), 2, -1e-16, false},
	} {
		if got := stuck(c.problem, c.run, Position{Iter, c.iter}, c.best); got != c.want {
			t.Errorf("%s: stuck %v", c.name, got)
		}
	}
}
