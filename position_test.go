package prefer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// sided plays a study with a rater who takes what is shown first in a share of the questions and answers by taste else. random says that sides were drawn at random.
func sided(t *testing.T, cfg Config, share float64, answers int, random bool, raters ...string) *Study {
	t.Helper()
	cfg.Space, cfg.Seed, cfg.Method, cfg.Search, cfg.Answers.Forced = letters(8), 3, "random", little, true
	s := start(t, cfg)
	by := follower{first: true, share: share, rng: rand.New(rand.NewPCG(2, 7))}
	for n := range answers {
		q := ask(t, s, raters[n%len(raters)])
		a := by.answer(q)
		a.RandomSides = random
		if _, err := s.Tell(context.Background(), q.ID, a); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestPositionBias: where sides were drawn at random a study learns how far a rater leans to one, and says so if that is clear.
func TestPositionBias(t *testing.T) {
	for _, people := range []People{Shared, PerRater} {
		for _, c := range []struct {
			share  float64
			random bool
			clear  bool
		}{{0.6, true, true}, {0, true, false}, {0.6, false, false}} {
			s := sided(t, Config{People: people}, c.share, 60, c.random, "ann", "bob")
			raters, err := s.Raters(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range raters {
				if p := r.Position; (p != nil) != c.clear || p != nil && !(p.Mean > 2*p.SD && p.SD > 0 && p.Mean < 3) {
					t.Errorf("%s: %s of %+v has bias %v", people, r.Name, c, p)
				}
			}
		}
	}
	if got := (positionBias{-0.84, 0.21}).String(); got != "−0.8 ± 0.2" {
		t.Errorf("%q", got)
	}
}

// TestPositionOff: answers whose sides were not drawn at random, and studies whose log has no prior of position bias, are learned from as ever, to the bit.
func TestPositionOff(t *testing.T) {
	off := Config{Modelling: Modelling{Model: gp.Model{Position: gp.None()}}}
	said := func(s *Study) string {
		best, err := s.Best(t.Context(), Look{Rater: "ann"})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%v %x %x", best.Option, best.Mean, best.Confidence)
	}
	want := said(sided(t, off, 0.5, 30, false, "ann"))
	for _, got := range []*Study{sided(t, Config{}, 0.5, 30, false, "ann"), sided(t, off, 0.5, 30, true, "ann")} {
		if said(got) != want {
			t.Errorf("%s, want %s", said(got), want)
		}
	}
	learned := sided(t, Config{}, 0.5, 30, true, "ann")
	if said(learned) == want {
		t.Error("sides change nothing")
	}
	if said(reopen(t, learned.Events(0))) != said(learned) {
		t.Error("another study after a replay")
	}
	old := slices.Clone(sided(t, off, 0.5, 30, true, "ann").Events(0)) // with the config of a log that has no such field
	created := *old[0].Created
	created.Config.Model.Position = gp.Prior{}
	created.Config.BeliefModels = slices.Clone(created.Config.BeliefModels)
	for i := range created.Config.BeliefModels {
		created.Config.BeliefModels[i].Position = gp.Prior{}
	}
	old[0].Created = &created
	if s := reopen(t, old); said(s) != want || s.cfg.Model.Position != (gp.Prior{}) {
		t.Errorf("an old log says %s with %v, want %s", said(s), s.cfg.Model.Position, want)
	}
}

// TestPositionOfEvidence: the model sees the sides of answered questions, and no others: an import puts the winner first.
func TestPositionOfEvidence(t *testing.T) {
	s := sided(t, Config{}, 0.5, 6, true, "ann")
	q := ask(t, s, "ann")
	if _, err := s.Observe(t.Context(), Duel{First: q.First, Second: q.Second, Rater: "ann", Answer: Answer{Choice: First, RandomSides: true}}); err != nil {
		t.Fatal(err)
	}
	tell(t, s, q.ID, First)
	var want []int8
	for _, a := range s.state.answers {
		switch {
		case a.question == nil || !a.answer.RandomSides:
			want = append(want, 0)
		case a.answer.Swapped:
			want = append(want, -1)
		default:
			want = append(want, 1)
		}
	}
	ev := s.state.evidence(nil)
	if !slices.Equal(ev.Duels.Side, want) || !slices.Contains(want[:6], -1) || !slices.Contains(want[:6], 1) || want[6] != 0 || want[7] != 0 {
		t.Errorf("sides %v, want %v", ev.Duels.Side, want)
	}
	if head := ev.Head(3); !slices.Equal(head.Duels.Side, want[:3]) || head.TeachesSame(ev) {
		t.Errorf("the first three have sides %v", head.Duels.Side)
	}
	other := ev.Head(8)
	other.Duels.Side = slices.Clone(want)
	other.Duels.Side[0] *= -1
	if m := s.cfg.Model; other.TeachesSame(ev) || other.Key(m) == ev.Key(m) {
		t.Error("evidence with another side is taken for the same")
	}
}
