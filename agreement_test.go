package prefer

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// sloped makes a study in which raters whose taste is a slope of x give the same number of answers to the same pairs all over the square.
func sloped(t *testing.T, answers int, slopes map[string]float64) *Study {
	t.Helper()
	s := start(t, Config{Space: unitSquare(), Answers: Answers{Forced: true}, People: PerRater, Seed: 4})
	for k := range answers {
		a, b := math.Mod(0.1+0.618*float64(k), 1), math.Mod(0.5+0.7549*float64(k), 1)
		c, d := math.Mod(0.3+0.5698*float64(k), 1), math.Mod(0.9+0.8567*float64(k), 1)
		for _, rater := range slices.Sorted(maps.Keys(slopes)) {
			slope := slopes[rater]
			answer := Answer{Choice: First}
			if slope*(a-c) < 0 {
				answer.Choice = Second
			}
			_, err := s.Observe(ctx, Duel{First: space.Option{"x": space.ValueOf(a), "y": space.ValueOf(b)}, Second: space.Option{"x": space.ValueOf(c), "y": space.ValueOf(d)}, Rater: rater, Answer: answer})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

func group(t *testing.T, s *Study) Group {
	t.Helper()
	g, err := s.Group(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestAgreementFew: two who have answered the same question alike agree about as much as people are taken to before any answer, by a half, and
// by anything as far as is known; it takes answers to know.
func TestAgreementFew(t *testing.T) {
	g := group(t, sloped(t, 1, map[string]float64{"ann": 1, "ben": 1}))
	if g.Low[0][1] > -0.4 || g.High[0][1] < 0.7 || math.Abs(g.Agreement[0][1]-0.5) > 0.15 || len(g.Disagrees) > 0 || !strings.Contains(g.Sentence, "too little") {
		t.Errorf("after one answer they agree by %.2f (%.2f to %.2f): %s", g.Agreement[0][1], g.Low[0][1], g.High[0][1], g.Sentence)
	}
	g = group(t, sloped(t, 1, map[string]float64{"ann": 1, "ben": -1}))
	if g.High[0][1] < 0.4 || len(g.Disagrees) > 0 {
		t.Errorf("after one contrary answer they agree by %.2f to %.2f, and %v disagree", g.Low[0][1], g.High[0][1], g.Disagrees)
	}
}

// TestAgreement: after many answers it is known who agrees and who does not; the mean agreement of two who said the same is the part
// of their taste that is known, for the rest of each is her own.
func TestAgreement(t *testing.T) {
	s := sloped(t, 40, map[string]float64{"ann": 1, "ben": 1, "cat": -1})
	g := group(t, s)
	if g.Low[0][1] < 0.5 || g.High[0][2] > -0.5 || !slices.Equal(g.Disagrees, []string{"cat"}) || !strings.Contains(g.Sentence, "cat wants the contrary") {
		t.Errorf("agreement %.2f, from %.2f to %.2f; %v disagree: %s", g.Agreement, g.Low, g.High, g.Disagrees, g.Sentence)
	}
	if g.Together.Low > g.Together.Mean || g.Together.Mean > g.Together.High {
		t.Errorf("together %+v", g.Together)
	}
	v := s.view("ann")
	v.Evidence = v.Own(v.rater)
	b, err := s.believe(ctx, v)
	if err != nil {
		t.Fatal(err)
	}
	m := &member{name: "ann", belief: b, own: b, honest: 1}
	if err := s.drawTastes(ctx, []*member{m}, s.state.code, s.state.code.Sample(groupPoints, s.cfg.Seed)); err != nil {
		t.Fatal(err)
	}
	if off := g.Agreement[0][1] - m.part; math.Abs(off) > 0.03 {
		t.Errorf("two of whom the part %.3f is known agree by %.3f", m.part, g.Agreement[0][1])
	}
	for _, z := range m.draws[:5] {
		if r := correlation(z, z); math.Abs(r-1) > 1e-9 || math.Abs(sum(z)) > 1e-6 {
			t.Errorf("a draw has variance %g and sum %g", r, sum(z))
		}
	}
}

// TestAgreementOfMany: people are compared by some answers of each, also of those who came late.
func TestAgreementOfMany(t *testing.T) {
	slopes := map[string]float64{}
	for i := range 30 {
		slopes[fmt.Sprintf("%02d", i)] = float64(1 - 2*(i%2))
	}
	s := sloped(t, 16, slopes)
	names := slices.Sorted(maps.Keys(slopes))
	ev := s.state.jointEvidence(names, jointAnswers)
	if n := ev.Duels.Len(); len(ev.Raters) != 30 || n != 30*(jointAnswers/30) {
		t.Errorf("%d answers of %d people", n, len(ev.Raters))
	}
	if ev := s.state.jointEvidence(names[:20], jointAnswers); ev.Duels.Len() != 320 {
		t.Errorf("%d answers of 20 people, want all", ev.Duels.Len())
	}
}
