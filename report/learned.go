package report

import (
	"fmt"
	"html/template"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/space"
)

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
	list, best := b.Importance(), b.Best()
	if len(list) == 0 { // items without features
		return "", nil, nil
	}
	for _, i := range list {
		points, err := b.Slice(i.Parameter, sliceSteps)
		if err != nil {
			return "", nil, err
		}
		s := chart.Slice{Parameter: chart.ParameterOf(w.space, i.Parameter), Points: points, Best: w.setting(best, i.Parameter), Paint: chart.Hue(i.Parameter, best, w.draw(best))}
		worst := points[0]
		for _, p := range points {
			if p.Below > worst.Below {
				worst = p
			}
		}
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

// sentence gives words a capital and a full stop, if there are any.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:] + "."
}
