package compare

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/bench/figure"
)

// columns of panels, as in Fig. 2 and 3 of the paper.
const columns = 3

// gapSection draws the curves: every group in one figure and, if there are several, one figure per noise level.
func gapSection(t *Table, o Options) (Section, error) {
	s := Section{Title: "Curves"}
	s.Text = []string{"Median gap and quartiles over seeds, at every number of answers that at least half of a series' seeds have reached."}
	groups := t.Groups()
	problems, levels := map[string]bool{}, map[float64]bool{}
	for _, g := range groups {
		problems[g.Problem], levels[g.Noise] = true, true
	}
	noises := slices.Sorted(maps.Keys(levels))
	draw := func(caption, file string, groups []Group, columns int) error {
		svg, err := gapFigure(t, o, groups, columns)
		if err != nil {
			return fmt.Errorf("report: %s: %w", caption, err)
		}
		if svg != nil {
			s.Figures = append(s.Figures, Figure{Caption: caption, File: file, SVG: svg})
		}
		return nil
	}
	level := func(noise float64) string {
		if noise == 0 {
			return "Without noise"
		}
		return "At " + percent(noise) + " noise"
	}
	if len(noises) == 1 {
		err := draw(level(noises[0]), "gaps.svg", groups, columns)
		return s, err
	}
	wide := columns
	if len(groups) == len(problems)*len(noises) {
		wide = len(noises) // a problem per line
	}
	if err := draw("All settings", "gaps.svg", groups, wide); err != nil {
		return s, err
	}
	for _, noise := range noises {
		some := slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return g.Noise != noise })
		if err := draw(level(noise), "gaps-noise-"+plain(noise)+".svg", some, columns); err != nil {
			return s, err
		}
	}
	return s, nil
}

// gapFigure draws the groups in which some series counts its answers; without any there is no SVG.
func gapFigure(t *Table, o Options, groups []Group, columns int) ([]byte, error) {
	c := figure.Curves{XLabel: "answers", YLabel: "gap", Columns: columns}
	for _, g := range groups {
		if p := gapPanel(t, o, g); len(p.Curves) > 0 {
			c.Panels = append(c.Panels, p)
		}
	}
	if len(c.Panels) == 0 {
		return nil, nil
	}
	f, err := c.Draw()
	if err != nil {
		return nil, err
	}
	return f.SVG()
}

// gapPanel is one group. Start is marked where all its series have the same number of initial pairs.
func gapPanel(t *Table, o Options, g Group) figure.Panel {
	panel := figure.Panel{Title: g.String()}
	curves := make([]figure.Curve, len(o.Series))
	for _, p := range t.Positions(g, o.Series...) {
		if p.Axis != Answers {
			break
		}
		for _, s := range t.Summaries(g, p) {
			i := slices.Index(o.Series, s.Series)
			if i < 0 || s.N == 0 || 2*s.N < len(t.Seeds(g, s.Series)) {
				continue
			}
			c := &curves[i]
			c.Method, c.Setup = s.Series.Method, s.Series.Setup
			c.X = append(c.X, float64(p.At))
			c.Median = append(c.Median, s.Median)
			c.Lower = append(c.Lower, s.Q1)
			c.Upper = append(c.Upper, s.Q3)
		}
	}
	for i, c := range curves {
		if len(c.X) == 0 {
			continue
		}
		pairs, _ := t.Initial(g, o.Series[i]) // 0, which is no place, where it is not known
		if len(panel.Curves) == 0 {
			panel.Start = float64(pairs)
		} else if panel.Start != float64(pairs) {
			panel.Start = 0
		}
		panel.Curves = append(panel.Curves, c)
	}
	return panel
}
