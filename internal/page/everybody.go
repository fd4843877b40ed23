//go:build !js

package page

import (
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
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Everybody is the page with the results of a study per rater.
type Everybody struct {
	Frame
	Look
	After     string    // how many answers, of how many people
	Under     string    // what is fixed, in words
	Contexts  []Setting // other settings of the contexts
	People    []Person
	Sentence  string  // about the group
	Pick      *Shown  // of the group, if there is one
	Take      *Take   // of that pick
	Camps     []Shown // what suits each of two camps, if there are such; labels are their names
	Agreement template.HTML
}

// Person is a rater as the owner sees them.
type Person struct {
	Rater     string // the name in the log
	Given     int    // answers
	Drawn     bool   // the study seeks this rater’s own favourite, which is drawn
	Name      string
	Result    string // in a study per rater, the address of their result
	Progress  string // answers given of the budget
	Percent   int    // of the budget
	Headline  string // over the favourite
	Favourite *Shown // nil while there is none, or it is not known at once
	Cost      string // what the group's pick is worth to them
	Words     string // how far the answers can be relied on
	Warn      bool   // not far
	Out       bool   // left out of what the group learns
	Link      string // the id of the latest link, if the board can replace it
}

// everybody shows the owner of a study per rater all of its people: their favourites, what suits the group, and how far they agree.
func (p *Pages) everybody(w http.ResponseWriter, r *http.Request, v visitor, fixed space.Option) error {
	v.Lang, v.Terms = language.English(), v.Settings.Page.Words["en"] // as all pages that are the owner's alone
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
		names := xslices.Map(camp.Raters, v.called)
		out.Camps = append(out.Camps, p.onPage(v, camp.Best, strings.Join(names, ", ")))
	}
	busiest := func(a, b string) int { return v.Status(b).Given - v.Status(a).Given }
	if out.Agreement, err = view.Agreement(group, boardful, busiest, v.called, v.portrait); err != nil {
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
	name := out.Name
	if name == "you" { // the headline speaks to the reader
		name = ""
	}
	out.Headline = v.Presenter.Headline(verdict, name)
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

// portrait is a box that the page's script draws an option in.
func (v visitor) portrait(o space.Option) (template.HTML, error) {
	text, err := json.Marshal(v.Study.Show(o))
	if err != nil {
		return "", err
	}
	return template.HTML(fmt.Sprintf(`<span class="thumb" data-option="%s" data-label=""></span>`, template.HTMLEscapeString(string(text)))), nil
}
