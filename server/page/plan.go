package page

import (
	"fmt"
	"html"
	"html/template"
	"strings"
	"time"
)

// Jobs is the part of the owner's page about long work: simulated people and reports. It is fetched again while
// something is not over.
type Jobs struct {
	Frame
	Trouble    string
	Simulation *Going
	Plan       *Plan
	Report     *Going
	Reports    []ReportLine
}

// Going is how far something is.
type Going struct {
	ID       string
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

// ReportLine is a report that can be opened.
type ReportLine struct {
	URL     string
	Answers int
	Rater   string
	Created time.Time
}

// PlanLevel is one level of noise in the drawing: the numbers of questions that a tenth, a quarter, half, three
// quarters and nine tenths of people need at most; 0 where that is more than were asked.
type PlanLevel struct {
	Label     string
	Quantiles [5]int
}

// Sizes of the drawing of a plan.
const (
	planRow  = 52.0
	planFoot = 44.0
)

// PlanChart draws how many questions people need: a bar for the middle half, a thin line from a tenth to nine tenths, a
// dot at the median.
func PlanChart(levels []PlanLevel, most int) template.HTML {
	if len(levels) == 0 || most < 1 {
		return ""
	}
	height := planRow*float64(len(levels)) + planFoot
	x := func(n int) float64 {
		if n == 0 || n > most { // more than were asked: to the edge
			n = most
		}
		return chartPad + (chartWidth-2*chartPad)*float64(n)/float64(most)
	}
	var labels []string
	for _, l := range levels {
		labels = append(labels, l.words(most))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart plan" viewBox="0 0 %g %g" role="img" aria-label="%s">`, chartWidth, height, html.EscapeString("Questions until a verdict. "+strings.Join(labels, " ")))
	axis := height - planFoot + 4
	fmt.Fprintf(&b, `<line class="axis" x1="%g" x2="%g" y1="%g" y2="%g"/>`, chartPad, chartWidth-chartPad, axis, axis)
	for n := 0; n <= most; n += planStep(most) {
		at := chartPad + (chartWidth-2*chartPad)*float64(n)/float64(most)
		fmt.Fprintf(&b, `<line class="axis" x1="%.1f" x2="%.1f" y1="%g" y2="%g"/><text x="%.1f" y="%g" text-anchor="middle">%d</text>`, at, at, axis, axis+4, at, axis+18, n)
	}
	fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="middle">questions</text>`, chartWidth/2, height-4)
	for i, l := range levels {
		top := planRow * float64(i)
		y := top + 34
		q := l.Quantiles
		fmt.Fprintf(&b, `<text x="%g" y="%g">%s</text>`, chartPad, top+14, html.EscapeString(shorten(l.Label, 28)))
		fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="end">half after %s</text>`, chartWidth-chartPad, top+14, reached(q[2], most))
		if q[0] > 0 {
			fmt.Fprintf(&b, `<line class="whisker" x1="%.1f" x2="%.1f" y1="%g" y2="%g"/>`, x(q[0]), x(q[4]), y, y)
		}
		if q[1] > 0 {
			fmt.Fprintf(&b, `<line class="box" x1="%.1f" x2="%.1f" y1="%g" y2="%g"/>`, x(q[1]), x(q[3]), y, y)
		}
		if q[2] > 0 {
			fmt.Fprintf(&b, `<circle class="dot pick" cx="%.1f" cy="%g" r="6"/>`, x(q[2]), y)
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// planStep returns a round number that is at least a sixth of the axis.
func planStep(most int) int {
	for step := 1; ; step *= 10 {
		for _, s := range []int{step, 2 * step, 5 * step} {
			if 6*s >= most {
				return s
			}
		}
	}
}

// words says what the drawing of a level shows.
func (l PlanLevel) words(most int) string {
	return fmt.Sprintf("%s: half of them after %s, nine in ten after %s.", l.Label, reached(l.Quantiles[2], most), reached(l.Quantiles[4], most))
}

// reached writes a number of questions, 0 for more than were asked.
func reached(n, most int) string {
	if n == 0 {
		return fmt.Sprintf("more than %d", most)
	}
	return fmt.Sprint(n)
}
