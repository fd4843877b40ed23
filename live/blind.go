package live

import (
	"cmp"
	"context"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// BlindQuestions is how many blind duels make a check, unless somebody wants another number: four strong rivals and four
// random ones. A pick that is taken seven times then has the interval [0.53, 0.98] and holds, so that one slip decides
// nothing; a coin would do that in 3.5 % of the checks, a pick that is taken nine times in ten in 81 %. Of six all must be
// won (53 %), and three of three are [0.44, 1], which is a coin's, too. What it is worth was rehearsed (docs/page.md): of 400
// simulated people after 20 answers about two parameters it held for 302, of whose picks 84 % missed less than 0.67 of the
// noise, of the others' 61 %.
const BlindQuestions = 8

// blind returns the blind duel of the pick that a rater has open, or asks one. Who may not see the result is not asked, unless the owner
// wants it of everybody: the duels would tell which option the pick is. Not even the owner is told why.
func (s *Studies) blind(ctx, patient context.Context, r *Study, a Ask) (Question, error) {
	if err := r.MayLook(a.Owner); err != nil && !a.round {
		return Question{}, err
	}
	if len(a.Fixed) > len(r.Config.Space.Context(a.Fixed)) {
		return Question{}, invalid("blind", true, "a blind duel has no conditions but contexts: leave out what else is fixed")
	}
	release, err := s.turn(ctx, patient, r)
	if err != nil {
		return Question{}, err
	}
	defer release()
	before := r.Seq()
	q, err := s.insist(ctx, patient, r, prefer.Request{Rater: a.Rater, Fixed: a.Fixed, Blind: true, Another: a.another})
	if err != nil {
		return Question{}, err
	}
	out := s.pose(r, q, a.Owner)
	if out.Seq > before {
		s.changes.tell(r.Name, r.Seq(), "asked")
	}
	return out, nil
}

// Take says whether a rater would take an option.
type Take struct {
	// Rater is who says so, Owner that the owner of the study tells it.
	Rater string
	Owner bool

	// Option is what she was shown; nil: the pick.
	Option space.Option
	Take   bool
}

// Take keeps what a rater says about taking an option. Who may not see the result cannot have been shown the pick.
func (s *Studies) Take(ctx context.Context, name string, t Take) (out prefer.Taken, err error) {
	if err := CheckRater(t.Rater); err != nil {
		return out, err
	}
	err = s.Change(ctx, name, "taken", t.Rater, func(r *Study) (err error) {
		if err := cmp.Or(r.MayLook(t.Owner), r.mayChange(t.Owner)); err != nil {
			return err
		}
		lasting, stop := lasting(ctx)
		defer stop()
		out, err = r.Study.Accept(lasting, t.Rater, t.Option, t.Take)
		return err
	})
	return out, err
}
