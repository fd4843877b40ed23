package report

import (
	"html/template"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/say"
)

// pick is what the study found, in the words of the page.
type pick struct {
	Whose    string      // a rater of a study per rater
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
	p := &pick{Whose: rater, Headline: english.Headline(v, rater), Sentence: sentence(v.Sentence), Foretold: sentence(english.Calibration(v.Calibration))}
	for _, text := range []string{english.Claim(v), english.Detail(v), english.More(v)} {
		if text != "" {
			p.Said = append(p.Said, text)
		}
	}
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

// ended is a verdict as those read it on the page who gave the answers: at their budget, each person's number of answers, as soon as all of them are.
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
