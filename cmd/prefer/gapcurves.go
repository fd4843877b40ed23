package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/bench/figure"
	"github.com/prefer-bo/prefer/bench/report"
)

// curves draws Fig. 2 and 3, each as the paper has it and with medians.
func (r *reproduction) curves() error {
	for i, level := range []string{"low", "high"} {
		number, noise := i+2, r.grid.Noise[i]
		r.figures[number-1] = report.Section{
			Title: fmt.Sprintf("Fig. %d: optimality gaps at %s noise", number, level),
			Text: []string{fmt.Sprintf("Answers about pairs among the best 1 %% of the domain are wrong %g %% of the time. First the mean over %s, "+
				"as in the paper, which a few bad runs can decide; then the median with quartiles.", 100*noise, count(len(r.grid.Seeds), "seed"))},
		}
		for _, statistic := range []struct{ name, suffix string }{{"mean", ""}, {"median", "-median"}} {
			f, err := r.gaps(noise, statistic.name).Draw()
			if err != nil {
				return err
			}
			if err := r.save(f, number, statistic.suffix, fmt.Sprintf("Fig. %d, %s over seeds", number, statistic.name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// gaps is a panel for each problem with a curve for each method: the mean, or the median with quartiles.
func (r *reproduction) gaps(noise float64, statistic string) figure.Curves {
	c := figure.Curves{XLabel: "questions after the initial pairs", YLabel: statistic + " optimality gap"}
	for _, name := range r.grid.Problems {
		panel := figure.Panel{Title: headline(name)}
		for _, method := range r.grid.Methods {
			panel.Curves = append(panel.Curves, figure.Curve{Method: method})
		}
		for k := range r.questions + 1 {
			for _, s := range r.table.Summaries(report.Group{Problem: name, Noise: noise}, report.Position{Axis: report.Iter, At: k}) {
				if s.N == 0 {
					continue
				}
				v := &panel.Curves[slices.Index(r.grid.Methods, s.Series.Method)]
				v.X = append(v.X, float64(k))
				if statistic == "mean" {
					v.Median = append(v.Median, s.Mean)
				} else {
					v.Median, v.Lower, v.Upper = append(v.Median, s.Median), append(v.Lower, s.Q1), append(v.Upper, s.Q3)
				}
			}
		}
		c.Panels = append(c.Panels, panel)
	}
	return c
}

// headline writes "hartmann6" as "Hartmann, 6-D".
func headline(name string) string {
	family := strings.TrimRight(name, "0123456789")
	return strings.ToUpper(family[:1]) + family[1:] + ", " + name[len(family):] + "-D"
}
