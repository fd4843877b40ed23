package judge

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
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

	Position fmt.Stringer `json:"position_bias,omitempty"` // that of prefer.Rater; nil where it is not clear
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
	out := Result{Study: r.Study, Ended: ended, Budget: r.Budget, Seconds: time.Since(r.begin).Seconds()}
	for _, c := range r.judges { // no call is at hand any more
		out.Calls += c.calls
	}
	err := r.Studies.With(ctx, r.Study, func(s *live.Study) error {
		raters, err := s.Study.Raters(ctx)
		if err != nil {
			return err
		}
		out.Judges = []Tally{}
		for _, j := range r.Judges {
			t := Tally{Name: j.Name, Failed: map[Reason]int{}, Calls: r.judges[j.Name].calls, Failures: r.judges[j.Name].failures}
			if i := slices.IndexFunc(raters, func(r prefer.Rater) bool { return r.Name == j.Name }); i >= 0 {
				each := raters[i]
				t.First, t.Agreed, t.Noise, t.FollowsOrder = each.Left, each.Agreed, each.Noise, each.FollowsOrder
				if each.Position != nil {
					t.Position = each.Position
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
				t.Failed[Reason(reason.String())]++
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

// Doubt is a pair that judges have answered, and why a person should look at it.
type Doubt struct {
	First  space.Option `json:"first"`
	Second space.Option `json:"second"`

	// PFirst is the probability, by all answers, that the first is preferred.
	PFirst float64 `json:"p_first"`

	// Repeat says that a judge answered a hidden repeat of it otherwise, Rest that an answer to it contradicts the rest (Belief.Contradictions).
	Repeat bool `json:"contradicts_itself,omitempty"`
	Rest   bool `json:"contradicts_rest,omitempty"`
}

// isOf reports whether the pair has these options, in whatever order.
func (d Doubt) isOf(a, b space.Option) bool {
	return maps.Equal(a, d.First) && maps.Equal(b, d.Second) || maps.Equal(a, d.Second) && maps.Equal(b, d.First)
}

// rank orders doubts: a judge against itself, then against the rest, then the others.
func (d Doubt) rank() int {
	switch {
	case d.Repeat:
		return 0
	case d.Rest:
		return 1
	}
	return 2
}

// Doubtful returns the pairs that these raters answered, each once, the most doubtful first: those that a rater answered otherwise when repeated,
// then those with an answer that contradicts the rest, and within each by how near the probability of a preference is to a half.
func Doubtful(ctx context.Context, s *prefer.Study, raters []string, fixed space.Option) ([]Doubt, error) {
	belief, err := s.Belief(ctx, prefer.Look{Fixed: fixed})
	if err != nil {
		return nil, err
	}
	odd := belief.Contradictions()
	said := map[prefer.QuestionID]prefer.Choice{}
	var out []Doubt
	for _, e := range s.History() {
		q, asked := s.Question(e.Question)
		under := s.Config().Space.Context
		if !e.Counts() || !asked || !slices.Contains(raters, e.Rater) || !maps.Equal(under(e.First), under(fixed)) {
			continue
		}
		said[q.ID] = e.Answer.Choice
		i := slices.IndexFunc(out, func(d Doubt) bool { return d.isOf(e.First, e.Second) })
		if i < 0 {
			p, err := belief.Prefers(e.First, e.Second)
			if err != nil {
				return nil, err
			}
			i = len(out)
			out = append(out, Doubt{First: e.First, Second: e.Second, PFirst: p})
		}
		out[i].Rest = out[i].Rest || odd[e.ID] > 0
		if before, ok := said[q.RepeatOf]; ok && q.RepeatOf != "" && exchanged(before) != e.Answer.Choice { // the log has the options of a repeat exchanged
			out[i].Repeat = true
		}
	}
	slices.SortStableFunc(out, func(a, b Doubt) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(math.Abs(a.PFirst-0.5), math.Abs(b.PFirst-0.5)))
	})
	return out, nil
}

// exchanged is a choice with the options exchanged.
func exchanged(c prefer.Choice) prefer.Choice {
	return cmp.Or(map[prefer.Choice]prefer.Choice{prefer.First: prefer.Second, prefer.Second: prefer.First}[c], c)
}

// Route puts the most doubtful share of the judged pairs, rounded up, in the queue of the study, for the next person who is not a judge. Pairs that
// wait there already, or that another rater was asked, are not put there again. It returns the new pairs, and how many of the share were there already.
func Route(ctx context.Context, studies *live.Studies, study string, raters []string, fixed space.Option, share float64) (put []Doubt, already int, err error) {
	err = studies.Change(ctx, study, "enqueued", "", func(s *live.Study) error {
		all, err := Doubtful(ctx, s.Study, raters, fixed)
		if err != nil {
			return err
		}
		already = -len(put) // of an attempt that another process came between
		events := s.Study.Events(0)
		for _, d := range all[:int(math.Ceil(share*float64(len(all))))] {
			if routed(events, raters, d) {
				already++
				continue
			}
			if err := s.Study.Change(ctx, prefer.Change{Enqueue: []prefer.Enqueued{{Option: d.First, Against: d.Second, Except: raters}}}); err != nil {
				return err
			}
			put = append(put, d)
		}
		return nil
	})
	return put, already, err
}

// routed reports whether a pair was put in the queue before, or to a rater who is not one of the judges.
func routed(events []prefer.Event, raters []string, d Doubt) bool {
	return slices.ContainsFunc(events, func(e prefer.Event) bool {
		switch {
		case e.Enqueued != nil && e.Enqueued.Against != nil:
			return d.isOf(e.Enqueued.Option, e.Enqueued.Against)
		case e.Asked != nil && !slices.Contains(raters, e.Asked.Rater):
			return d.isOf(e.Asked.First, e.Asked.Second)
		}
		return false
	})
}
