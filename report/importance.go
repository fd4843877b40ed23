package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
)

// importanceBars draws the part that each parameter has in all that can be lost, most important first, with one standard
// deviation.
func importanceBars(list []prefer.Importance) template.HTML {
	const width, row, left, right = 480, 30, 130, 62
	lo, hi, total := 0.0, 0.0, 0.0
	for _, i := range list {
		total += math.Max(0, i.Loss)
	}
	if total == 0 {
		total = 1
	}
	list = slices.Clone(list)
	var words []string
	for k := range list {
		i := &list[k]
		i.Loss, i.SD = i.Loss/total, i.SD/total
		lo, hi = math.Min(lo, i.Loss-i.SD), math.Max(hi, i.Loss+i.SD)
		words = append(words, fmt.Sprintf("%s %s ± %s", i.Parameter, percent(i.Loss), percent(i.SD)))
	}
	height := float64(row*len(list) + 8)
	d := chart.New("", width, height, "What is lost by setting a parameter at random, of all that can be: "+strings.Join(words, "; "))
	x := chart.NewScale(math.Max(lo, -hi/4), hi, left, width-right)
	for k, i := range list {
		y := float64(row*k) + row/2 + 4
		from, to := math.Min(x.At(0), x.At(i.Loss)), math.Max(x.At(0), x.At(i.Loss))
		d.Text("label", "end", left-10, y+4, chart.Clip(i.Parameter, 17))
		d.Rect("bar", from, y-7, to-from, 14)
		d.Line("halo", math.Max(x.At(i.Loss-i.SD), x.From), y, x.At(i.Loss+i.SD), y)
		d.Line("whisker", math.Max(x.At(i.Loss-i.SD), x.From), y, x.At(i.Loss+i.SD), y)
		if part := percent(i.Loss); i.Kind != prefer.Unknown {
			d.Text("soft", "end", width, y+4, part)
		}
	}
	d.Line("axis", x.At(0), 2, x.At(0), height-2)
	return d.HTML()
}

// sentence gives words a capital and a full stop, if there are any.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:] + "."
}
