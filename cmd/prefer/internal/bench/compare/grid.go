package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/figure"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// gapGrids makes one grid per group: a row for each series, a column for each position that some run reached.
func gapGrids(t *Table, o Options, at []Position) (grids []Grid) {
	for _, g := range t.Groups() {
		shown := xslices.Filter(o.Series, func(s Series) bool { return len(t.Seeds(g, s)) > 0 })
		grid := Grid{Caption: g.String(), Head: []string{"series", "seeds", "initial pairs"}, Labels: 1}
		grid.Rows = xslices.Map(shown, func(s Series) []Cell {
			initial := dash
			if pairs, known := t.Initial(g, s); known {
				initial = strconv.Itoa(pairs)
			}
			return text(s.String(), strconv.Itoa(len(t.Seeds(g, s))), initial)
		})
		for _, p := range at {
			column := xslices.Filter(t.Summaries(g, p), func(s Summary) bool { return s.N > 0 && slices.Contains(shown, s.Series) })
			if len(column) == 0 {
				continue
			}
			best := slices.MinFunc(column, func(a, b Summary) int { return cmp.Compare(a.Median, b.Median) }).Median
			grid.Head = append(grid.Head, p.String())
			for i, s := range shown {
				var here Summary
				if k := slices.IndexFunc(column, func(c Summary) bool { return c.Series == s }); k >= 0 {
					here = column[k]
				}
				grid.Rows[i] = append(grid.Rows[i], gapCell(here, len(t.Seeds(g, s)), best))
			}
		}
		if len(grid.Head) > 3 {
			grids = append(grids, grid)
		}
	}
	return grids
}

// gapCell writes "0.012 [0.0034, 0.05] 20 % stuck", and how many seeds it is of if some are missing.
func gapCell(s Summary, seeds int, best float64) Cell {
	if s.N == 0 {
		return Cell{Text: dash}
	}
	c := Cell{Text: number(s.Median, 3), Strong: s.Median == best, Detail: fmt.Sprintf("[%s, %s]", number(s.Q1, 2), number(s.Q3, 2))}
	if s.Stuck > 0 {
		c.Detail += " " + percent(s.Stuck) + " stuck"
	}
	if s.N < seeds {
		c.Detail += fmt.Sprintf(" n=%d", s.N)
	}
	return c
}

// measureGrids makes one grid of the mean over groups, and one with the groups.
func measureGrids(t *Table, o Options) []Grid {
	means := Grid{Caption: "Geometric mean over settings", Labels: 1,
		Head: []string{"at", "settings", "ratio", "95 % interval", "wholly above 1", "left out: fewer than 5 seeds"}}
	each := Grid{Caption: "By setting", Labels: 3,
		Head: []string{"at", "setting", "best of the baseline", "seeds", "our median", "its median", "ratio", "95 % interval", "our stuck", "its stuck"}}
	for _, m := range Measures(t, o) {
		row := text(m.Position.String(), strconv.Itoa(len(m.Groups)), number(m.Mean.Value, 3), m.Mean.bounds(), list(m.Above), list(m.Thin))
		row[2].Strong = true
		means.Rows = append(means.Rows, row)
		for _, r := range m.Groups {
			row := text(m.Position.String(), r.Group.String(), r.Best.String(), strconv.Itoa(r.N), number(r.OurMedian, 3), number(r.BestMedian, 3),
				number(r.Ratio.Value, 3), r.Ratio.bounds(), percent(r.OurStuck), percent(r.BestStuck))
			row[6].Strong = r.Ratio.Upper < 1 || r.Ratio.Lower > 1
			each.Rows = append(each.Rows, row)
		}
	}
	return []Grid{means, each}
}

// comparisonGrids makes one grid per other series: a row for each group and position with a comparison.
func comparisonGrids(o Options, comparisons []Comparison) (grids []Grid) {
	for _, s := range o.others() {
		grid := Grid{Caption: o.Ours.String() + " against " + s.String(), Labels: 2, Head: []string{"setting", "at", "verdict", "ratio", "won–lost"}}
		for _, c := range xslices.Filter(comparisons, func(c Comparison) bool { return c.Theirs == s }) {
			row := text(c.Group.String(), c.Position.String(), c.Verdict, c.Ratio().String(), fmt.Sprintf("%d–%d", c.Wins, c.Losses))
			row[2].Strong = c.Verdict != Same
			grid.Rows = append(grid.Rows, row)
		}
		grids = append(grids, grid)
	}
	return grids
}

