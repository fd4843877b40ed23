package prefer

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestConditions: both options of a question have the fixed values, in every phase of a study, and it
// learns all the same.
func TestConditions(t *testing.T) {
	for name, c := range map[string]struct {
		space space.Space
		fixed []space.Option
	}{
		"floats": {unitSquare(), []space.Option{{"x": space.ValueOf(0.25)}, {"y": space.ValueOf(1)}, nil}},
		"mixed":  {poster(), []space.Option{{"font": space.ValueOf("mono")}, {"brightness": space.ValueOf(0.5), "shadow": space.ValueOf(true)}, {"blur": space.ValueOf(20)}, nil}},
		"items":  {list(gallery(40)...), []space.Option{{"style": space.ValueOf("round")}, {"dark": space.ValueOf(true)}, nil}},
	} {
		s := start(t, Config{Space: c.space, Seed: 2, Modelling: Modelling{Search: little}})
		questions := 16
		if testing.Short() {
			questions = 7
		}
		for k := range questions {
			fixed := c.fixed[k%len(c.fixed)]
			q, err := s.Ask(t.Context(), Request{Fixed: fixed})
			if err != nil {
				t.Fatalf("%s: question %d: %v", name, k, err)
			}
			for _, o := range []space.Option{q.First, q.Second} {
				if id := o.Item(); id != "" {
					o = gallery(40)[s.state.code.List.ByID[id]].Features
				}
				for p, v := range fixed {
					if o[p] != v && !(!math.IsNaN(o[p].Float()) && abs(o[p].Float()-v.Float()) < 1e-12) {
						t.Errorf("%s: question %d has %s = %v, want %v", name, k, p, o[p], v)
					}
				}
			}
			tell(t, s, q.ID, []Choice{First, Second}[k/2%2])
		}
		if _, err := Open(ctx, s.Events(0), OpenOptions{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }

// TestHold: one side is what is held.
func TestHold(t *testing.T) {
	for name, c := range map[string]struct {
		space space.Space
		hold  space.Option
	}{
		"floats": {unitSquare(), space.Option{"x": space.ValueOf(0.5), "y": space.ValueOf(0.5)}},
		"mixed":  {poster(), space.Option{"brightness": space.ValueOf(0.2), "blur": space.ValueOf(20), "font": space.ValueOf("sans"), "shadow": space.ValueOf(false), "margin": space.ValueOf(0.5)}},
		"items":  {list(names(12)...), space.ItemOption("n7")},
	} {
		s := start(t, Config{Space: c.space, Seed: 5})
		for k := range 10 {
			q, err := s.Ask(t.Context(), Request{Hold: c.hold})
			if err != nil {
				t.Fatalf("%s: question %d: %v", name, k, err)
			}
			first, second := q.First.String() == c.hold.String(), q.Second.String() == c.hold.String()
			if first == second {
				t.Errorf("%s: question %d is %v or %v, want one of them %v", name, k, q.First, q.Second, c.hold)
			}
			tell(t, s, q.ID, []Choice{First, Second, Tie}[k%3])
		}
	}
}

func TestConditionMistakes(t *testing.T) {
	s := start(t, Config{Space: poster()})
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{Fixed: space.Option{"sugar": space.ValueOf(1)}}, `"sugar"`},
		{Request{Fixed: space.Option{"font": space.ValueOf("gothic")}}, "gothic"},
		{Request{Fixed: space.Option{"blur": space.ValueOf(3)}}, "3"},
		{Request{Hold: space.Option{"blur": space.ValueOf(2)}}, "hold"},
		{Request{Fixed: space.Option{"brightness": space.ValueOf(2), "blur": space.ValueOf(20)}}, "constraints and conditions"},
		{Request{Fixed: space.Option{"brightness": space.ValueOf(1), "blur": space.ValueOf(2), "font": space.ValueOf("sans"), "shadow": space.ValueOf(true), "margin": space.ValueOf(0)}}, "constraints and conditions"},
	} {
		unchanged(t, s, "ask", coded("option"), func() error {
			_, err := s.Ask(ctx, c.r)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one about %q", err, c.want)
			}
			return err
		})
	}
	q, err := s.Ask(ctx, Request{Rater: "ann", Fixed: space.Option{"font": space.ValueOf("mono")}})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.Ask(ctx, Request{Rater: "ann", Fixed: space.Option{"font": space.ValueOf("mono")}}); err != nil || again.ID != q.ID {
		t.Errorf("asked again: %v, %v", again.ID, err)
	}
	if _, err := s.Ask(ctx, Request{Rater: "ann"}); !errors.Is(err, ErrOpen) || !strings.Contains(err.Error(), string(q.ID)) {
		t.Errorf("asked without conditions: %v", err)
	}
}
