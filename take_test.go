package prefer

import (
	"maps"
	"reflect"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestTake: what a rater would take is in the log, their latest word counts, the same again changes nothing, and it
// teaches nothing where there is no level of acceptance.
func TestTake(t *testing.T) {
	s := start(t, Config{Space: coffee(), Modelling: Modelling{Search: little, BothBad: badAsTie}, Seed: 2})
	unchanged(t, s, "no pick", coded("no_pick"), func() error { _, err := s.Accept(ctx, "ann", nil, true); return err })
	unchanged(t, s, "outside", coded("option"), func() error { _, err := s.Accept(ctx, "ann", cup(9, 1), true); return err })
	play(t, s, "ann", 4)
	before := fingerprint(learned(t, s))
	best, err := s.Best(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	take := func(rater string, o space.Option, yes bool) Taken {
		t.Helper()
		got, err := s.Accept(ctx, rater, o, yes)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	no := take("ann", nil, false)
	if !maps.Equal(no.Option, best.Option) || no.Rater != "ann" || no.Take || no.ID == "" {
		t.Errorf("took %+v, want the pick %v", no, best.Option)
	}
	seq := s.Seq()
	if again := take("ann", nil, false); !reflect.DeepEqual(again, no) || s.Seq() != seq {
		t.Errorf("said again it is %+v at %d, was %+v at %d", again, s.Seq(), no, seq)
	}
	take("bob", nil, true)
	take("ann", cup(0.1, 2), true)
	if c := checked(t, s, ""); c.Take != 1 || c.Decline != 1 {
		t.Errorf("the check counts %+v, want one of each", c)
	}
	yes := take("ann", nil, true)
	if c := checked(t, s, ""); c.Take != 2 || c.Decline != 0 {
		t.Errorf("they changed their mind, and the check counts %+v", c)
	}
	if yes.ID == no.ID {
		t.Errorf("two words have one id, %s", yes.ID)
	}
	if !reflect.DeepEqual(fingerprint(learned(t, s)), before) {
		t.Error("the model has changed")
	}
	data := lines(t, s.Events(0))
	back, err := readLines(data)
	if err != nil {
		t.Fatal(err)
	}
	again := reopen(t, back)
	if !reflect.DeepEqual(again.state.takes, s.state.takes) || len(again.state.takes) != 3 {
		t.Errorf("reopened it knows %+v, want %+v", again.state.takes, s.state.takes)
	}
}

// TestTakeJoined: items that join with a new word move the coordinates of what was taken along.
func TestTakeJoined(t *testing.T) {
	s := start(t, Config{Space: list(gallery(4)...), Seed: 1, Modelling: Modelling{Search: little}})
	if _, err := s.Accept(ctx, "", space.ItemOption("p1"), true); err != nil {
		t.Fatal(err)
	}
	item := gallery(1)[0]
	item.ID, item.Features = "new", map[string]space.Value{"hue": space.ValueOf(0.3), "style": space.ValueOf("wavy"), "dark": space.ValueOf(true)}
	if err := s.Change(ctx, Change{Join: []space.Item{item}}); err != nil {
		t.Fatal(err)
	}
	want, err := s.state.code.Unit(space.ItemOption("p1"))
	if err != nil || !reflect.DeepEqual(s.state.takes[0].a, want) {
		t.Errorf("taken at %v, want %v, %v", s.state.takes[0].a, want, err)
	}
}
