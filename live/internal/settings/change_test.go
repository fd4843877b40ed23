package settings

import (
	"reflect"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestDifference: the difference of any two settings, merged into the first, is the second; of the same there is none.
func TestDifference(t *testing.T) {
	cup := func(v float64) space.Option { return space.Option{"milk": space.ValueOf(v)} }
	all := []Settings{
		{}, {ShowResult: true}, {Checks: Checks{RepeatRate: 0.1, MinRT: 300}}, {Page: Appearance{Paused: true, Goal: 20}},
		{OwnDuels: true, Checks: Checks{Catch: []Catch{{Better: cup(0), Worse: cup(1)}}, CatchEvery: 6}, Phases: Phases{Practice: 2}},
		{Checks: Checks{Catch: []Catch{{cup(1), cup(0)}, {cup(0.5), cup(0)}}}, Page: Appearance{Template: Template{Kind: "svg", Text: "<svg/>"}}},
	}
	for i, was := range all {
		for j, is := range all {
			patch, err := Difference(was, is)
			if err != nil || (patch == nil) != (i == j) {
				t.Fatalf("from %d to %d: %s, %v", i, j, patch, err)
			}
			got, err := was.After(prefer.Event{Seq: 0, Changed: &prefer.Change{Settings: patch}})
			if err != nil || !reflect.DeepEqual(got, is) {
				t.Errorf("from %d to %d by %s: %+v, %v", i, j, patch, got, err)
			}
		}
	}
}
