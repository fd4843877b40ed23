// Package view prepares what the result page and the report both show of a study, so that a study reads the same in both: options and values in words, what was
// learned of each parameter, the ranking of a list, its picks over time, how far people agree, and how reliable their answers are.
package view

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// Presenter puts a study into words and charts, in one language.
type Presenter struct {
	Lang  language.Language
	Terms map[string]string // what the reader is shown for names and values of parameters, where the study says

	study    *prefer.Study
	space    space.Space
	items    []space.Item
	template string
}

// New returns the presenter of a study. The template is the text that draws its options, empty where there is none: it shows the units of parameters and the
// colours of a hue.
func New(s *prefer.Study, lang language.Language, template string) Presenter {
	return Presenter{Lang: lang, study: s, space: s.Config().Space, items: s.Items(true), template: template}
}

// Words say results in the language of the presenter.
func (p Presenter) Words() say.Words { return say.In(p.Lang.Tag()) }

// Term returns what the reader is shown for a name or value of a parameter.
func (p Presenter) Term(word string) string { return cmp.Or(p.Terms[word], word) }

// Under writes what is fixed, in the reader's terms.
func (p Presenter) Under(fixed space.Option) string {
	shown := space.Option{}
	for name, v := range fixed {
		shown[p.Term(name)] = p.termOf(v)
	}
	return shown.String()
}

func (p Presenter) termOf(v space.Value) space.Value {
	if text := p.Terms[v.String()]; text != "" {
		return space.ValueOf(text)
	}
	return v
}

// Importance says how much a parameter matters, in the reader's terms.
func (p Presenter) Importance(i prefer.Importance) string {
	i.Parameter, i.At = p.Term(i.Parameter), p.termOf(i.At)
	return p.Words().Importance(i)
}

// Items returns every item that the study ever had, since answers may be about any of them; nil of a study without a list.
func (p Presenter) Items() []space.Item { return p.items }

// Parameter returns a parameter, or what is known of a feature of items.
func (p Presenter) Parameter(name string) space.Parameter { return chart.ParameterOf(p.space, name) }

// Values returns an option with what a template may use of its item: text and features.
func (p Presenter) Values(o space.Option) space.Option { return Values(p.items, o) }

// Values returns an option with what a template may use of its item among these: text and features.
func Values(items []space.Item, o space.Option) space.Option {
	at := slices.IndexFunc(items, func(it space.Item) bool { return it.ID == o.Item() })
	if at < 0 {
		return o
	}
	values := maps.Clone(o)
	values["text"] = space.ValueOf(items[at].Text)
	maps.Copy(values, items[at].Features)
	return values
}

// Label writes an option in one line: its item, and the parameters in the order of the space.
func (p Presenter) Label(o space.Option) string {
	var parts []string
	if id := o.Item(); id != "" {
		parts = append(parts, id)
	}
	values := xslices.Map(p.space.Parameters, func(q space.Parameter) string { return p.Term(q.Name) + " " + p.Value(q.Name, o[q.Name]) })
	return strings.Join(append(parts, values...), ", ")
}

// Value writes a value of a parameter or feature, rounded to what matters, with its unit if that is known.
func (p Presenter) Value(name string, v space.Value) string {
	if q := p.Parameter(name); q.High > q.Low {
		return chart.Number(Round(q, v)) + p.Unit(name)
	}
	return p.choice(v)
}

// choice writes a value that need not be a number.
func (p Presenter) choice(v space.Value) string {
	switch v = p.termOf(v); v {
	case space.ValueOf(true):
		return p.Lang.T("card.yes")
	case space.ValueOf(false):
		return p.Lang.T("card.no")
	}
	return chart.Number(v)
}

// Unit finds the unit of a parameter by what the template writes after its value: "{{radius}}px" is in pixels.
func (p Presenter) Unit(name string) string {
	place := `\{\{\s*` + regexp.QuoteMeta(name) + `\s*\}\}`
	re, err := regexp.Compile(place + `(px|%|deg|rem|em|ms|s|pt|vw|vh|mm|cm)\b|` + place + `(%)`)
	if err != nil { // a name that is not UTF-8 is in no template
		return ""
	}
	m := re.FindStringSubmatch(p.template)
	switch {
	case m == nil:
		return ""
	case m[1] == "deg":
		return "°"
	}
	return m[1] + m[2]
}

// Paint returns the colours of a hue; nil of other parameters.
func (p Presenter) Paint(name string, best space.Option) func(float64) string {
	return chart.Hue(name, best, p.template)
}

// fineness is the part of a range below which digits say nothing: rounding moves a value by at most half of it. Downloads as JSON and exports have all digits.
const fineness = 1.0 / 200

// Round rounds a float to its step: a hue of 0 to 360 to whole degrees. The result stays in the range, and a circle wraps round.
func Round(p space.Parameter, v space.Value) space.Value {
	x := v.Float()
	if p.Type != "" && p.Type != "float" || math.IsNaN(x) || p.High <= p.Low {
		return v
	}
	step := Step(p, x)
	if step >= 1 {
		x = math.Round(x/step) * step
	} else if short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', -int(math.Round(math.Log10(step))), 64), 64); err == nil { // the float nearest to what is written
		x = short
	}
	if p.Circular && x >= p.High {
		x = p.Low
	}
	return space.ValueOf(min(max(x, p.Low), p.High))
}

// Step is what a float is rounded to: the largest power of ten of at most a two-hundredth of its range or, on a log scale, of the value x.
func Step(p space.Parameter, x float64) float64 {
	width := p.High - p.Low
	if p.Log {
		width = x
	}
	return math.Pow10(int(math.Floor(math.Log10(width * fineness))))
}

// Position returns where in its range, or among its values, a value of a parameter lies, from 0 to 1. It says nothing, and ok is false, of values without an order.
func Position(p space.Parameter, v space.Value) (at float64, ok bool) {
	switch {
	case p.Type == "ordinal" || p.Type == "categorical" || p.Type == "bool":
		values := p.Values()
		i := slices.Index(values, v)
		return float64(i) / float64(max(1, len(values)-1)), p.Type == "ordinal" && i >= 0 && len(values) > 1
	case p.Log:
		return math.Log(v.Float()/p.Low) / math.Log(p.High/p.Low), p.High > p.Low
	}
	return (v.Float() - p.Low) / (p.High - p.Low), p.High > p.Low
}

// Colour returns the CSS colour that an option of these parameters is, empty of others.
func Colour(o space.Option) string {
	for name := range o {
		if name != "hue" && name != "lightness" && name != "chroma" && name != "saturation" {
			return ""
		}
	}
	hue, light, chroma, saturation := chart.NumberOf(o, "hue"), chart.NumberOf(o, "lightness"), chart.NumberOf(o, "chroma"), chart.NumberOf(o, "saturation")
	if math.IsNaN(hue) || math.IsNaN(light) {
		return ""
	}
	if light > 1 {
		light /= 100
	}
	if !math.IsNaN(chroma) {
		return fmt.Sprintf("oklch(%.4g %.4g %.4g)", light, chroma, hue)
	}
	switch {
	case math.IsNaN(saturation):
		saturation = 60
	case saturation <= 1:
		saturation *= 100
	}
	return fmt.Sprintf("hsl(%.4g %.4g%% %.4g%%)", hue, saturation, 100*light)
}
