package view

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

const (
	sliceSteps = 41  // points of a curve
	maxShown   = 400 // options that are marked in a chart: those of the latest answers
)

// Sentences put a verdict into words.
type Sentences struct {
	Headline    string
	Claim       string // what is known of the pick
	More        string // whether more answers are worth it
	Calibration string // how well answers were predicted
	Blind       string // the outcome of the blind check
}

// Sentences puts a verdict into words, about somebody else by a name, or about the reader.
func (p Presenter) Sentences(v prefer.Verdict, about string) Sentences {
	words, claimed := p.Words(), v
	if about != "" {
		claimed.Raters = max(v.Raters, 2) // the claim is not about the reader
	}
	out := Sentences{Headline: p.Headline(v, about), Claim: words.Claim(claimed), More: words.More(v), Calibration: p.Lang.Sentence(words.Calibration(v.Calibration))}
	if v.Blind != nil && v.Blind.Of > 0 {
		out.Blind = p.Lang.Sentence(words.Blind(*v.Blind))
	}
	return out
}

// Headline is a few words over a result, about somebody else by a name, or about the reader. A pick at the end of a budget is a favourite like any other,
// unless the answers do not say which option is better.
func (p Presenter) Headline(v prefer.Verdict, about string) string {
	if v.Kind == prefer.BudgetReached && !v.FollowsOrder {
		v.Kind = prefer.Settled
	}
	return p.Words().Headline(v, about)
}

// Learned is what the answers say of each parameter, or feature of items.
type Learned struct {
	Bars    template.HTML // what each of several of which something is known is worth; empty of fewer
	Lines   []Line        // those of which something is known, the most important first
	Untold  string        // names those of which nothing is known
	Unknown []Line        // and their curves
}

// Line is what is known of one parameter.
type Line struct {
	ID, Name, Sentence string
	Chart              template.HTML
}

// Learned returns what a belief says along each parameter, through the best option, with marks at the options that were shown. The bars link to the lines, whose
// IDs begin with id; if that is empty they have neither.
func (p Presenter) Learned(b *prefer.Belief, best space.Option, shown []space.Option, id string) (out Learned, err error) {
	best = p.Values(best)
	bars, ids, unknown := chart.Bars{Label: p.Lang.T("worth.label")}, map[string]string{}, []string{}
	if id != "" {
		bars.Href = func(name string) string { return "#" + ids[name] }
	}
	for n, i := range b.Importance() {
		points, err := b.Slice(i.Parameter, sliceSteps)
		if err != nil {
			return out, err
		}
		s := chart.Slice{Parameter: p.Parameter(i.Parameter), Points: points, Best: best[i.Parameter], Unit: p.Unit(i.Parameter), Paint: p.Paint(i.Parameter, best), Name: p.choice}
		worst := slices.MaxFunc(points, func(a, b prefer.SlicePoint) int { return cmp.Compare(a.Below, b.Below) })
		s.Label = p.Lang.T("slice.label", "name", p.Term(i.Parameter), "best", chart.Number(p.termOf(s.Best)), "least", chart.Number(p.termOf(worst.Value)))
		s.Asked = xslices.Map(shown, func(o space.Option) space.Value { return o[i.Parameter] })
		if id != "" {
			ids[p.Term(i.Parameter)] = fmt.Sprint(id, n+1)
		}
		line := Line{Name: p.Term(i.Parameter), Sentence: p.Importance(i)}
		if line.ID = ids[line.Name]; i.Parameter != "item" || !p.space.Crossed() { // the ranking says more of items
			line.Chart = s.HTML()
		}
		i.Parameter = line.Name
		if i.Kind == "unknown" {
			out.Unknown, unknown = append(out.Unknown, line), append(unknown, i.Parameter)
		} else {
			out.Lines, bars.List = append(out.Lines, line), append(bars.List, i)
		}
	}
	if len(unknown) > 0 {
		out.Untold = p.Lang.Sentence(p.Lang.T("learned.unknown", "names", p.Lang.List(unknown)))
	}
	if len(bars.List) > 1 {
		out.Bars = bars.HTML()
	}
	return out, nil
}

// Shown returns the options of the latest answers, with features of items, under the contexts that are fixed; in a study per rater those of one rater.
func (p Presenter) Shown(rater string, fixed space.Option) (out []space.Option) {
	own, here := p.study.Config().People == prefer.PerRater, p.space.Context(fixed)
	for _, e := range slices.Backward(p.study.History()) {
		if len(out) >= maxShown {
			break
		}
		if !e.Undone && (!own || e.Rater == rater) && maps.Equal(p.space.Context(e.First), here) {
			out = append(out, p.Values(e.First), p.Values(e.Second))
		}
	}
	return out
}

// Ranked is an item of a list that was ranked.
type Ranked struct {
	Option space.Option
	Place  int
	Label  string
	Words  string // the places that it may have
	Bar    template.HTML
	Tied   bool // it cannot be told from the next one
}

// Ranking lists the best items of a list.
func (p Presenter) Ranking(b *prefer.Belief, most int) (out []Ranked) {
	for n, r := range b.Ranking(most) {
		label, words := p.Label(r.Option), p.Words().Ranked(r)
		out = append(out, Ranked{r.Option, n + 1, label, words, chart.Places(n+1, r.Low, r.High, len(p.items), label+": "+words), r.Tied()})
	}
	if len(out) > 0 {
		out[len(out)-1].Tied = false // there is no next one to look at
	}
	return out
}

// PathPick is the pick from one moment until the next.
type PathPick struct {
	Option space.Option
	Words  string // since when
}

// Path lists the picks of a study as they changed; none where there are fewer than two moments.
func (p Presenter) Path(list []timeline.Moment) (out []PathPick) {
	for i, m := range list {
		if len(list) > 1 && (i == 0 || !maps.Equal(m.Best, list[i-1].Best)) {
			out = append(out, PathPick{m.Best, p.Lang.T("path.after", "n", m.Answers)})
		}
	}
	return out
}

// Agreement draws how far each two people agree, with their favourites: of many the most who come first in order. Careless people agree with nobody.
func Agreement(g prefer.Group, most int, order func(a, b string) int, name func(rater string) string, picture func(space.Option) (template.HTML, error)) (template.HTML, error) {
	var who []int
	for i, rater := range g.Raters {
		if !slices.Contains(g.Careless, rater) {
			who = append(who, i)
		}
	}
	if len(who) < 2 {
		return "", nil
	}
	if len(who) > most {
		slices.SortStableFunc(who, func(i, j int) int { return order(g.Raters[i], g.Raters[j]) })
		who = who[:most]
		slices.Sort(who)
	}
	of := func(table [][]float64) [][]float64 {
		return xslices.Map(who, func(a int) []float64 {
			return xslices.Map(who, func(b int) float64 { return table[a][b] })
		})
	}
	a := chart.Agreement{Mean: of(g.Agreement), Low: of(g.Low), High: of(g.High), Label: "Agreement between raters"}
	for _, i := range who {
		favourite, err := picture(g.Favourites[i])
		if err != nil {
			return "", err
		}
		a.Names, a.Pictures = append(a.Names, name(g.Raters[i])), append(a.Pictures, favourite)
	}
	return a.HTML(), nil
}
