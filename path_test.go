package prefer

import (
	"reflect"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestReread: every reading is what the study said at the time.
func TestReread(t *testing.T) {
	s, err := New(t.Context(), Config{Space: space.Box(space.Float("x", 0, 1)), Initial: 9})
	if err != nil {
		t.Fatal(err)
	}
	var want []Reading
	for k := range 4 {
		q, err := s.Ask(t.Context(), Request{})
		if err != nil {
			t.Fatal(err)
		}
		choice := First
		if q.First.Float("x") < q.Second.Float("x") {
			choice = Second
		}
		if _, err := s.Tell(t.Context(), q.ID, Answer{Choice: choice}); err != nil {
			t.Fatal(err)
		}
		best, err := s.Best(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, Reading{k + 1, len(s.Events(0)), best.Option, best.Confidence})
	}
	got := Readings(s.Events(0), nil, 9)
	for i := range got {
		if err := got[i].Reread(t.Context(), s.Events(0), ""); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestReadings: all of a short log, so many of a longer one, the last always; of one rater hers.
func TestReadings(t *testing.T) {
	for _, c := range []struct{ n, most, want int }{{0, 40, 0}, {7, 40, 7}, {40, 40, 40}, {41, 40, 40}, {1000, 12, 12}} {
		events := []Event{{Seq: 1, Created: &Created{}}}
		for i := range c.n {
			events = append(events, Event{Seq: i + 2, Observed: &Observed{Duel: Duel{Rater: []string{"a", "b"}[i%2], Answer: Answer{Choice: First}}}})
		}
		list := Readings(events, nil, c.most)
		if len(list) != c.want {
			t.Errorf("%d of %d answers, want %d", len(list), c.n, c.want)
		}
		if c.want > 0 && (list[c.want-1].Seq != c.n+1 || list[c.want-1].Answers != c.n) {
			t.Errorf("the last reading of %d answers is %+v", c.n, list[c.want-1])
		}
		for i, r := range list {
			if r.Seq != r.Answers+1 || i > 0 && r.Seq <= list[i-1].Seq {
				t.Errorf("reading %d is %+v", i, r)
			}
		}
		b := "b"
		if list := Readings(events, &b, c.most); c.n == 7 && !slices.EqualFunc(list, []int{3, 5, 7}, func(r Reading, seq int) bool { return r.Seq == seq }) {
			t.Errorf("of rater b: %+v", list)
		}
	}
}
