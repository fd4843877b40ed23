package live

import (
	"context"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// Known returns the last verdict on a rater's utility, as it is for her, without working anything out: it may be an answer behind. Of the utility
// that everybody shares it returns what rests on all answers, or nothing.
func (r *Study) Known(rater string) (v prefer.Verdict, ok bool) {
	of, under := r.Utility(rater), r.Context(rater).String()
	r.look(func(x *index) {
		last, known := r.verdicts[key(of, under)]
		switch {
		case known && x.each:
			v, ok = r.turn(x, last.Verdict, rater, under), true
		case known && last.at == x.count(of, under):
			v, ok = r.all(x, last.Verdict, under), true
		}
	})
	return v, ok
}

// Several reports whether more than one person has answered under these contexts, those left out aside.
func (r *Study) Several(context space.Option) (several bool) {
	r.look(func(x *index) { several = x.raters("", context.String()) > 1 })
	return several
}

// Refresh has the verdicts worked out in the background that are not known, or behind.
func (s *Studies) Refresh(r *Study) {
	var raters []string
	r.look(func(x *index) {
		for who := range x.taught {
			raters = append(raters, who.person)
		}
	})
	for _, rater := range raters {
		if r.stale(rater, 0) {
			s.afterAnswer(r, rater)
		}
	}
}

// people returns everybody who was asked or has answered something in a study, also if that was undone, with the time they
// were last asked.
func (s *Studies) people(ctx context.Context, study string) (out map[string]time.Time, err error) {
	err = s.With(ctx, study, func(r *Study) error {
		out = map[string]time.Time{}
		for _, e := range r.Study.History() {
			out[PersonOf(e.Rater)] = time.Time{}
		}
		r.look(func(x *index) {
			for name := range x.order {
				person := PersonOf(name)
				out[person] = x.last[person]
			}
		})
		return nil
	})
	return out, err
}

// knows reports whether somebody was asked or has answered something, also if that was undone.
func (r *Study) knows(person string) (known bool) {
	r.look(func(x *index) {
		for name := range x.order {
			known = known || PersonOf(name) == person
		}
	})
	return known || slices.ContainsFunc(r.Study.History(), func(e prefer.Entry) bool { return PersonOf(e.Rater) == person })
}
