package page

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/space"
)

// everybody shows the owner of a study per rater all of its people: their favourites, what suits the group, and how far they agree.
func (p *Pages) everybody(w http.ResponseWriter, r *http.Request, v visitor, fixed space.Option) error {
	v.Lang = language.English() // as all pages that are the owner's alone
	ctx := r.Context()
	raters, err := v.raters(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(raters, v.byName)
	group, err := v.Study.Study.Group(ctx, prefer.Look{Fixed: fixed})
	if err != nil {
		return err
	}
	answers, _ := v.Size()
	out := Everybody{Frame: p.frame(v, "Results of "+v.Name, "result"), Look: v.look(), After: after(language.English(), prefer.Verdict{Answers: answers, Raters: answered(raters)}), Sentence: group.Sentence, Contexts: v.others(r.URL, fixed)}
	if len(fixed) > 0 {
		out.Under = fixed.String()
	}
	if group.Best != nil && len(group.Raters) > 1 {
		out.Pick = new(p.onPage(v, group.Best, ""))
		if out.Take, err = p.take(ctx, v, prefer.Verdict{Best: prefer.Best{Option: group.Best}, Answers: answers, Raters: answered(raters)}); err != nil {
			return err
		}
	}
	for _, rater := range raters {
		one, err := p.person(ctx, v, rater, group, fixed)
		if err != nil {
			return err
		}
		out.People = append(out.People, one)
	}
	for _, camp := range group.Camps {
		var names []string
		for _, rater := range camp.Raters {
			names = append(names, v.called(rater))
		}
		out.Camps = append(out.Camps, p.onPage(v, camp.Best, strings.Join(names, ", ")))
	}
	busiest := func(a, b string) int { return v.Status(b).Given - v.Status(a).Given }
	picture := func(o space.Option) (template.HTML, error) { return p.portrait(v, o) }
	if out.Agreement, err = view.Agreement(group, boardful, busiest, v.called, picture); err != nil {
		return err
	}
	return p.write(w, http.StatusOK, v.origins(), out)
}

// person says how far one rater of a study per rater is, and what the group's pick is worth to them.
func (p *Pages) person(ctx context.Context, v visitor, rater prefer.Rater, group prefer.Group, fixed space.Option) (Person, error) {
	out := v.personOf(rater)
	verdict, err := v.Study.Study.Verdict(ctx, prefer.Look{Rater: rater.Name, Fixed: fixed})
	if err != nil {
		return out, err
	}
	verdict = v.For(verdict, rater.Name, v.Config.Space.Context(fixed))
	out.Headline = v.Words().Headline(verdict, v.another(rater.Name))
	if verdict.Answers == 0 || !verdict.Kind.Picks() {
		return out, nil
	}
	out.Favourite = new(p.onPage(v, verdict.Best.Option, ""))
	if slices.Contains(group.Raters, rater.Name) && len(group.Raters) > 1 {
		belief, err := v.Study.Study.Belief(ctx, prefer.Look{Rater: rater.Name, Fixed: fixed})
		if err != nil {
			return out, err
		}
		own, err := belief.Prefers(verdict.Best.Option, group.Best)
		if err != nil {
			return out, err
		}
		out.Cost = cost(own)
	}
	return out, nil
}

// cost says what the group's pick is worth to a rater who takes their own favourite over it with this probability.
func cost(own float64) string {
	n := min(hundredths(own), 99)
	if n <= asGood {
		return "The group's pick is about as good here."
	}
	return fmt.Sprintf("Taken over the group's pick about %d times in 100.", n)
}

// asGood is how often in a hundred times a favourite is taken over something about as good, at most.
const asGood = 55

// another is called of somebody else, and nothing of the visitor.
func (v visitor) another(rater string) string {
	if name := v.called(rater); name != "you" {
		return name
	}
	return ""
}

// portrait is a box that the page's script draws an option in.
func (p *Pages) portrait(v visitor, o space.Option) (template.HTML, error) {
	text, err := json.Marshal(p.Studies.Show(v.Study, o))
	if err != nil {
		return "", err
	}
	return template.HTML(fmt.Sprintf(`<span class="thumb" data-option="%s" data-label=""></span>`, template.HTMLEscapeString(string(text)))), nil
}

// self returns the name under which the visitor answers. The owner has one in a study per rater only, unless answers without a name came before.
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

// learnedOf is the heading over what was learned: about the visitor's own taste, the team's, or that of the rater whose result they see.
func (v visitor) learnedOf(verdict prefer.Verdict) string {
	switch {
	case v.of != "":
		return v.Lang.T("result.learned.name", "name", v.of)
	case verdict.Raters > 1:
		return v.Lang.T("result.learned.team")
	}
	return v.Lang.T("result.learned")
}

// after says how many answers a verdict rests on, and of several people how many they are.
func after(in language.Language, verdict prefer.Verdict) string {
	if verdict.Raters > 1 {
		return in.T("result.after.people", "n", verdict.Answers, "people", verdict.Raters)
	}
	return in.T("result.after", "n", verdict.Answers)
}
