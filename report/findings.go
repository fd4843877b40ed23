package report

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// pick is what the study found, in the words of the page.
type pick struct {
	Rater    string      // a rater of a study per rater
	Option   *optionView // nil where there is no pick to speak of
	Headline string
	Said     []string
	Sentence string
	Foretold string
	Caveat   string

	Sure  string // empty where nothing is claimed
	Meter template.HTML
	Rival *optionView
	Close string // what the rival is
}

func newPick(v prefer.Verdict, rater string, target float64, w presenter) *pick {
	p := &pick{Rater: rater, Headline: english.Headline(v, rater), Sentence: sentence(v.Sentence), Foretold: sentence(english.Calibration(v.Calibration))}
	p.Said = slices.DeleteFunc([]string{english.Claim(v), english.Detail(v), english.More(v)}, func(text string) bool { return text == "" })
	if sure, ok := claim(v); ok {
		p.Sure, p.Meter, p.Caveat = say.Percent(sure), chart.Meter(sure, target, say.Percent(sure)+" sure; a verdict needs "+say.Percent(target)), english.Assumptions()
	}
	if !v.Kind.Picks() {
		return p
	}
	o := w.show(v.Best.Option)
	p.Option = &o
	if v.Best.Rival != nil {
		e := w.show(v.Best.Rival)
		p.Rival, p.Close = &e, english.RunnerUp(v)
	}
	return p
}

// claim returns how sure a verdict is of what it says; ok is false if it claims nothing.
func claim(v prefer.Verdict) (sure float64, ok bool) {
	switch v.Kind {
	case prefer.GoodEnough:
		return v.Best.Top, true
	case prefer.NothingPleases:
		return v.Best.Displeased, true
	case prefer.Chance:
		return 0, false
	}
	return v.Best.Confidence, true
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

// Sizes of what is drawn.
const (
	sliceSteps  = 41 // points of a slice along a number
	rankedItems = 24 // of a gallery
)

// line is what is known of one parameter, or feature.
type line struct {
	Name, Sentence string
	Chart          template.HTML
}

// learned draws what each parameter is worth, and how its values stand to the pick's, the most important first.
func learned(b *prefer.Belief, w presenter, shown []space.Option) (bars template.HTML, lines []line, err error) {
	list, best := b.Importance(), b.Best() // none of items without features
	for _, i := range list {
		points, err := b.Slice(i.Parameter, sliceSteps)
		if err != nil {
			return "", nil, err
		}
		s := chart.Slice{Parameter: chart.ParameterOf(w.space, i.Parameter), Points: points, Best: w.setting(best, i.Parameter), Paint: chart.Hue(i.Parameter, best, w.draw(best))}
		worst := slices.MaxFunc(points, func(a, b prefer.SlicePoint) int { return cmp.Compare(a.Below, b.Below) })
		s.Label = dictionary("slice.label", "name", i.Parameter, "best", chart.Number(s.Best), "least", chart.Number(worst.Value))
		for _, o := range shown {
			s.Asked = append(s.Asked, w.setting(o, i.Parameter))
		}
		lines = append(lines, line{i.Parameter, sentence(i.Sentence), s.HTML()})
	}
	if len(list) > 1 {
		bars = chart.Bars{List: list, Unknown: dictionary("worth.unknown"), Label: dictionary("worth.label")}.HTML()
	}
	return bars, lines, nil
}

// ranked is an item of the gallery.
type ranked struct {
	Place       int
	Name, Words string
	Tied        bool // nobody can tell it from the one before
	Picture     template.HTML
	Bar         template.HTML
}

// gallery lists the best items of a list with the places that they may have.
func gallery(list []prefer.Ranked, w presenter) (out []ranked) {
	for i, r := range list {
		words := english.Ranked(r)
		out = append(out, ranked{i + 1, w.words(r.Option), words, i > 0 && list[i-1].Tied(), w.picture(r.Option),
			chart.Places(i+1, r.Low, r.High, len(w.items), fmt.Sprintf("%s: %s", w.words(r.Option), words))})
	}
	return out
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
