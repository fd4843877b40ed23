package statements

import (
	"math"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/problem"
)

const (
	hardlyNoise = 0.25 // a true loss below this much of the noise hardly matters …
	hardlyShare = 0.2  // … and so does one below this part of the largest
	endPart     = 0.2  // the lower and the upper end of a range, and the neighbourhood of a value
	lossSteps   = 41   // values of a continuous part in a true loss
)

// judgeImportance judges what is said of each parameter: "hardly matters" and "matters", which are true by the loss of setting
// it at random with the others as in the pick, and the direction, "lower", "higher", "around 3", "this choice wins", which is true
// if that end of the range, that neighbourhood or that choice has a value within the tolerance of the best there is. The first
// of several is said to matter most: its loss must be the largest to within the tolerance.
func judgeImportance(m moment) []Statement {
	if m.Items != nil { // features: the pick cannot be changed in one alone
		return nil
	}
	said := m.belief.Importance()
	at := m.Point(m.belief.Best())
	slice, loss := make([][]float64, len(at)), make([]float64, len(at))
	trueTop := math.Inf(-1)
	for j := range at {
		slice[j], loss[j] = m.slice(at, j)
		trueTop = math.Max(trueTop, loss[j])
	}
	line := math.Max(hardlyNoise*m.Rater.Sigma, hardlyShare*trueTop)
	var out []Statement
	for place, i := range said {
		number, err := strconv.Atoi(i.Parameter[1:])
		if err != nil {
			panic("statements: " + err.Error())
		}
		j := number - 1
		switch i.Kind {
		case "unknown":
		case "hardly":
			out = append(out, Statement{Kind: "hardly matters", Said: 1, Held: trial.Share(loss[j] < line)})
		default:
			out = append(out, Statement{Kind: "matters", Said: 1, Held: trial.Share(loss[j] >= line)},
				Statement{Kind: "direction", Said: 1, Held: trial.Share(m.direction(slice[j], j, i.Kind, m.Coordinate(j, i.At)))})
			if place == 0 && len(said) > 1 {
				out = append(out, Statement{Kind: "matters most", Said: 1, Held: trial.Share(trueTop-loss[j] <= m.Tolerance())})
			}
		}
	}
	return out
}

// slice returns the true utility along part j through x, and what is lost on average by leaving x.
func (m moment) slice(x []float64, j int) ([]float64, float64) {
	y := slices.Clone(x)
	steps := lossSteps
	if p := m.Parts[j]; p.Levels > 0 {
		steps = p.Levels
	}
	values, mean := make([]float64, steps), 0.0
	for i := range values {
		switch y[j] = float64(i); m.Parts[j].Kind {
		case problem.Continuous:
			y[j] /= lossSteps - 1
		case problem.Circular:
			y[j] /= lossSteps
		}
		values[i] = m.Utility(y)
		mean += values[i] / float64(steps)
	}
	return values, m.Utility(x) - mean
}

// direction reports whether what is said to win does: an end of the range, the neighbourhood of a value, or a choice.
func (m moment) direction(values []float64, j int, kind string, v float64) bool {
	p, there := m.Parts[j], math.Inf(-1)
	if p.Kind == problem.Ordered {
		v /= float64(p.Levels - 1)
	}
	for i, f := range values {
		t := float64(i) / float64(len(values)-1)
		if p.Kind == problem.Unordered {
			t = float64(i)
		}
		if p.Kind == problem.Circular { // the shorter way round to v
			t = float64(i) / float64(len(values))
			t = v + math.Remainder(t-v, 1)
		}
		var said bool
		switch kind {
		case "lower":
			said = t <= endPart
		case "higher":
			said = t >= 1-endPart
		case "around":
			said = math.Abs(t-v) <= endPart
		case "chosen":
			said = t == v
		case "with", "without":
			said = (kind == "with") == (i == 1)
		}
		if said {
			there = math.Max(there, f)
		}
	}
	return slices.Max(values)-there <= m.Tolerance()
}
