package live

import (
	"context"

	"github.com/prefer-bo/prefer"
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
func (r *Study) Several(context prefer.Option) (several bool) {
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

// Alter changes a running study: whose favourite is sought, how many answers each person is to give, the sentence above a question. What was
// said and asked before stays, and counts.
func (s *Studies) Alter(ctx context.Context, name string, c prefer.Change) error {
	goal := 0
	err := s.Change(ctx, name, "changed", "", func(r *Study) error {
		goal = r.Settings.Page.Goal
		lasting, stop := lasting(ctx)
		defer stop()
		return r.Study.Change(lasting, c)
	})
	if err == nil && c.Budget != nil && goal != 0 { // of before there were budgets
		err = s.Configure(ctx, name, func(s *Settings) { s.Page.Goal = *c.Budget })
	}
	return err
}
