package compare

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"

	"github.com/prefer-bo/prefer/exchange"
)

// SummaryCSV returns the summary of every series at every position, one line each, to full precision. A
// number that is not known is empty.
func SummaryCSV(t *Table, o Options) []byte {
	o = o.withDefaults(t)
	lines := [][]string{{"problem", "noise", "setup", "method", "iter", "answers", "n", "q1", "median", "q3", "mean", "stuck"}}
	for _, g := range t.Groups() {
		at := map[Position]map[Series]Summary{}
		for _, s := range o.Series {
			pairs, known := t.Initial(g, s)
			for _, p := range t.Positions(g, s) {
				if at[p] == nil {
					at[p] = map[Series]Summary{}
					for _, v := range t.Summaries(g, p) {
						at[p][v.Series] = v
					}
				}
				iter, answers := strconv.Itoa(p.At), ""
				if p.Axis == Answers {
					iter, answers = "", iter
					if known {
						iter = strconv.Itoa(p.At - pairs)
					}
				}
				v := at[p][s]
				lines = append(lines, []string{g.Problem, plain(g.Noise), s.Setup, s.Method, iter, answers,
					strconv.Itoa(v.N), plain(v.Q1), plain(v.Median), plain(v.Q3), plain(v.Mean), plain(v.Stuck)})
			}
		}
	}
	return encode(lines)
}

// ComparisonCSV returns comparisons, one line each, with the ratio of medians, which the report has no
// room for.
func ComparisonCSV(comparisons []Comparison) []byte {
	lines := [][]string{{"problem", "noise", "setup", "method", "other_setup", "other_method", "axis", "at", "n", "wins", "losses",
		"log10_ratio", "log10_ratio_lower", "log10_ratio_upper", "median_ratio", "median_ratio_lower", "median_ratio_upper", "verdict"}}
	for _, c := range comparisons {
		axis := "answers"
		if c.Position.Axis == Iter {
			axis = "iter"
		}
		lines = append(lines, []string{c.Group.Problem, plain(c.Group.Noise), c.Ours.Setup, c.Ours.Method, c.Theirs.Setup, c.Theirs.Method,
			axis, strconv.Itoa(c.Position.At), strconv.Itoa(c.N), strconv.Itoa(c.Wins), strconv.Itoa(c.Losses),
			plain(c.LogRatio.Value), plain(c.LogRatio.Lower), plain(c.LogRatio.Upper),
			plain(c.MedianRatio.Value), plain(c.MedianRatio.Lower), plain(c.MedianRatio.Upper), c.Verdict})
	}
	return encode(lines)
}

// plain writes the shortest digits that read back as v, nothing for NaN.
func plain(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func encode(lines [][]string) []byte {
	for _, line := range lines {
		for i, text := range line {
			line[i] = exchange.Cell(text)
		}
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		panic("report: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}
