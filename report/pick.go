package report

import (
	"fmt"
	"html/template"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
)

// pick is what the study found.
type pick struct {
	Whose    string      // a rater of a study per rater
	Option   *optionView // nil where there is no pick to speak of
	Headline string      // this and what follows in the words of the page
	Claim    string
	More     string
	Foretold string
	Caveat   string

	Sure       string // empty where nothing is claimed
	Meter      template.HTML
	Rival      *optionView
	RivalClose string
}

func newPick(v prefer.Verdict, rater string, target float64, w presenter) *pick {
	p := &pick{Whose: rater, Headline: v.HeadlineOf(rater), Claim: v.Claim(), More: v.More(), Foretold: sentence(v.Foretold.String())}
	if sure, ok := claim(v); ok {
		p.Sure, p.Meter, p.Caveat = percent(sure), meter(sure, target), v.Assumes()
	}
	if !v.Kind.Picks() {
		return p
	}
	o := w.show(v.Best.Option)
	p.Option = &o
	if v.Best.Rival != nil {
		e := w.show(v.Best.Rival)
		p.Rival, p.RivalClose = &e, percent(v.Best.RivalClose)
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

// meter is a bar from 0 to 100 % with a mark where a verdict is given.
func meter(confidence, target float64) template.HTML {
	const width, height = 320, 34
	d := chart.New("", width, height, fmt.Sprintf("%s sure; a verdict needs %s", percent(confidence), percent(target)))
	x := chart.NewScale(0, 1, 1, width-1)
	d.Rect("track", x.At(0), 4, x.At(1)-x.At(0), 10)
	if confidence > 0 {
		d.Rect("bar", x.At(0), 4, x.At(confidence)-x.At(0), 10)
	}
	d.Line("mark", x.At(target), 0, x.At(target), 18)
	d.Text("soft", "middle", min(x.At(target), width-52), 31, "verdict at "+percent(target))
	return d.HTML()
}

// ended is a verdict as those read it on the page who gave the answers: at their budget, each person's number of answers, as soon as all of them are.
func ended(s *prefer.Study, l prefer.Look, v prefer.Verdict, budget int) prefer.Verdict {
	given := map[string]int{}
	for _, e := range s.History() {
		if !e.Undone && !e.Blind && !e.Out && !e.Answer.Check && e.Method != practice && e.Answer.Choice != prefer.Skip && (l.Rater == "" || e.Rater == l.Rater) && maps.Equal(s.Config().Space.Context(e.First), l.Fixed) {
			given[e.Rater]++
		}
	}
	fewest := slices.Min(append(slices.Collect(maps.Values(given)), len(s.History())))
	if fewest < budget && len(given) > 1 { // what is left of it to one of several says nothing
		budget = 0
	}
	return v.For(fewest, budget)
}
