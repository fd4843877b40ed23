package prefer

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestGroupPick: no option of a grid has a higher score than the group's pick, by the formula.
func TestGroupPick(t *testing.T) {
	s := sloped(t, 12, map[string]float64{"ann": 1, "ben": 1, "cat": -1})
	g := group(t, s)
	var members []*member
	raters, err := s.Raters(ctx)
	if err != nil {
		t.Fatal(err)
	}
	all := 0.0
	for _, r := range raters {
		b, err := s.Belief(ctx, r.Name)
		if err != nil {
			t.Fatal(err)
		}
		m := &member{name: r.Name, belief: b, own: b, honest: 1 - careless(r.Odds)}
		if err := s.drawTastes(ctx, []*member{m}, s.state.code, s.state.code.Sample(groupPoints, s.cfg.Seed)); err != nil {
			t.Fatal(err)
		}
		members, all = append(members, m), all+m.honest
	}
	score := func(o space.Option) (sum float64) {
		for _, m := range members {
			mean, _, err := m.belief.Utility(o)
			if err != nil {
				t.Fatal(err)
			}
			sum += m.honest / all * (mean*m.belief.utility.Noise() - m.centre) / m.spread
		}
		return sum
	}
	if got := score(g.Best); math.Abs(got-g.Score) > 1e-9 {
		t.Errorf("the score is %g, by hand %g", g.Score, got)
	}
	for i := range 400 {
		o := space.Option{"x": space.ValueOf(float64(i%20) / 19), "y": space.ValueOf(float64(i/20) / 19)}
		if v := score(o); v > g.Score+1e-6 {
			t.Errorf("%v has score %g, the pick %v has %g", o, v, g.Best, g.Score)
		}
	}
}
