package prefer

import (
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestPractice: a study that people practised on asks, learns and counts what it would without, and everybody practises on the same
// pairs, under the conditions of the ask.
func TestPractice(t *testing.T) {
	ctx := t.Context()
	cfg := Config{Space: space.Box(space.Float("x", 0, 1), space.Categorical("noise", "quiet", "babble")), Seed: 4, Modelling: Modelling{Search: little}}
	quiet := space.Option{"noise": space.ValueOf("quiet")}
	plain, practised := start(t, cfg), start(t, cfg)
	pairs := map[string][]string{}
	for _, rater := range []string{"ann", "bo"} {
		for range 3 {
			q, err := practised.Ask(ctx, Request{Rater: rater, Fixed: quiet, Practice: true})
			if err != nil {
				t.Fatal(err)
			}
			if q.Method != "practice" || q.First.Word("noise") != "quiet" || q.Second.Word("noise") != "quiet" || q.First.String() == q.Second.String() {
				t.Errorf("to practise on: %+v", q)
			}
			pairs[rater] = append(pairs[rater], q.First.String()+" or "+q.Second.String())
			if _, err := practised.Tell(ctx, q.ID, Answer{Choice: First}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !slices.Equal(pairs["ann"], pairs["bo"]) || pairs["ann"][0] == pairs["ann"][1] || pairs["ann"][1] == pairs["ann"][2] {
		t.Errorf("they practised on %q", pairs)
	}
	for n := range 8 {
		rater := []string{"ann", "bo"}[n%2]
		q, err := plain.Ask(ctx, Request{Rater: rater})
		if err != nil {
			t.Fatal(err)
		}
		p, err := practised.Ask(ctx, Request{Rater: rater})
		if err != nil {
			t.Fatal(err)
		}
		if p.First.String() != q.First.String() || p.Second.String() != q.Second.String() || p.Method != q.Method || p.Forecast != q.Forecast {
			t.Errorf("after practice question %d is %+v, without %+v", n, p, q)
		}
		choice := First
		if q.First.Float("x") < q.Second.Float("x") {
			choice = Second
		}
		for s, id := range map[*Study]QuestionID{plain: q.ID, practised: p.ID} {
			if _, err := s.Tell(ctx, id, Answer{Choice: choice}); err != nil {
				t.Fatal(err)
			}
		}
	}
	again, err := Open(ctx, practised.Events(0), OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := plain.Verdict(ctx, Look{Rater: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	raters, err := plain.Raters(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Study{practised, again} {
		got, err := s.Verdict(ctx, Look{Rater: "ann"})
		if err != nil || got.Best.Option.String() != want.Best.Option.String() || got.Best.Confidence != want.Best.Confidence || got.Answers != want.Answers || got.Answers != 8 {
			t.Errorf("after practice the verdict is %+v (%v), without %+v", got, err, want)
		}
		if r, err := s.Raters(ctx); err != nil || !slices.Equal(r, raters) {
			t.Errorf("after practice the raters are %+v (%v), without %+v", r, err, raters)
		}
	}
}
