package page

import (
	"fmt"
	"html/template"
	"maps"
	"regexp"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/space"
)

// Learned is what a result page says about parameters, or features of items.
type Learned struct {
	Bars    template.HTML // what each is worth; empty where there is one or none
	Lines   []Line        // those of which something can be said, the most important first
	Untold  string        // about what nothing is known
	Unknown []Line        // and their curves
}

// Line is one parameter of the result.
type Line struct {
	ID, Name, Sentence string
	Chart              template.HTML
}

// sliceSteps is the number of points of a curve.
const sliceSteps = 41

// learned says, for every parameter or feature, what was learned, with a curve.
func (v visitor) learned(belief *prefer.Belief, best space.Option, fixed space.Option) (out Learned, err error) {
	values, all, asked := Values(v.items(), best), belief.Importance(), v.asked(fixed)
	ids := map[string]string{}
	var unknown []string
	for n, i := range all {
		points, err := belief.Slice(i.Parameter, sliceSteps)
		if err != nil {
			return out, err
		}
		s := chart.Slice{Parameter: v.parameter(i.Parameter), Points: points, Best: values[i.Parameter], Unit: v.unit(i.Parameter), Paint: v.paint(i.Parameter, values),
			Name: v.choice, Label: v.sliceLabel(i.Parameter, points, values[i.Parameter])}
		for _, o := range asked {
			s.Asked = append(s.Asked, o[i.Parameter])
		}
		ids[i.Parameter] = fmt.Sprintf("along-%d", n+1)
		line := Line{ID: ids[i.Parameter], Name: i.Parameter, Sentence: v.words().Importance(i)}
		if i.Parameter != "item" || !v.Config.Space.Crossed() { // of items the ranking says more
			line.Chart = s.HTML()
		}
		if i.Kind == "unknown" {
			out.Unknown, unknown = append(out.Unknown, line), append(unknown, i.Parameter)
		} else {
			out.Lines = append(out.Lines, line)
		}
	}
	if len(unknown) > 0 {
		out.Untold = v.lang.Sentence(v.lang.T("learned.unknown", "names", v.lang.List(unknown)))
	}
	if len(all) > 1 {
		out.Bars = chart.Bars{List: all, Unknown: v.lang.T("worth.unknown"), Label: v.lang.T("worth.label"), Href: func(name string) string { return "#" + ids[name] }}.HTML()
	}
	return out, nil
}

// sliceLabel says what a curve shows.
func (v visitor) sliceLabel(name string, points []prefer.SlicePoint, best space.Value) string {
	worst := points[0]
	for _, p := range points {
		if p.Below > worst.Below {
			worst = p
		}
	}
	return v.lang.T("slice.label", "name", name, "best", chart.Number(best), "least", chart.Number(worst.Value))
}

// choice is how a value that is no number is called.
func (v visitor) choice(value space.Value) string {
	switch value {
	case space.ValueOf(true):
		return v.lang.T("card.yes")
	case space.ValueOf(false):
		return v.lang.T("card.no")
	}
	return chart.Number(value)
}

// maxAsked bounds the values that are marked in a chart.
const maxAsked = 400

// asked returns the options that were shown, the latest first, with the features of items: in a study per rater those to whom the visitor
// looks at, and those under what is fixed.
func (v visitor) asked(fixed space.Option) (out []space.Option) {
	history, here := v.Study.Study.History(), v.Config.Space.Context(fixed)
	for n := len(history) - 1; n >= 0 && len(out) < maxAsked; n-- {
		e := history[n]
		if e.Undone || v.Config.People == prefer.PerRater && e.Rater != v.rater || !maps.Equal(v.Config.Space.Context(e.First), here) {
			continue
		}
		out = append(out, Values(v.items(), e.First), Values(v.items(), e.Second))
	}
	return out
}

// unit finds what the numbers of a parameter are by what a template writes behind them: "{{radius}}px" are pixels.
func (v visitor) unit(name string) string {
	re, err := regexp.Compile(`\{\{\s*` + regexp.QuoteMeta(name) + `\s*\}\}(px|%|deg|rem|em|ms|s|pt|vw|vh|mm|cm)\b|\{\{\s*` + regexp.QuoteMeta(name) + `\s*\}\}(%)`)
	if err != nil {
		return ""
	}
	m := re.FindStringSubmatch(v.Settings.Page.Template.Text)
	switch {
	case m == nil:
		return ""
	case m[1]+m[2] == "deg":
		return "°"
	}
	return m[1] + m[2]
}

// parameter returns a parameter, or what is known of a feature of items.
func (v visitor) parameter(name string) space.Parameter {
	return chart.ParameterOf(v.Config.Space, name)
}

// paint returns the colours of a hue; nil of anything else.
func (v visitor) paint(name string, best space.Option) func(float64) string {
	return chart.Hue(name, best, v.Settings.Page.Template.Text)
}
