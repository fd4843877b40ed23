package judge

import (
	"context"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

// Result is what came of a run, and of those before it.
type Result struct {
	Study   string         `json:"study"`
	Ended   Ended          `json:"ended"`
	Done    int            `json:"done"` // questions of the judges that were answered or skipped, those of earlier runs included
	Budget  int            `json:"budget"`
	Cost    float64        `json:"cost"` // of all of them
	Calls   int            `json:"calls"`
	Seconds float64        `json:"seconds"` // of this run, as calls
	Verdict prefer.Verdict `json:"verdict"`
	Judges  []Tally        `json:"judges"`
}

// Tally is what the log says of a judge, and what this run counted.
type Tally struct {
	Name    string         `json:"name"`
	Answers int            `json:"answers"` // skips are none
	Repeats int            `json:"repeats"` // of the answers: hidden repeats
	Skips   int            `json:"skips"`   // that it chose itself
	Failed  map[Reason]int `json:"failed"`  // questions that were skipped because it did not answer, by the last reason
	Cost    float64        `json:"cost"`

	Calls    int `json:"calls"`    // of this run
	Failures int `json:"failures"` // calls of this run that failed

	// First counts the preferences for what was shown first: far from a half is an order effect. Agreed counts the hidden repeats, sides exchanged,
	// that were answered as before. Both have the 95 % interval of Wilson.
	First  prefer.Share `json:"first"`
	Agreed prefer.Share `json:"agreed"`

	FollowsOrder bool    `json:"follows_order,omitempty"` // the order explains the choices, by the rule of prefer.Rater
	Noise        float64 `json:"noise,omitempty"`         // 1 is usual; 0 without several raters to tell it by
}

// soFar returns how many questions the judges have done and what that has cost, and calls each for every one of them.
func (r *run) soFar(s *prefer.Study, each func(prefer.Entry)) (done int, spent float64) {
	for _, e := range s.History() {
		if !e.Undone && !e.Observed && r.judges[e.Rater] != nil {
			done++
			spent += cost(e)
			each(e)
		}
	}
	return done, spent
}

func cost(e prefer.Entry) float64 {
	if c := e.Answer.Meta[metaCost].Float(); c >= 0 {
		return c
	}
	return 0 // told by another program, under a name of its own
}

func (r *run) result(ctx context.Context, ended Ended) (Result, error) {
	r.mu.Lock()
	out := Result{Study: r.Study, Ended: ended, Budget: r.Budget, Calls: r.made, Seconds: time.Since(r.begin).Seconds()}
	r.mu.Unlock()
	err := r.Studies.With(ctx, r.Study, func(s *live.Study) error {
		raters, err := s.Study.Raters(ctx)
		if err != nil {
			return err
		}
		out.Judges = []Tally{}
		for _, j := range r.Judges {
			t := Tally{Name: j.Name, Failed: map[Reason]int{}, Calls: r.judges[j.Name].calls, Failures: r.judges[j.Name].failures}
			for _, each := range raters {
				if each.Name == j.Name {
					t.First, t.Agreed, t.Noise, t.FollowsOrder = each.Left, each.Agreed, each.Noise, each.FollowsOrder
				}
			}
			out.Judges = append(out.Judges, t)
		}
		out.Done, out.Cost = r.soFar(s.Study, func(e prefer.Entry) {
			t := &out.Judges[slices.IndexFunc(r.Judges, func(j Judge) bool { return j.Name == e.Rater })]
			t.Cost += cost(e)
			reason, failed := e.Answer.Meta[metaFailed]
			switch {
			case e.Answer.Choice == prefer.Skip && failed:
				t.Failed[Reason(reason.Word())]++
			case e.Answer.Choice == prefer.Skip:
				t.Skips++
			default:
				t.Answers++
				if q, ok := s.Study.Question(e.Question); ok && q.RepeatOf != "" {
					t.Repeats++
				}
			}
		})
		out.Verdict, err = s.All(ctx, r.Fixed)
		return err
	})
	return out, err
}
