package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/prefer-bo/prefer"
)

// status is the quiet line under a question.
func (o outlook) status(length int) string {
	so := count(o.answers, "answer")
	sure := 100 * o.Best.Confidence
	more := fmt.Sprintf("about %d to %d more", o.Left.Low, o.Left.High)
	if length > o.answers {
		more = fmt.Sprintf("the pick after %d", length)
	} else if length > 0 {
		more = "more answers make it surer"
	}
	switch {
	case o.answers == 0:
		return "there are no wrong answers; the first that comes to mind is best"
	case o.Kind != prefer.KeepGoing:
		return fmt.Sprintf("%s: %.0f %% sure; p shows the pick", so, sure)
	case sure < 5:
		return fmt.Sprintf("%s: looking around, %s", so, more)
	case sure < 50:
		return fmt.Sprintf("%s: a first idea, %.0f %% sure, %s", so, sure, more)
	}
	return fmt.Sprintf("%s: getting clearer, %.0f %% sure, %s", so, sure, more)
}

// news reports whether it is time to show the pick and was not before, or the verdict says so only now.
func (o outlook) news(before outlook, length int) bool {
	return o.done(length) && (!before.done(length) || o.Kind != before.Kind && before.Kind == prefer.KeepGoing)
}

const (
	learnedEvery = 8 // answers from one learned sentence to the next
	learnedStays = 2 // answers for which it is shown
)

// learned is a sentence now and then: "lower sugar wins; milk hardly matters". It is about parameters, never
// about an option on the table.
func (o outlook) learned() string {
	if o.answers < learnedEvery || o.answers%learnedEvery >= learnedStays || o.belief == nil {
		return ""
	}
	var won, hardly []string
	for _, i := range o.belief.Importance() {
		if wins(i) {
			won = append(won, i.Sentence)
		} else if strings.HasSuffix(i.Sentence, "hardly matters") {
			hardly = append(hardly, i.Sentence)
		}
	}
	if len(won)+len(hardly) == 0 {
		return ""
	}
	return "so far: " + strings.Join(append(won[:min(2, len(won))], hardly[:min(1, len(hardly))]...), "; ")
}

// verdictLine says how sure the pick is.
func (o outlook) verdictLine() string {
	sure := fmt.Sprintf("%.0f %% sure that nothing is noticeably better", 100*o.Best.Confidence)
	switch o.Kind {
	case prefer.ClearWinner:
		return "This one: " + sure + "."
	case prefer.PracticalTie:
		return "This one, " + sure + ", but another one may be as good."
	}
	if o.Best.Confidence < 0.05 {
		return fmt.Sprintf("The best guess so far, after %s; too early to be sure.", count(o.answers, "answer"))
	}
	return "The best guess so far: " + sure + "."
}

// mattered are the lines about what made the difference: each parameter's sentence, most important first, and a
// small chart for the first of those that won. Of a list without features it is who comes next.
func (g *gallery) mattered(o outlook, n, charts int) []string {
	var out []string
	if len(o.belief.Axes) == 0 {
		for k, r := range o.belief.Ranking(1 + nextShown) {
			if k > 0 {
				out = append(out, fmt.Sprintf("%d. %s", k+1, g.line(r.Option)))
			}
		}
		return out
	}
	for _, i := range o.belief.Importance() {
		out = append(out, g.text(i.Sentence))
		if wins(i) && charts > 0 {
			charts--
			out = append(out, g.chart(o.belief, i.Parameter, min(n, chartWidth))...)
		}
	}
	return out
}

// wins reports whether a sentence says what wins.
func wins(i prefer.Importance) bool { return strings.HasSuffix(i.Sentence, " wins") }

const nextShown = 3 // items after the pick

const (
	chartWidth = 33
	chartRows  = 5
)

// chart draws the utility along one parameter through the pick, with a band of one standard deviation.
func (g *gallery) chart(b *prefer.Belief, name string, n int) []string {
	points, err := b.Slice(name, n)
	if err != nil || n < 2 { // the name comes from the belief itself
		return nil
	}
	if math.IsNaN(points[0].Value.Float()) {
		return g.levels(points)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = math.Min(low, p.Mean-p.SD), math.Max(high, p.Mean+p.SD)
	}
	row := func(v float64) int {
		return int(math.Round((high - v) / math.Max(high-low, 1e-9) * (chartRows - 1)))
	}
	out := make([]string, chartRows)
	for r := range out {
		for _, p := range points {
			switch {
			case row(p.Mean) == r:
				out[r] += g.glyph("●", "o")
			case row(p.Mean+p.SD) <= r && r <= row(p.Mean-p.SD):
				out[r] += g.glyph("░", ".")
			default:
				out[r] += " "
			}
		}
		out[r] = "  " + out[r]
	}
	from, to := significant(points[0].Value), significant(points[len(points)-1].Value)
	return append(out, g.dim("  "+fit(from, max(width(from), len(points)-width(to)))+to))
}

// levels lists the values of a choice with how far each is behind the best of them.
func (g *gallery) levels(points []prefer.SlicePoint) []string {
	top, name := math.Inf(-1), 0
	for _, p := range points {
		top, name = math.Max(top, p.Mean), max(name, width(g.text(written(prefer.Parameter{}, p.Value))))
	}
	var out []string
	for _, p := range points {
		behind := math.Abs(math.Min(0, p.Mean-top))
		out = append(out, fmt.Sprintf("  %s  %4.1f behind, %s %.1f", fit(g.text(written(prefer.Parameter{}, p.Value)), name), behind, g.glyph("±", "+/-"), p.SD))
	}
	return out
}
