package chart

import (
	"html/template"

	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/say"
)

// Sureness is how sure a study was after each answer, and where it may be called done.
type Sureness struct {
	List   []timeline.Moment
	Target float64
	Axis   string                       // what is counted: "answers"
	Say    func(timeline.Moment) string // of a moment, under the pointer; nil writes "46 %"
	Label  string                       // what it shows, in words
}

// HTML draws a line through the moments.
func (s Sureness) HTML() template.HTML {
	const width, height, left, right, top, foot = 440.0, 220.0, 46.0, 428.0, 26.0, 176.0
	d := New("chart sureness", width, height, s.Label)
	x := NewScale(0, float64(s.List[len(s.List)-1].Answers), left, right)
	x.whole = true
	y := NewScale(0, 1, foot, top)
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		d.Line("grid", left, y.At(v), right, y.At(v))
		d.Text("tick", "end", left-6, y.At(v)+4, say.Percent(v))
	}
	for _, v := range x.Ticks(6) {
		d.Line("axis", x.At(v), foot, x.At(v), foot+4)
		d.Text("tick", "middle", x.At(v), foot+18, tick(v))
	}
	d.Text("tick", "middle", (left+right)/2, height-6, s.Axis)
	d.Line("mark", left, y.At(s.Target), right, y.At(s.Target))
	var line [][2]float64
	for _, r := range s.List {
		line = append(line, [2]float64{x.At(float64(r.Answers)), y.At(r.Confidence)})
	}
	d.Path("curve", false, line)
	for i, p := range line {
		text := say.Percent(s.List[i].Confidence)
		if s.Say != nil {
			text = s.Say(s.List[i])
		}
		d.Dot("dot small", p[0], p[1], 3, "")
		from, to := (line[max(i-1, 0)][0]+p[0])/2, (line[min(i+1, len(line)-1)][0]+p[0])/2
		d.Spot(from, top-14, to-from, foot-top+14, p, foot, left, right, 14, text)
	}
	return d.HTML()
}
