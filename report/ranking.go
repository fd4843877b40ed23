package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
)

// rankedItems is the length of the ranking.
const rankedItems = 20

// rankingChart draws the places that the best items may have. Those that nobody can tell from the one before have no
// number.
func rankingChart(list []prefer.Ranked, w presenter) template.HTML {
	const width, row, left, right = 480, 26, 176, 70
	last := 1
	var words []string
	for _, r := range list {
		last = max(last, r.High)
		words = append(words, fmt.Sprintf("%s %d to %d, shown %s", w.words(r.Option), r.Low, r.High, plural(r.Shown, "time")))
	}
	height := float64(row*len(list) + 30)
	d := chart.New("", width, height, "Places that items may have: "+strings.Join(words, "; "))
	x := chart.NewScale(1, float64(max(2, last)), left, width-right)
	for _, v := range x.Ticks(4) {
		if v == float64(int(v)) {
			d.Line("grid", x.At(v), 4, x.At(v), height-24)
			d.Text("tick", "middle", x.At(v), height-8, tick(v))
		}
	}
	for i, r := range list {
		y := float64(row*i) + row/2 + 4
		class := "dot"
		if i == 0 {
			class = "dot best"
		}
		name, number := w.words(r.Option), "="
		if i == 0 || !list[i-1].Tied() {
			number = fmt.Sprint(i + 1)
		}
		d.Text("soft", "end", 22, y+4, number)
		d.Text("label", "start", 30, y+4, chart.Clip(name, 20))
		d.Line("whisker", x.At(float64(r.Low)), y, x.At(float64(r.High)), y)
		at := min(max(i+1, r.Low), r.High)
		d.Dot(class, x.At(float64(at)), y, 5, fmt.Sprintf("%s: place %d to %d", name, r.Low, r.High))
		d.Text("soft", "end", width, y+4, plural(r.Shown, "time"))
	}
	return d.HTML()
}
