package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/svg"
)

// importanceBars draws what each parameter is worth, most important first, with one standard deviation.
func importanceBars(list []prefer.Importance) template.HTML {
	const width, row, left, right = 480, 30, 130, 62
	lo, hi := 0.0, 0.0
	var words []string
	for _, i := range list {
		lo, hi = math.Min(lo, i.Loss-i.SD), math.Max(hi, i.Loss+i.SD)
		words = append(words, fmt.Sprintf("%s %s ± %s", i.Parameter, decimal(i.Loss), decimal(i.SD)))
	}
	height := float64(row*len(list) + 8)
	d := svg.New("", width, height, "Utility lost by setting a parameter at random: "+strings.Join(words, "; "))
	x := svg.NewScale(math.Max(lo, -hi/4), hi, left, width-right)
	for k, i := range list {
		y := float64(row*k) + row/2 + 4
		from, to := math.Min(x.At(0), x.At(i.Loss)), math.Max(x.At(0), x.At(i.Loss))
		d.Text("label", "end", left-10, y+4, svg.Clip(i.Parameter, 17))
		d.Rect("bar", from, y-7, to-from, 14)
		d.Line("halo", math.Max(x.At(i.Loss-i.SD), x.From), y, x.At(i.Loss+i.SD), y)
		d.Line("whisker", math.Max(x.At(i.Loss-i.SD), x.From), y, x.At(i.Loss+i.SD), y)
		d.Text("soft", "end", width, y+4, decimal(i.Loss))
	}
	d.Line("axis", x.At(0), 2, x.At(0), height-2)
	return d.HTML()
}

// sentences says what mattered in words. A name at the beginning stays as its owner writes it.
func sentences(list []prefer.Importance) []string {
	out := make([]string, len(list))
	for i, imp := range list {
		if out[i] = sentence(imp.Sentence); strings.HasPrefix(imp.Sentence, imp.Parameter) {
			out[i] = imp.Sentence + "."
		}
	}
	return out
}

// sentence gives words a capital and a full stop.
func sentence(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:] + "."
}
