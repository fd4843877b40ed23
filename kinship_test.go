package prefer

import (
	"fmt"
	"math"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// likesAt likes x near a place, and y high.
func likesAt(x float64) func(space.Option) float64 {
	return func(o space.Option) float64 { return -20*math.Pow(o.Float("x")-x, 2) + 2*o.Float("y") }
}

// answering puts n questions to each of the raters in turn, who answer without noise.
func answering(t *testing.T, s *Study, n int, raters []string, likes map[string]func(space.Option) float64) {
	t.Helper()
	for range n {
		for _, r := range raters {
			q := ask(t, s, r)
			c := Second
			if likes[r](q.First) > likes[r](q.Second) {
				c = First
			}
			tell(t, s, q.ID, c)
		}
	}
}

func bestX(t *testing.T, s *Study, rater string) float64 {
	t.Helper()
	b, err := s.Best(t.Context(), Look{Rater: rater})
	if err != nil {
		t.Fatal(err)
	}
	return b.Option.Float("x")
}

// TestNewcomerLearnsFromOthers: where people are alike a newcomer begins with what they like, and their first question is worth
// something; where kinship is none they begin with nothing.
func TestNewcomerLearnsFromOthers(t *testing.T) {
	likes := map[string]func(space.Option) float64{"ann": likesAt(0.2), "bob": likesAt(0.2), "cat": likesAt(0.25)}
	raters := []string{"ann", "bob", "cat"}
	for _, kinship := range []gp.Prior{{}, gp.None()} {
		s := start(t, Config{Space: unitSquare(), Answers: Answers{Forced: true}, People: PerRater, Modelling: Modelling{Kinship: kinship, Search: little}, Seed: 4})
		answering(t, s, 12, raters, likes)
		q := ask(t, s, "dan")
		b, err := s.Best(t.Context(), Look{Rater: "dan"})
		if err != nil {
			t.Fatal(err)
		}
		if alone := kinship.Family == gp.NoneFamily; (q.Method == methodDesign) != alone || (math.Abs(b.Option.Float("x")-0.2) < 0.15 && b.Beats > 0.7) == alone {
			t.Errorf("with kinship %v dan begins with a question of %s and the favourite %v, better than %.2f", kinship, q.Method, b.Option, b.Beats)
		}
		if again, err := Open(t.Context(), s.Events(0), OpenOptions{}); err != nil || bestX(t, again, "dan") != b.Option.Float("x") {
			t.Errorf("opened again dan has another favourite (%v)", err)
		}
	}
}

// TestOppositesStayApart: what others like is not forced on somebody who likes the opposite, and who is left out teaches nobody but
// keeps their own.
func TestOppositesStayApart(t *testing.T) {
	likes := map[string]func(space.Option) float64{"ann": likesAt(0.1), "bob": likesAt(0.1), "cat": likesAt(0.9)}
	s := start(t, Config{Space: unitSquare(), Answers: Answers{Forced: true}, People: PerRater, Seed: 4, Modelling: Modelling{Search: little}})
	answering(t, s, 14, []string{"ann", "bob", "cat"}, likes)
	for rater, want := range map[string]float64{"ann": 0.1, "bob": 0.1, "cat": 0.9} {
		if x := bestX(t, s, rater); math.Abs(x-want) > 0.2 {
			t.Errorf("%s likes %g and gets %g", rater, want, x)
		}
	}
	if err := s.Change(t.Context(), Change{Exclude: []string{"cat"}}); err != nil {
		t.Fatal(err)
	}
	if v := s.view("ann"); v.HasOthers("ann") != true || len(v.Raters) != 2 {
		t.Errorf("without cat ann learns from %v", v.Raters)
	}
	if v := s.view("cat"); len(v.Raters) != 3 {
		t.Errorf("cat, who is left out, learns from %v", v.Raters)
	}
	if x := bestX(t, s, "cat"); math.Abs(x-0.9) > 0.2 {
		t.Errorf("left out, cat gets %g", x)
	}
}

// TestCrowdIsBounded: of others the first answers of the study teach, of themselves all.
func TestCrowdIsBounded(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), People: PerRater, Modelling: Modelling{Search: little}})
	for i := range 2 * learn.CrowdLimit {
		who := fmt.Sprint("p", i%4)
		a, b := space.Option{"x": space.ValueOf(float64(i%7) / 7), "y": space.ValueOf(0.5)}, space.Option{"x": space.ValueOf(float64(i%5)/5 + 0.01), "y": space.ValueOf(0.2)}
		if _, err := s.Observe(t.Context(), Duel{First: a, Second: b, Rater: who, Answer: Answer{Choice: First}}); err != nil {
			t.Fatal(err)
		}
	}
	v := s.view("p1")
	if n := v.Duels.Len(); n != learn.CrowdLimit+learn.CrowdLimit/4 || v.Own(v.rater).Duels.Len() != learn.CrowdLimit/2 {
		t.Errorf("%d answers teach about p1, of which %d are theirs", n, v.Own(v.rater).Duels.Len())
	}
	if o := s.view("new"); o.Duels.Len() != learn.CrowdLimit || !o.Head(learn.CrowdLimit).TeachesSame(v.Head(learn.CrowdLimit)) {
		t.Error("hyper-parameters are not everybody's")
	}
	if n := v.withoutLast(1).Own(v.rater).Duels.Len(); n != learn.CrowdLimit/2-1 {
		t.Errorf("before their last answer p1 had given %d", n)
	}
}

func TestKinshipChecked(t *testing.T) {
	for _, cfg := range []Config{{Modelling: Modelling{Kinship: gp.Gamma(-1, 1)}}, {Modelling: Modelling{Model: gp.Model{Kinship: gp.Flat()}}}} {
		cfg.Space = unitSquare()
		if _, err := New(t.Context(), cfg); err == nil {
			t.Errorf("kinship %v and %v of the model are accepted", cfg.Kinship, cfg.Model.Kinship)
		}
	}
}