// timingGrid makes a row for each group and series with a question in the range.
func timingGrid(t *Table, o Options, caption string, in Range) Grid {
	grid := Grid{
		Caption: caption, Labels: 2,
		Head: []string{"setting", "series", "questions", "fit", "ask", "recommend", "clock", "processor", "× clock", "× processor"},
	}
	seconds := func(c Cost) Cell {
		if math.IsNaN(c.Median) {
			return Cell{Text: dash}
		}
		return Cell{Text: number(c.Median, 2), Detail: "(" + number(c.Mean, 2) + ")"}
	}
	for _, g := range t.Groups() {
		ours := t.Timing(g, o.Ours, in)
		for _, s := range o.Series {
			v := t.Timing(g, s, in)
			if math.IsNaN(v.Total.Median) && math.IsNaN(v.CPU.Median) {
				continue
			}
			clock, cpu := v.Against(ours)
			row := append(text(g.String(), s.String(), strconv.Itoa(v.Questions)),
				seconds(v.Fit), seconds(v.Ask), seconds(v.Recommend), seconds(v.Total), seconds(v.CPU))
			grid.Rows = append(grid.Rows, append(row, text(number(clock, 2), number(cpu, 2))...))
		}
	}
	return grid
}

// list names groups or series, with a dash for none.
func list[T fmt.Stringer](all []T) string {
	return cmp.Or(strings.Join(xslices.Map(all, T.String), "; "), dash)
}

// columns of panels, as in Fig. 2 and 3 of the paper.
const columns = 3

// gapSection draws the curves: every group in one figure and, if there are several, one figure per noise level.
func gapSection(t *Table, o Options) Section {
	s := Section{Title: "Curves"}
	s.Text = []string{"Median gap and quartiles over seeds, at every number of answers that at least half of a series' seeds have reached."}
	groups := t.Groups()
	problems, levels := map[string]bool{}, map[float64]bool{}
	for _, g := range groups {
		problems[g.Problem], levels[g.Noise] = true, true
	}
	noises := slices.Sorted(maps.Keys(levels))
	draw := func(caption, file string, groups []Group, columns int) {
		c := figure.Curves{XLabel: "answers", YLabel: "gap", Columns: columns}
		for _, g := range groups {
			if p := gapPanel(t, o, g); len(p.Curves) > 0 { // some series counts its answers
				c.Panels = append(c.Panels, p)
			}
		}
		if len(c.Panels) > 0 {
			s.Figures = append(s.Figures, Figure{Caption: caption, File: file, SVG: c.Draw()})
		}
	}
	level := func(noise float64) string {
		if noise == 0 {
			return "Without noise"
		}
		return "At " + percent(noise) + " noise"
	}
	if len(noises) == 1 {
		draw(level(noises[0]), "gaps.svg", groups, columns)
		return s
	}
	wide := columns
	if len(groups) == len(problems)*len(noises) {
		wide = len(noises) // a problem per line
	}
	draw("All settings", "gaps.svg", groups, wide)
	for _, noise := range noises {
		some := slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return g.Noise != noise })
		draw(level(noise), "gaps-noise-"+plain(noise)+".svg", some, columns)
	}
	return s
}

// gapPanel is one group by answers. Start is marked where all its series have the same number of initial pairs.
func gapPanel(t *Table, o Options, g Group) figure.Panel {
	panel := t.Panel(g, o.Series, xslices.Filter(t.Positions(g, o.Series...), func(p Position) bool { return p.Axis == Answers }), false)
	panel.Curves = slices.DeleteFunc(panel.Curves, func(c figure.Curve) bool { return len(c.X) == 0 })
	for i, c := range panel.Curves {
		pairs, _ := t.Initial(g, Series{c.Setup, c.Method}) // 0, which is no place, where it is not known
		if i == 0 {
			panel.Start = float64(pairs)
		} else if panel.Start != float64(pairs) {
			panel.Start = 0
		}
	}
	return panel
}

// Panel has a curve for each of the series, of the positions that at least half of its seeds have reached: the median gap with quartiles, or the mean with its
// standard error.
func (t *Table) Panel(g Group, series []Series, at []Position, mean bool) figure.Panel {
	panel := figure.Panel{Title: g.String(), Curves: xslices.Map(series, func(s Series) figure.Curve { return figure.Curve{Method: s.Method, Setup: s.Setup} })}
	for _, p := range at {
		for _, s := range t.Summaries(g, p) {
			i := slices.Index(series, s.Series)
			if i < 0 || s.N == 0 || 2*s.N < len(t.Seeds(g, s.Series)) {
				continue
			}
			y := [3]float64{s.Q1, s.Median, s.Q3}
			if mean && s.N < 2 { // the error is unknown: a band of no width is drawn
				y = [3]float64{s.Mean, s.Mean, s.Mean}
			} else if mean {
				y = [3]float64{s.Mean - s.Error, s.Mean, s.Mean + s.Error}
			}
			c := &panel.Curves[i]
			c.X, c.Lower, c.Median, c.Upper = append(c.X, float64(p.At)), append(c.Lower, y[0]), append(c.Median, y[1]), append(c.Upper, y[2])
		}
	}
	return panel
}
