package live

import (
	"context"
	"time"

	"github.com/prefer-bo/prefer"
)

// observe keeps a duel that nobody asked for.
func (s *Studies) observe(ctx context.Context, r *Study, t Tell) (prefer.AnswerID, error) {
	d := *t.Duel
	d.Rater = t.Rater
	if !t.Owner {
		if err := s.mayObserve(r, d); err != nil {
			return "", err
		}
	}
	lasting, stop := lasting(ctx)
	defer stop()
	return r.Study.Observe(lasting, d)
}

// mayObserve refuses a rater a duel of her own: in a study that takes none, and where an answer would be refused. It counts towards her budget, may
// not follow her previous answer within the least time, and where there are checks or practice every other thing she says is an answer to a question, so that
// checks keep their rates. One that is told again goes through to its key.
func (s *Studies) mayObserve(r *Study, d prefer.Duel) error {
	var previous time.Time
	var again bool
	own, asked, given := 0, 0, 0
	r.look(func(x *index) {
		previous = x.last[d.Rater]
		for _, e := range x.said[d.Rater] {
			previous = e.Time
			again = again || e.Answer.Key != "" && e.Answer.Key == d.Answer.Key
			if e.Observed {
				own++
			} else if e.Answer.Choice != prefer.Skip {
				asked++
			}
		}
		given = x.taught[whose{PersonOf(d.Rater), r.Config.Space.Context(d.First).String()}].answers
	})
	switch {
	case again:
		return nil
	case !r.Settings.OwnDuels:
		return refuse(NoDuels, "raters of this study answer what they are asked: it takes no duels of their own")
	}
	if err := r.mayChange(false); err != nil {
		return err
	}
	checks := r.Settings.Checks
	switch {
	case r.Budget() > 0 && given >= r.Budget():
		return refuse(Ended, "that were all %d answers: nothing more is asked or taken", r.Budget())
	case own >= asked && (checks.RepeatRate > 0 || len(checks.Catch) > 0 || r.Settings.Sitting.Practice > 0):
		return refuse(AskFirst, "answer a question first: in this study duels of one's own are no more than answers to questions")
	}
	return s.tooQuick(r, previous, d.Answer)
}
