package judge

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

// TestRoute: the most doubtful pairs wait for people, once; who comes is asked about them first and counts as another rater, and the judges are not.
func TestRoute(t *testing.T) {
	studies := room(t, file(t), tea)
	fickle := func(ctx context.Context, q Question) (Reply, error) { // follows the order where options are near
		if math.Abs(likes(q.First)-likes(q.Second)) < 0.05 {
			return Reply{Choice: prefer.First}, nil
		}
		return honest(ctx, q)
	}
	cfg := Config{Studies: studies, Study: "tea", Judges: []Judge{{"j", fickle}}, Budget: 40, Repeats: 0.3}
	result, err := start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var doubts []Doubt
	look := func(s *live.Study) (err error) {
		doubts, err = Doubtful(t.Context(), s.Study, []string{"j"}, nil)
		return err
	}
	if err := studies.With(t.Context(), "tea", look); err != nil {
		t.Fatal(err)
	}
	j := result.Judges[0]
	if pairs := j.Answers - j.Repeats; len(doubts) > pairs || len(doubts) < pairs-3 { // a list may ask a pair again
		t.Errorf("%d pairs of %d answers with %d repeats", len(doubts), j.Answers, j.Repeats)
	}
	contradicted := 0
	for i, d := range doubts {
		if d.Repeat {
			contradicted++
		}
		if i > 0 && (d.rank() < doubts[i-1].rank() || d.rank() == doubts[i-1].rank() && math.Abs(d.PFirst-0.5) < math.Abs(doubts[i-1].PFirst-0.5)) {
			t.Errorf("%+v comes after %+v", d, doubts[i-1])
		}
	}
	if want := j.Agreed.Of - j.Agreed.Count; contradicted != want || want == 0 {
		t.Errorf("%d pairs are contradicted by repeats, want %d and some", contradicted, want)
	}
	put, already, err := Route(t.Context(), studies, "tea", []string{"j"}, nil, 0.1)
	want := int(math.Ceil(0.1 * float64(len(doubts))))
	if err != nil || len(put) != want || already != 0 {
		t.Fatalf("routed %d, %d before, %v, want %d", len(put), already, err, want)
	}
	if again, already, err := Route(t.Context(), studies, "tea", []string{"j"}, nil, 0.1); err != nil || len(again) != 0 || already != want {
		t.Errorf("routed again %d, %d before, %v", len(again), already, err)
	}
	same := func(q prefer.Question) bool {
		return slices.ContainsFunc(put, func(d Doubt) bool {
			return d.First.String() == q.First.String() && d.Second.String() == q.Second.String() || d.First.String() == q.Second.String() && d.Second.String() == q.First.String()
		})
	}
	if q, err := studies.Ask(t.Context(), "tea", live.Ask{Rater: "j", Owner: true}); err != nil || q.Asked.Enqueued {
		t.Errorf("the judge is asked %+v, %v", q.Asked, err)
	}
	for i := range want {
		q, err := studies.Ask(t.Context(), "tea", live.Ask{Rater: "ann"})
		if err != nil || !q.Asked.Enqueued || !same(q.Asked) {
			t.Fatalf("question %d of ann is %+v, %v", i+1, q.Asked, err)
		}
		if q.Status.Verdict != string(prefer.KeepGoing) {
			t.Errorf("ann is told %q with %d pairs before them", q.Status.Verdict, want-i)
		}
		if _, err := studies.Tell(t.Context(), "tea", live.Tell{Question: q.Asked.ID, Rater: "ann", Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
			t.Fatal(err)
		}
	}
	if q, err := studies.Ask(t.Context(), "tea", live.Ask{Rater: "ann"}); err != nil || q.Asked.Enqueued {
		t.Errorf("after all of them ann is asked %+v, %v", q.Asked, err)
	}
	entries := history(t, studies)
	if n := len(slices.DeleteFunc(entries, func(e prefer.Entry) bool { return e.Rater != "ann" })); n != want {
		t.Errorf("%d answers of ann, want %d", n, want)
	}
}
