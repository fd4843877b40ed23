package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/svg"
)

// rankedItems is the length of the ranking.
const rankedItems = 20

// rankingChart draws the best items as dots with one standard deviation either way.
func rankingChart(list []prefer.Ranked, w presenter) template.HTML {
	const width, row, left, right = 480, 26, 176, 58
	lo, hi := math.Inf(1), math.Inf(-1)
	var words []string
	for i, r := range list {
		lo, hi = math.Min(lo, r.Mean-r.SD), math.Max(hi, r.Mean+r.SD)
		words = append(words, fmt.Sprintf("%d. %s %s ± %s", i+1, w.words(r.Option), decimal(r.Mean), decimal(r.SD)))
	}
	height := float64(row*len(list) + 30)
	d := svg.New("", width, height, "Ranking by expected utility: "+strings.Join(words, "; "))
	x := svg.NewScale(lo, hi, left, width-right)
	for _, v := range x.Ticks(4) {
		d.Line("grid", x.At(v), 4, x.At(v), height-24)
		d.Text("tick", "middle", x.At(v), height-8, tick(math.Round(1e6*v)/1e6))
	}
	for i, r := range list {
		y := float64(row*i) + row/2 + 4
		class := "dot"
		if i == 0 {
			class = "dot best"
		}
		name := w.words(r.Option)
		d.Text("soft", "end", 22, y+4, fmt.Sprint(i+1))
		d.Text("label", "start", 30, y+4, svg.Clip(name, 20))
		d.Line("whisker", x.At(r.Mean-r.SD), y, x.At(r.Mean+r.SD), y)
		d.Dot(class, x.At(r.Mean), y, 5, fmt.Sprintf("%s: %s ± %s", name, decimal(r.Mean), decimal(r.SD)))
		d.Text("soft", "end", width, y+4, decimal(r.Mean))
	}
	return d.HTML()
}
