package live

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer"
)

// Exclude is who is left out of what the group learns, or taken back.
type Exclude struct {
	Whom
	Why  string // for whoever reads the log later
	Back bool   // take them back
}

// Exclude leaves raters out of what the group learns, or takes them back: under all names that they have in the log.
func (s *Studies) Exclude(ctx context.Context, study string, e Exclude) error {
	if err := e.check(); err != nil {
		return err
	}
	return s.Change(ctx, study, "excluded", e.Rater, func(r *Study) error {
		names := r.namesOf(e.Whom)
		if len(names) == 0 && e.Origin != "" {
			return e.none(study)
		}
		if len(names) == 0 {
			return notFound("no_rater", "rater %q was never asked and has not answered", e.Rater)
		}
		ctx := context.WithoutCancel(ctx)
		for _, name := range names {
			var err error
			if e.Back {
				err = r.Study.Change(ctx, prefer.Change{Include: []string{name}})
			} else {
				err = r.Study.Change(ctx, prefer.Change{Exclude: []string{name}, Why: e.Why})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// namesOf returns the names that people have in the log, sorted.
func (r *Study) namesOf(whom Whom) (names []string) {
	who := map[string]bool{whom.Rater: true}
	if whom.Origin != "" {
		who = r.cameBy(whom.Origin)
	}
	add := func(name string) {
		if who[PersonOf(name)] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	r.look(func(x *index) {
		for name := range x.last {
			add(name)
		}
		for name := range x.said {
			add(name)
		}
	})
	slices.Sort(names)
	return names
}

// cameBy returns the people of whom something came by an upload token.
func (r *Study) cameBy(origin string) map[string]bool {
	out := map[string]bool{}
	for person, origins := range r.Origins() {
		out[person] = slices.Contains(origins, origin)
	}
	return out
}

// Origins returns the ids of the upload tokens that something of a person came by, by her name, sorted.
func (r *Study) Origins() map[string][]string {
	out := map[string][]string{}
	asked, said := map[prefer.QuestionID]string{}, map[prefer.AnswerID]string{}
	for _, e := range r.Study.Events(0) {
		name := ""
		switch {
		case e.Asked != nil:
			name = e.Asked.Rater
			asked[e.Asked.ID] = name
		case e.Answered != nil:
			name = asked[e.Answered.Question]
			said[e.Answered.ID] = name
		case e.Observed != nil:
			name = e.Observed.Duel.Rater
			said[e.Observed.ID] = name
		case e.Undone != nil:
			name = said[e.Undone.Answer]
		case e.Taken != nil:
			name = e.Taken.Rater
		}
		if person := PersonOf(name); e.Origin != "" && !slices.Contains(out[person], e.Origin) {
			out[person] = append(out[person], e.Origin)
			slices.Sort(out[person])
		}
	}
	return out
}
