package live

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Lost is an option that could not be shown to people, and how often.
type Lost struct {
	Option space.Option
	Times  int
}

// maxLost is how many options are remembered as lost.
const maxLost = 100

// Lose notes that one of the options of a rater's question, by the place at which it was shown, could not be loaded where she is: the owner finds it in
// Lost. What is no question of hers is passed over.
func (s *Studies) Lose(ctx context.Context, r *Study, rater string, id prefer.QuestionID, place int) error {
	q, ok := r.Study.Question(id)
	if !ok || PersonOf(q.Rater) != rater {
		return nil
	}
	if place != 0 && place != 1 {
		return invalid("side", place, "side = %d, want 0 for what was shown first or 1", place)
	}
	as, _ := r.placed(id)
	o := q.First
	if (place == 1) != as.swapped {
		o = q.Second
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.IndexFunc(r.lost, func(l Lost) bool { return l.Option.String() == o.String() })
	switch {
	case at >= 0:
		r.lost[at].Times++
	case len(r.lost) < maxLost:
		r.lost = append(r.lost, Lost{o, 1})
	}
	s.log.WarnContext(ctx, "an option could not be shown", "study", r.Name, "option", o.String())
	return nil
}

// Lost returns what could not be shown since the study was opened, the most frequent first.
func (r *Study) Lost() []Lost {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := slices.Clone(r.lost)
	slices.SortStableFunc(out, func(a, b Lost) int { return b.Times - a.Times })
	return out
}
