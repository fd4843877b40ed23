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

// Tally is what the log says of a judge, and what this run counted of her.
type Tally struct {
	Name    string         `json:"name"`
	Answers int            `json:"answers"` // skips are none
	Repeats int            `json:"repeats"` // of the answers: hidden repeats
	Skips   int            `json:"skips"`   // that she chose herself
	Failed  map[Reason]int `json:"failed"`  // questions that were skipped because she did not answer, by the last reason
	Cost    float64        `json:"cost"`

	// Calls and Failures are those of this run: how often she was called, and how often that came to nothing.
	Calls    int `json:"calls"`
	Failures int `json:"failures"`

	// First counts the preferences for what she was shown first: far from a half is an order effect. Agreed counts the hidden repeats, sides exchanged,
	// that she answered as before. Both have the 95 % interval of Wilson.
	First  prefer.Share `json:"first"`
	Agreed prefer.Share `json:"agreed"`

	// FollowsOrder says that the order explains the choices: prefer.Rater has the rule.
	FollowsOrder bool `json:"follows_order,omitempty"`

	// Noise is how noisy she is, 1 being usual, where there are several raters to tell it by; else 0.
	Noise float64 `json:"noise,omitempty"`
}

// judged reports whether an entry of the history is a judge's, of a question that she was asked.
func (r *run) judged(e prefer.Entry) bool {
	return !e.Undone && !e.Observed && slices.ContainsFunc(r.Judges, func(j Judge) bool { return j.Name == e.Rater })
}

// soFar returns how many questions the judges have done, and what that has cost.
func (r *run) soFar(s *prefer.Study) (done int, spent float64) {
	for _, e := range s.History() {
		if r.judged(e) {
			done++
			spent += cost(e)
		}
	}
	return done, spent
}

// cost is what an answer has cost.
func cost(e prefer.Entry) float64 {
	if c := e.Answer.Meta[metaCost].Float(); c >= 0 {
		return c
	}
	return 0 // told by another program, under a name of its own
}

// result gathers what there is to say.
func (r *run) result(ctx context.Context, ended Ended) (Result, error) {
	r.mu.Lock()
	out := Result{Study: r.Study, Ended: ended, Budget: r.Budget, Calls: r.made, Seconds: time.Since(r.begin).Seconds(), Judges: []Tally{}}
	r.mu.Unlock()
	err := r.Studies.With(ctx, r.Study, func(s *live.Study) error {
		tallies, err := r.tallies(ctx, s.Study)
		if err != nil {
			return err
		}
		out.Judges = tallies
		out.Done, out.Cost = r.soFar(s.Study)
		out.Verdict, err = s.All(ctx, r.Fixed)
		return err
	})
	return out, err
}

func (r *run) tallies(ctx context.Context, s *prefer.Study) ([]Tally, error) {
	raters, err := s.Raters(ctx)
	if err != nil {
		return nil, err
	}
	var out []Tally
	for _, j := range r.Judges {
		t := Tally{Name: j.Name, Failed: map[Reason]int{}, Calls: r.counters[j.Name].calls, Failures: r.counters[j.Name].failures}
		for _, each := range raters {
			if each.Name == j.Name {
				t.First, t.Agreed, t.Noise, t.FollowsOrder = each.Left, each.Agreed, each.Noise, each.FollowsOrder
			}
		}
		for _, e := range s.History() {
			if !r.judged(e) || e.Rater != j.Name {
				continue
			}
			t.Cost += cost(e)
			reason, failed := e.Answer.Meta[metaFailed]
			switch {
			case e.Answer.Choice == prefer.Skip && failed:
				t.Failed[Reason(reason.Word())]++
			case e.Answer.Choice == prefer.Skip:
				t.Skips++
			default:
				t.Answers++
				if q, ok := s.Question(e.Question); ok && q.RepeatOf != "" {
					t.Repeats++
				}
			}
		}
		out = append(out, t)
	}
	return out, nil
}
