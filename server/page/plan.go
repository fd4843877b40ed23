package page

import (
	"fmt"
	"html/template"

	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/live"
)

// Jobs is the part of the owner's page about long work: simulated people and reports. It is fetched again while
// something is not over.
type Jobs struct {
	Frame
	Trouble    string
	Simulation *Going
	Plan       *Plan
	Report     *Going
	Reports    []live.Job
}

// Going is how far something is.
type Going struct {
	Busy     bool
	Parts    int
	Percent  int
	Line     string
	NoWorker bool
	Failure  string
}

// Plan is what simulated people say about how many questions a study takes.
type Plan struct {
	Sentences []string
	Chart     template.HTML
	Budgets   []int // columns of the table
	Lines     []PlanLine
	Near      string
	Caveat    string
}

// PlanLine is one level of noise in the table.
type PlanLine struct {
	Noise, Half, Most, End string
	Good                   []string
}

// PlanLevel is one level of noise in the drawing: the numbers of questions that a tenth, a quarter, half, three
// quarters and nine tenths of people need at most; 0 where that is more than were asked.
type PlanLevel struct {
	Label     string
	Quantiles [5]int
}

// Sizes of the drawing of a plan.
const (
	planWidth, planPad = 320.0, 14.0
	planRow, planFoot  = 52.0, 44.0
)

// PlanChart draws how many questions people need: a bar for the middle half, a thin line from a tenth to nine tenths, a
// dot at the median.
func PlanChart(levels []PlanLevel, most int) template.HTML {
	if len(levels) == 0 || most < 1 {
		return ""
	}
	const left, right = planPad, planWidth - planPad
	height := planRow*float64(len(levels)) + planFoot
	x := chart.NewScale(0, float64(most), left, right)
	at := func(n int) float64 {
		if n == 0 || n > most { // more than were asked: to the edge
			n = most
		}
		return x.At(float64(n))
	}
	label := "Questions until a verdict."
	for _, l := range levels {
		label += " " + l.words(most)
	}
	d := chart.New("chart plan", planWidth, height, label)
	axis := height - planFoot + 4
	d.Line("axis", left, axis, right, axis)
	for _, n := range x.Ticks(min(6, most)) {
		d.Line("axis", x.At(n), axis, x.At(n), axis+4)
		d.Text("tick", "middle", x.At(n), axis+18, fmt.Sprint(int(n)))
	}
	d.Text("name", "middle", planWidth/2, height-4, "questions")
	for i, l := range levels {
		top := planRow * float64(i)
		y, q, half := top+34, l.Quantiles, "half after "+reached(l.Quantiles[2], "more than ", most)
		d.Text("name", "start", left, top+14, chart.Clip(l.Label, 28))
		d.Text("tick", "end", right, top+14, half)
		if q[0] > 0 {
			d.Line("whisker", at(q[0]), y, at(q[4]), y)
		}
		if q[1] > 0 {
			d.Line("box", at(q[1]), y, at(q[3]), y)
		}
		if q[2] > 0 {
			d.Dot("dot best", at(q[2]), y, 6, half)
		}
	}
	return d.HTML()
}

// words says what the drawing of a level shows.
func (l PlanLevel) words(most int) string {
	half, nine := reached(l.Quantiles[2], "more than ", most), reached(l.Quantiles[4], "more than ", most)
	return fmt.Sprintf("%s: half of them after %s, nine in ten after %s.", l.Label, half, nine)
}

// reached writes a number of questions, 0 for more than were asked.
func reached(n int, more string, most int) string {
	if n == 0 {
		return more + fmt.Sprint(most)
	}
	return fmt.Sprint(n)
}
