package timeline

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestReplay: every reading is what the study said at the time.
func TestReplay(t *testing.T) {
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Box(space.Float("x", 0, 1)), Initial: 9})
	if err != nil {
		t.Fatal(err)
	}
	var want []Moment
	for k := range 4 {
		q, err := s.Ask(t.Context(), prefer.Request{})
		if err != nil {
			t.Fatal(err)
		}
		choice := prefer.First
		if q.First.Float("x") < q.Second.Float("x") {
			choice = prefer.Second
		}
		if _, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: choice}); err != nil {
			t.Fatal(err)
		}
		best, err := s.Best(t.Context(), prefer.Look{})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, Moment{k + 1, len(s.Events(0)), best.Option})
	}
	got := Moments(s.Events(0), nil, 9)
	for i := range got {
		if err := got[i].Replay(t.Context(), s.Events(0), ""); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestMoments: all of a short log, so many of a longer one, the last always; of one rater those of that rater.
func TestMoments(t *testing.T) {
	for _, c := range []struct{ n, most, want int }{{0, 40, 0}, {7, 40, 7}, {40, 40, 40}, {41, 40, 40}, {1000, 12, 12}} {
		events := make([]prefer.Event, c.n+1)
		for i := range events {
			text := fmt.Sprintf(`{"seq":%d,"observed":{"duel":{"rater":%q,"answer":{"choice":"first"}}}}`, i+1, []string{"b", "a"}[i%2])
			if i == 0 {
				text = `{"seq":1,"created":{}}`
			}
			if err := json.Unmarshal([]byte(text), &events[i]); err != nil {
				t.Fatal(err)
			}
		}
		list := Moments(events, nil, c.most)
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
		if list := Moments(events, &b, c.most); c.n == 7 && !slices.EqualFunc(list, []int{3, 5, 7}, func(r Moment, seq int) bool { return r.Seq == seq }) {
			t.Errorf("of rater b: %+v", list)
		}
	}
}
