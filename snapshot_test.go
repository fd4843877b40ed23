package prefer

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// TestSnapshot: with and without a snapshot a reopened study has the same bits, and with one it need not
// fit; a snapshot of something else changes nothing.
func TestSnapshot(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  Config
		n    int
	}{
		{"every answer fitted", Config{Space: unitSquare()}, 66},
		{"between refits", Config{Space: unitSquare()}, 154},
		{"forced", Config{Space: unitSquare(), Answers: Answers{Forced: true}}, 80},
	} {
		s := start(t, c.cfg)
		for i := range c.n {
			x := float64(i%17) / 16
			y := float64(i*i%23) / 22
			observe(t, s, space.Option{"x": space.ValueOf(x), "y": space.ValueOf(y)}, space.Option{"x": space.ValueOf(y), "y": space.ValueOf(1 - x)}, []Choice{First, Second}[(i*7/3)%2])
		}
		want := fingerprint(learned(t, s))
		text := s.Host().Snapshot()
		if text == nil {
			t.Fatalf("%s: no snapshot", c.name)
		}
		open := func(snapshot []byte) *Study {
			r, err := Open(ctx, s.Events(0), OpenOptions{Snapshot: snapshot})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		with := open(text)
		if !slices.Equal(fingerprint(learned(t, with)), want) || !slices.Equal(fingerprint(learned(t, open(nil))), want) {
			t.Errorf("%s: a reopened study has other bits", c.name)
		}
		var saved snapshot
		if err := json.Unmarshal(text, &saved); err != nil || !reflect.DeepEqual(with.questionFits.States(with.questionFits.Ready()[0]), saved.Fits) {
			t.Errorf("%s: the snapshot does not hold the posterior (%v)", c.name, err)
		}
		broken := strings.Replace(string(text), `"lambda":[`, `"lambda":[1,`, 1)
		if broken == string(text) {
			broken = strings.Replace(string(text), `"Lambda":[`, `"Lambda":[1,`, 1)
		}
		for _, bad := range []string{"", "{", `{"version":99}`, strings.Replace(string(text), gp.Kernels(), "other", 1), broken} {
			if !slices.Equal(fingerprint(learned(t, open([]byte(bad)))), want) {
				t.Errorf("%s: a snapshot of something else changed the study", c.name)
			}
		}
		// One answer later, and one answer earlier, the snapshot is of no use and does no harm.
		observe(t, with, space.Option{"x": space.ValueOf(0), "y": space.ValueOf(0)}, space.Option{"x": space.ValueOf(1), "y": space.ValueOf(1)}, First)
		observe(t, s, space.Option{"x": space.ValueOf(0), "y": space.ValueOf(0)}, space.Option{"x": space.ValueOf(1), "y": space.ValueOf(1)}, First)
		if !slices.Equal(fingerprint(learned(t, with)), fingerprint(learned(t, s))) {
			t.Errorf("%s: the next answer has other bits with a snapshot", c.name)
		}
	}
}

// TestSnapshotTells: what a study tells, and the question it asks next, has the same bits whether a snapshot was there or not; with one
// neither the average nor the picks are computed again, the pick before the last answer included.
func TestSnapshotTells(t *testing.T) {
	for _, n := range []int{14, 152} {
		s := start(t, Config{Space: unitSquare(), Modelling: Modelling{Search: little}, Confidence: 0.02})
		for i := range n {
			x, y := float64(i%17)/16, float64(i*i%23)/22
			c := First
			if (x-0.4)*(x-0.4)+(y-0.6)*(y-0.6) > (y-0.4)*(y-0.4)+(0.4-x)*(0.4-x) {
				c = Second
			}
			observe(t, s, space.Option{"x": space.ValueOf(x), "y": space.ValueOf(y)}, space.Option{"x": space.ValueOf(y), "y": space.ValueOf(1 - x)}, c)
		}
		open := func(events []Event, snapshot []byte) *Study {
			r, err := Open(ctx, events, OpenOptions{Snapshot: snapshot, Now: clock()})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		says := func(s *Study) string {
			v, err := s.Verdict(ctx, Look{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := s.Belief(ctx, Look{})
			if err != nil {
				t.Fatal(err)
			}
			mean, sd, err := b.Utility(space.Option{"x": space.ValueOf(0.21), "y": space.ValueOf(0.77)})
			if err != nil {
				t.Fatal(err)
			}
			q := ask(t, s, "")
			return fmt.Sprintf("%+v %x %x %x %+v %x", v, v.Surprise, mean, sd, q, q.Forecast)
		}
		events := s.Events(0)
		want := says(s)
		text := s.Host().Snapshot()
		with := open(events, text)
		if got := says(with); got != want {
			t.Errorf("%d answers: with a snapshot\n%s\nwithout\n%s", n, got, want)
		}
		var saved snapshot
		if err := json.Unmarshal(text, &saved); err != nil || len(with.beliefFits.Ready()) != 1 || len(saved.Means) != 1 || len(saved.Picks) != 2 {
			t.Errorf("%d answers: %d averages were wanted, %d and %d picks are in the snapshot (%v)", n, len(with.beliefFits.Ready()), len(saved.Means), len(saved.Picks), err)
		}
		if key, _ := with.beliefFits.Mean(with.beliefFits.Ready()[0]); saved.Means[key].Settings == nil {
			t.Errorf("%d answers: the snapshot does not hold the average", n)
		}
		other := open(events, []byte(strings.Replace(string(text), `"beats":0.`, `"beats":0.0`, 2)))
		if says(other) == want {
			t.Errorf("%d answers: the picks of the snapshot were not used", n)
		}
		// An answer later a verdict looks at the pick before it, which the snapshot holds: nothing is averaged for it, though a question is open.
		later := with.Events(0)
		a, b := open(later, text), open(later, nil)
		tell(t, a, a.OpenQuestions("")[0].ID, First)
		tell(t, b, b.OpenQuestions("")[0].ID, First)
		if got, want := says(a), says(b); got != want {
			t.Errorf("%d answers and one: with a snapshot\n%s\nwithout\n%s", n, got, want)
		}
		if slices.ContainsFunc(a.beliefFits.Ready(), func(f *learn.Fit) bool { return f.Duels.Len() == n }) {
			t.Errorf("%d answers and one: the pick before it was computed again", n)
		}
	}
}
