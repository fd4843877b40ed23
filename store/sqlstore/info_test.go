package sqlstore

import (
	"reflect"
	"testing"

	"github.com/prefer-bo/prefer/store"
)

func testList(t *testing.T, address string) {
	s := open(t, address)
	if list, err := s.List(ctx); err != nil || len(list) != 0 {
		t.Fatalf("an empty store lists %v, %v", list, err)
	}
	play(t, create(t, s, "b"), "ann", 4) // created, 4 asked, 4 answered, 1 undone; the question comes again
	create(t, s, "a")
	create(t, s, "Z")
	list, err := s.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	log := events(t, s, "b")
	size := func(name string) int { log := events(t, s, name); return len(lines(t, log)) - len(log) }
	first := clock()()
	want := []store.Info{
		{Name: "Z", Created: first, Changed: first, Events: 1, Answers: 0, Bytes: size("Z")}, {Name: "a", Created: first, Changed: first, Events: 1, Answers: 0, Bytes: size("a")},
		{Name: "b", Created: first, Changed: log[len(log)-1].Time, Events: len(log), Answers: 3, Bytes: size("b")},
	}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("the list is\n%v, want\n%v", list, want)
	}
}
