package simulate

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// TestAnswer: over many answers every choice and strength comes as often as the intervals of the noisy difference
// say.
func TestAnswer(t *testing.T) {
	q := prefer.Question{First: space.ItemOption("a"), Second: space.ItemOption("b")}
	const difference, n = 0.4, 20_000
	for name, cuts := range map[string]gp.Cuts{"forced": {0}, "ties": {0.3}, "forced and graded": {0, 0.8}, "ties and grades": {0.3, 0.8, 1.5}} {
		p := person{rater: &problem.Rater{Sigma: 1, Delta: cuts[0], Grades: cuts[1:]}, seed: 11, utility: func(o space.Option) float64 {
			if o.Item() == "a" {
				return difference
			}
			return 0
		}}
		type said struct {
			choice   prefer.Choice
			strength int
		}
		counts := map[said]float64{}
		for k := range n {
			a := p.answer(q, k)
			counts[said{a.Choice, a.Strength}]++
		}
		seen := 0.0
		check := func(a said, lo, hi float64) {
			t.Helper()
			want := normal.CDF(hi-difference) - normal.CDF(lo-difference)
			got := counts[a] / n
			seen += counts[a]
			if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n) {
				t.Errorf("%s: %v of strength %d in %.4f of answers, want %.4f", name, a.choice, a.strength, got, want)
			}
		}
		for i, c := range cuts {
			next := math.Inf(1)
			if i+1 < len(cuts) {
				next = cuts[i+1]
			}
			check(said{prefer.First, i}, c, next)
			check(said{prefer.Second, i}, -next, -c)
		}
		if cuts[0] > 0 {
			check(said{choice: prefer.Tie}, -cuts[0], cuts[0])
		}
		if seen != n {
			t.Errorf("%s: %v are not all answers that the scale has", name, counts)
		}
	}
}

func TestJudge(t *testing.T) {
	p := person{scene: scene{top: 5, bottom: -3, tolerance: 0.5, values: []float64{-3, 0, 2, 4.8}}, utility: func(o space.Option) float64 { return o.Float("x") }}
	for x, want := range map[float64]Pick{
		4.5: {Questions: 9, Loss: 0.5, Share: 0.0625, Good: true, Top: true, Ranked: true},
		3:   {Questions: 9, Loss: 2, Share: 0.25, Top: true, Ranked: true},
		1:   {Questions: 9, Loss: 4, Share: 0.5},
		5.1: {Questions: 9, Good: true, Top: true, Ranked: true},
	} {
		if got := p.judge(9, prefer.Best{Option: space.Option{"x": space.ValueOf(x)}, TopShare: 0.5, Beats: 0.78}); got != want {
			t.Errorf("pick at %g: %+v, want %+v", x, got, want)
		}
	}
}

// TestAllowed: the parts of a tolerance in a utility that is known, −(x − 4)², of values −16, −4 and 0.
func TestAllowed(t *testing.T) {
	p := person{scene: scene{best: space.Option{"x": space.ValueOf(4.0)}, values: []float64{-16, -4, 0}}, utility: func(o space.Option) float64 {
		x := o.Float("x")
		if x < 0 || x > 5 {
			return math.NaN()
		}
		return -(x - 4) * (x - 4)
	}}
	space := space.Box(space.Float("x", 0, 5))
	for text, want := range map[string]float64{"0.7 noise": 0.7, "30 %": 0.3 * 20 / 3, "3 x": 9, "9 x": 16, "0.5 x, 1 noise": 1} {
		tolerance, err := prefer.ParseTolerance(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.allowed(prefer.Config{Space: space, Tolerance: tolerance}); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %g, want %g", text, got, want)
		}
	}
}
