package report

import (
	"context"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// pick is what the study found, in the words of the page.
type pick struct {
	Rater  string      // a rater of a study per rater
	Option *optionView // nil where there is no pick to speak of
	view.Sentences
	Caveat string // what the numbers assume
}

func newPick(v prefer.Verdict, rater string, w presenter) *pick {
	p := &pick{Rater: rater, Sentences: w.Sentences(v, rater), Caveat: english.Assumptions()}
	if v.Kind.Picks() {
		p.Option = new(w.show(v.Best.Option))
	}
	return p
}

// ended is a verdict as the page shows it: at the budget as soon as everybody has given as many answers.
func ended(s *prefer.Study, l prefer.Look, v prefer.Verdict, budget int) prefer.Verdict {
	given := map[string]int{}
	for _, e := range s.History() {
		if e.Number > 0 && !e.Out && (l.Rater == "" || e.Rater == l.Rater) && maps.Equal(s.Config().Space.Context(e.First), l.Fixed) {
			given[e.Rater]++
		}
	}
	fewest := slices.Min(append(slices.Collect(maps.Values(given)), len(s.History())))
	if fewest < budget && len(given) > 1 { // what is left of it to one of several says nothing
		budget = 0
	}
	return v.For(fewest, budget)
}

// rankedItems is how many items of a list the gallery shows.
const rankedItems = 24

// ranked is an item of the gallery.
type ranked struct {
	view.Ranked
	Picture template.HTML
}

// gallery lists the best items of a list with the places that they may have.
func gallery(b *prefer.Belief, w presenter) (out []ranked) {
	return xslices.Map(w.Ranking(b, rankedItems), func(r view.Ranked) ranked { return ranked{r, w.picture(r.Option)} })
}

// group is what raters with a taste of their own have in common.
type group struct {
	Under    string      // the setting of the contexts, in words
	Notes    bool        // explains itself: the first of several does
	Best     *optionView // nil while nobody has preferred anything
	Sentence string
	Map      template.HTML
	Members  []member
	Camps    []camp
}

type member struct {
	Name                          string
	Favourite                     optionView
	Words, Headline, Loss, Counts string
}

// camp is one of two groups with different tastes.
type camp struct {
	Names string
	Best  optionView
}

// newGroup compares the raters under one setting of the contexts, which is nil in a study without.
func newGroup(ctx context.Context, s *prefer.Study, under space.Option, w presenter, step func()) (*group, error) {
	g, err := s.Group(ctx, prefer.Look{Fixed: under})
	if err != nil {
		return nil, err
	}
	out := &group{Under: under.String(), Sentence: language.English().Sentence(g.Sentence)}
	if len(g.Raters) == 0 {
		return out, nil
	}
	out.Best = new(w.show(g.Best))
	raters, err := s.Raters(ctx)
	if err != nil {
		return nil, err
	}
	for i, name := range g.Raters {
		v, err := s.Verdict(ctx, prefer.Look{Rater: name, Fixed: under})
		if err != nil {
			return nil, err
		}
		m := member{Name: named(name), Words: w.Label(g.Favourites[i]), Headline: english.Headline(v, named(name)), Loss: view.Decimal(g.Loss[i])}
		m.Counts, _ = english.Rater(raters[slices.IndexFunc(raters, func(r prefer.Rater) bool { return r.Name == name })])
		m.Favourite = w.show(g.Favourites[i])
		out.Members = append(out.Members, m)
		step()
	}
	picture := func(o space.Option) (template.HTML, error) { return w.picture(o), nil }
	if out.Map, err = view.Agreement(g, len(g.Raters), nil, named, picture); err != nil {
		return nil, err
	}
	for _, c := range g.Camps {
		names := xslices.Map(c.Raters, named)
		out.Camps = append(out.Camps, camp{strings.Join(names, ", "), w.show(c.Best)})
	}
	return out, nil
}
