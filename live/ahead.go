package live

import (
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/space"
)

// Ahead is what may be shown to a rater after her next answer.
type Ahead struct {
	Options []Shown `json:"options"` // each once, in no order that tells which answer leads to which
	All     bool    `json:"all"`     // no more will be known before she answers
}

// Ahead returns what may be shown to a rater after her next answer, as far as that is chosen: who shows it can have it at hand. Where
// hidden checks are among her questions only the owner is told, for a rater would know a check by its not being foretold.
func (s *Studies) Ahead(r *Study, rater string, owner bool) Ahead {
	hidden := r.Settings.Checks.RepeatRate > 0 || len(r.Settings.Checks.Catch) > 0
	if hidden && !owner || r.situation(rater, s.cfg.Now()).others > 0 { // beside others nothing is chosen ahead
		return Ahead{Options: []Shown{}, All: true}
	}
	next, all := r.Study.Host().Ahead(rater)
	out := Ahead{Options: []Shown{}, All: all}
	seen := map[string]bool{}
	r.look(func(x *index) {
		for _, q := range next {
			for _, o := range []space.Option{q.First, q.Second} {
				if name := o.String(); !seen[name] {
					seen[name] = true
					out.Options = append(out.Options, s.shown(r, x, "", o))
				}
			}
		}
	})
	slices.SortFunc(out.Options, func(a, b Shown) int { return strings.Compare(a.name(), b.name()) })
	return out
}

// name is what tells an option from others.
func (o Shown) name() string {
	if o.Item != nil {
		return o.Item.ID
	}
	return o.Params.String()
}
