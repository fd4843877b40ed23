package judge

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

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

// rank orders doubts: a judge against herself, then against the rest, then the others.
func (d Doubt) rank() int {
	switch {
	case d.Repeat:
		return 0
	case d.Rest:
		return 1
	}
	return 2
}

// Doubtful returns the pairs that these raters answered, each once, the most doubtful first: those of which one said otherwise when it was
// put again, then those with an answer that contradicts the rest, and within each by how near the probability of a preference is to a half. Skips and
// ties that no repeat contradicts are as doubtful as their probability says.
func Doubtful(ctx context.Context, s *prefer.Study, raters []string, fixed space.Option) ([]Doubt, error) {
	belief, err := s.Belief(ctx, prefer.Look{Fixed: fixed})
	if err != nil {
		return nil, err
	}
	odd := belief.Contradictions()
	said := map[prefer.QuestionID]prefer.Choice{}
	var out []Doubt
	at := func(first, second space.Option) int {
		return slices.IndexFunc(out, func(d Doubt) bool {
			return maps.Equal(d.First, first) && maps.Equal(d.Second, second) || maps.Equal(d.First, second) && maps.Equal(d.Second, first)
		})
	}
	for _, e := range s.History() {
		q, asked := s.Question(e.Question)
		under := s.Config().Space.Context
		if !e.Counts() || !asked || !slices.Contains(raters, e.Rater) || !maps.Equal(under(e.First), under(fixed)) {
			continue
		}
		said[q.ID] = e.Answer.Choice
		i := at(e.First, e.Second)
		if i < 0 {
			p, err := belief.Prefers(e.First, e.Second)
			if err != nil {
				return nil, err
			}
			i = len(out)
			out = append(out, Doubt{First: e.First, Second: e.Second, PFirst: p})
		}
		out[i].Rest = out[i].Rest || odd[e.ID] > 0
		if before, ok := said[q.RepeatOf]; ok && q.RepeatOf != "" && turned(before) != e.Answer.Choice { // the log has the options of a repeat exchanged
			out[i].Repeat = true
		}
	}
	slices.SortStableFunc(out, func(a, b Doubt) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(math.Abs(a.PFirst-0.5), math.Abs(b.PFirst-0.5)))
	})
	return out, nil
}

// turned is a choice with the options exchanged.
func turned(c prefer.Choice) prefer.Choice {
	switch c {
	case prefer.First:
		return prefer.Second
	case prefer.Second:
		return prefer.First
	}
	return c
}

// Route has people decide the most doubtful pairs that the judges answered: as many as share says of all of them, rounded up. Each is put in the queue of
// the study, for whoever comes next that is no judge. What waits there already, or was asked of somebody else, counts as routed and is not put there again. It returns
// those that were put there now, and how many of the share were already.
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

// routed reports whether a pair was put in the queue before, or to somebody who is none of the judges.
func routed(events []prefer.Event, raters []string, d Doubt) bool {
	same := func(a, b space.Option) bool {
		return maps.Equal(a, d.First) && maps.Equal(b, d.Second) || maps.Equal(a, d.Second) && maps.Equal(b, d.First)
	}
	return slices.ContainsFunc(events, func(e prefer.Event) bool {
		switch {
		case e.Enqueued != nil && e.Enqueued.Against != nil:
			return same(e.Enqueued.Option, e.Enqueued.Against)
		case e.Asked != nil && !slices.Contains(raters, e.Asked.Rater):
			return same(e.Asked.First, e.Asked.Second)
		}
		return false
	})
}
