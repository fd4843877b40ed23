package prefer

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/memory"
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
	g, err := s.Group(ctx, Look{})
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

// TestAgreement: after many answers it is known who agrees and who does not.
func TestAgreement(t *testing.T) {
	s := sloped(t, 40, map[string]float64{"ann": 1, "ben": 1, "cat": -1})
	g := group(t, s)
	if g.Low[0][1] < 0.5 || g.High[0][2] > -0.5 || !slices.Equal(g.Disagrees, []string{"cat"}) || !strings.Contains(g.Sentence, "cat wants the contrary") {
		t.Errorf("agreement %.2f, from %.2f to %.2f; %v disagree: %s", g.Agreement, g.Low, g.High, g.Disagrees, g.Sentence)
	}
	if g.Together.Low > g.Together.Mean || g.Together.Mean > g.Together.High {
		t.Errorf("together %+v", g.Together)
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

// TestGroupPick: no option of a grid has a higher score than the group's pick, by the formula.
func TestGroupPick(t *testing.T) {
	s := sloped(t, 12, map[string]float64{"ann": 1, "ben": 1, "cat": -1})
	g := group(t, s)
	raters, err := s.Raters(ctx)
	if err != nil {
		t.Fatal(err)
	}
	members, _, err := s.members(ctx, &Group{}, raters, nil, s.state.code, s.state.code.Sample(groupPoints, s.cfg.Seed))
	if err != nil {
		t.Fatal(err)
	}
	sum, constant := crowd.Sum(members)
	score := func(o space.Option) float64 {
		x, err := s.state.code.Unit(o)
		if err != nil {
			t.Fatal(err)
		}
		out := []float64{0}
		sum.Means(out, x, 1)
		return out[0] + constant
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

// TestGroupAgain: after one more answer a group is what a study says that was opened just then, although only one member is learned again, and
// also where there is no room to remember any.
func TestGroupAgain(t *testing.T) {
	for _, limit := range []int64{memory.Default, 1} {
		defer func(b *memory.Budget) { learn.Budget = b }(learn.Budget)
		learn.Budget = memory.NewBudget(limit)
		s := sloped(t, 6, map[string]float64{"ann": 1, "ben": 1, "cat": -1})
		before := group(t, s)
		pair, err := s.Ask(ctx, Request{Rater: "ben"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Observe(ctx, Duel{First: pair.First, Second: pair.Second, Rater: "ben", Answer: Answer{Choice: First}}); err != nil {
			t.Fatal(err)
		}
		again := group(t, s)
		fresh, err := Open(ctx, s.Events(0), OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if want := group(t, fresh); marshal(t, again) != marshal(t, want) || marshal(t, again) == marshal(t, before) {
			t.Errorf("with %d bytes: after the answer %s, opened again %s, before it %s", limit, marshal(t, again), marshal(t, want), marshal(t, before))
		}
	}
}

// TestCamps: two camps of opposite tastes are found, each with its pick; one camp of the same taste is not divided.
func TestCamps(t *testing.T) {
	slopes := map[string]float64{"ann": 1, "ben": -1, "cat": 1, "dan": -1, "eve": 1, "fay": -1}
	g := group(t, sloped(t, 25, slopes))
	if len(g.Camps) != 2 || !slices.Equal(g.Camps[0].Raters, []string{"ann", "cat", "eve"}) || !slices.Equal(g.Camps[1].Raters, []string{"ben", "dan", "fay"}) {
		t.Fatalf("camps %+v: %s", g.Camps, g.Sentence)
	}
	if a, b := g.Camps[0].Best.Float("x"), g.Camps[1].Best.Float("x"); a < 0.8 || b > 0.2 {
		t.Errorf("picks at %g and %g", a, b)
	}
	for name := range slopes {
		slopes[name] = 1
	}
	if g := group(t, sloped(t, 25, slopes)); len(g.Camps) > 0 {
		t.Errorf("one camp is divided into %+v", g.Camps)
	}
}
