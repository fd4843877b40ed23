package rankings

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestLaws: how often one comes before the other in rankings of any length is the win probability of the law.
func TestLaws(t *testing.T) {
	u := []float64{0.3, -0.8, 1.1, 0}
	for _, law := range Laws {
		r := rand.New(rand.NewPCG(1, 2))
		const n = 40_000
		var before float64
		for range n {
			ranking := law.rank(r, u, []int{0, 1, 2, 3})
			if slices.Index(ranking, 0) < slices.Index(ranking, 1) {
				before += 1. / n
			}
		}
		want := law.wins(u[0], u[1])
		if math.Abs(before-want) > 4*math.Sqrt(want*(1-want)/n) {
			t.Errorf("%s: %.4f, want %.4f", law, before, want)
		}
		if math.Abs(law.wins(u[0], u[1])+law.wins(u[1], u[0])-1) > 1e-15 {
			t.Errorf("%s: one of two wins", law)
		}
	}
}

func TestBreakings(t *testing.T) {
	ranking := []int{4, 2, 0, 7, 1}
	for b, want := range map[Breaking]int{All: 10, Adjacent: 4, First: 4, Disjoint: 2} {
		pairs := b.pairs(rand.New(rand.NewPCG(3, 3)), ranking)
		met := map[int]int{}
		for _, p := range pairs {
			met[p[0]]++
			met[p[1]]++
			if slices.Index(ranking, p[0]) >= slices.Index(ranking, p[1]) {
				t.Errorf("%s: %v against the ranking", b, p)
			}
			if b == Disjoint && (met[p[0]] > 1 || met[p[1]] > 1) {
				t.Errorf("%s: %v share somebody", b, pairs)
			}
		}
		if len(pairs) != want {
			t.Errorf("%s: %v, want %d pairs", b, pairs, want)
		}
	}
	if _, err := ParseBreaking("some"); err == nil || !strings.Contains(err.Error(), `"some"`) {
		t.Error(err)
	}
}

// TestRun: adjacent pairs shrink differences, all pairs keep them; and the same seed is the same numbers.
func TestRun(t *testing.T) {
	p := Plan{Law: PlackettLuce, Items: 5, Size: 5, Rankings: 24, Spread: 1, Repetitions: 2, Jobs: 2}
	slope := map[Breaking]float64{}
	for _, b := range []Breaking{All, Adjacent} {
		played, err := p.Run(t.Context(), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := p.Run(t.Context(), b, nil)
		if err != nil || !slices.Equal(played, again) {
			t.Errorf("%s: %+v, and again %+v, %v", b, played, again, err)
		}
		row := p.Summarize(b, played)
		slope[b] = row.Slope.Value
		var text strings.Builder
		if err := Write(&text, []Row{row}); err != nil || !strings.Contains(text.String(), "| plackett-luce | 24 of 5 | "+string(b)) {
			t.Errorf("%v\n%s", err, text.String())
		}
	}
	if !(slope[All] > 0.6 && slope[All] < 1.6 && slope[Adjacent] < 0.7*slope[All]) {
		t.Errorf("slopes %v", slope)
	}
	for _, set := range []func(*Plan){func(p *Plan) { p.Law = "elo" }, func(p *Plan) { p.Size = 13 }, func(p *Plan) { p.Spread = -1 }, func(p *Plan) { p.Repetitions = 1 }} {
		bad := p
		set(&bad)
		if _, err := bad.Run(t.Context(), All, nil); err == nil {
			t.Errorf("%+v ran", bad)
		}
	}
}
