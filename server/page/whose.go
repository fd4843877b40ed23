package page

import (
	"cmp"
	"net/http"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/live/token"
)

// self returns the name under which the visitor answers. An owner has none; in a study per rater, where somebody without one would be
// nobody, she has, unless she answered without before it was.
func (v visitor) self() string {
	if !v.owner || v.rater != "" || v.Config.People != prefer.PerRater || v.Status("").Given > 0 {
		return v.rater
	}
	return token.OwnersName
}

// called is how a rater is called on an owner's pages.
func (v visitor) called(rater string) string {
	if rater == "" || rater == v.self() {
		return "you"
	}
	return cmp.Or(v.names[rater], rater)
}

// named has an owner see people by what they are called.
func (p *Pages) named(next show) show {
	return func(w http.ResponseWriter, r *http.Request, v visitor) (err error) {
		if v.owner {
			if v.names, err = p.Studies.Names(r.Context(), v.Name); err != nil {
				return err
			}
		}
		return next(w, r, v)
	}
}

// learnedOf is the heading over what was learned: about the visitor's own taste, the team's, or that of whom she looks at.
func (v visitor) learnedOf(verdict prefer.Verdict) string {
	switch {
	case v.of != "":
		return v.lang.T("result.learned.name", "name", v.of)
	case verdict.Raters > 1:
		return v.lang.T("result.learned.team")
	}
	return v.lang.T("result.learned")
}

// after says how many answers a verdict rests on, and of several people how many they are.
func after(in language.Language, verdict prefer.Verdict) string {
	if verdict.Raters > 1 {
		return in.T("result.after.people", "n", verdict.Answers, "people", verdict.Raters)
	}
	return in.T("result.after", "n", verdict.Answers)
}
