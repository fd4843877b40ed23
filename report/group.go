package report

import (
	"context"
	"html/template"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/space"
)

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
	out := &group{Under: under.String(), Sentence: sentence(g.Sentence)}
	if len(g.Raters) == 0 {
		return out, nil
	}
	best := w.show(g.Best)
	out.Best = &best
	raters, err := s.Raters(ctx)
	if err != nil {
		return nil, err
	}
	for i, name := range g.Raters {
		v, err := s.Verdict(ctx, prefer.Look{Rater: name, Fixed: under})
		if err != nil {
			return nil, err
		}
		m := member{Name: named(name), Words: w.words(g.Favourites[i]), Headline: english.Headline(v, named(name)), Loss: decimal(g.Loss[i])}
		m.Counts, _ = english.Rater(raters[slices.IndexFunc(raters, func(r prefer.Rater) bool { return r.Name == name })])
		m.Favourite = w.show(g.Favourites[i])
		out.Members = append(out.Members, m)
		step()
	}
	if len(g.Raters)-len(g.Careless) > 1 {
		out.Map = matrix(g, w)
	}
	for _, c := range g.Camps {
		names := make([]string, len(c.Raters))
		for i, name := range c.Raters {
			names[i] = named(name)
		}
		out.Camps = append(out.Camps, camp{strings.Join(names, ", "), w.show(c.Best)})
	}
	return out, nil
}

// matrix draws how far each two raters agree.
func matrix(g prefer.Group, w presenter) template.HTML {
	a := chart.Agreement{Label: "How far each two agree"}
	some := func(row []float64) (out []float64) { // who is careless agrees with nobody
		for i, v := range row {
			if !slices.Contains(g.Careless, g.Raters[i]) {
				out = append(out, v)
			}
		}
		return out
	}
	for i, name := range g.Raters {
		if slices.Contains(g.Careless, name) {
			continue
		}
		a.Mean, a.Low, a.High = append(a.Mean, some(g.Agreement[i])), append(a.Low, some(g.Low[i])), append(a.High, some(g.High[i]))
		a.Names, a.Pictures = append(a.Names, named(name)), append(a.Pictures, w.picture(g.Favourites[i]))
	}
	return a.HTML()
}
