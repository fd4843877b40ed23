package experiments

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/bench"
	"github.com/prefer-bo/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/internal/bench/figure"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/say"
)

// reproduction is the paper's figures on their way into a folder.
type reproduction struct {
	dir       string
	force     cli.ForceFlag
	setup     bench.Setup
	grid      bench.Grid
	questions int

	table *compare.Table
	rows  int           // in the table
	cpu   time.Duration // they took

	figures [4]compare.Section // Fig. 1 to 4
	made    []string           // how, to make the same again
}

// exampleSteps is the grid of Fig. 1, fine enough for print.
const exampleSteps = 160

func (r *reproduction) example(ctx context.Context) error {
	cfg, err := r.setup.Config(problem.Quadratic(1), "kg", bench.NewDesign(1, 0, 0))
	if err != nil {
		return err
	}
	e, err := figure.NewExample(ctx, cfg.Model, exampleSteps)
	if err != nil {
		return err
	}
	r.figures[0] = compare.Section{
		Title: "Fig. 1: an example in one dimension",
		Text: []string{"The utility is −x² on [−1, 1]. Left and middle: the posterior before and after the question that the knowledge gradient chooses. " +
			"Right: what every possible question is worth."},
	}
	return r.save(e, 1, "", "Fig. 1")
}

func (r *reproduction) caseStudy(ctx context.Context) error {
	levy := problem.Levy(2)
	template, err := r.setup.Config(levy, "kg", bench.NewDesign(levy.Dim, 0, 0))
	if err != nil {
		return err
	}
	questions := min(50, 2*r.questions) // 50 in §4.2; a small run is small here, too
	c, err := figure.NewCaseStudy(ctx, template, questions)
	if err != nil {
		return err
	}
	r.figures[3] = compare.Section{
		Title: "Fig. 4: where EUBO and the knowledge gradient ask",
		Text: []string{fmt.Sprintf("The two-dimensional Levy function, answers without noise, %d questions after %d initial pairs. "+
			"The lower row, which the paper does not have, is the part around the optimum.", questions, len(c.Initial))},
	}
	return r.save(c, 4, "", "Fig. 4")
}

// save draws a figure, writes it in both formats and adds it to its section.
func (r *reproduction) save(of interface {
	Draw() (*figure.Figure, error)
}, number int, suffix, caption string) error {
	f, err := of.Draw()
	if err != nil {
		return err
	}
	svg, err := f.SVG()
	if err != nil {
		return err
	}
	png, err := f.PNG()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("fig%d%s", number, suffix)
	for kind, data := range map[string][]byte{".svg": svg, ".png": png} {
		write := func(w io.Writer) error { _, err := w.Write(data); return err }
		if err := r.force.Write("--out", filepath.Join(r.dir, name+kind), write); err != nil {
			return err
		}
	}
	s := &r.figures[number-1]
	s.Figures = append(s.Figures, compare.Figure{Caption: caption, File: name + ".svg", SVG: svg})
	return nil
}

// reproductionFiles are the files of the folder that are written anew.
func reproductionFiles() []string {
	names := []string{"report.html", "report.md"}
	for _, figure := range []string{"fig1", "fig2", "fig2-median", "fig3", "fig3-median", "fig4"} {
		names = append(names, figure+".svg", figure+".png")
	}
	return names
}

// load reads the rows of this reproduction; the file may have others.
func (r *reproduction) load(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r.table = &compare.Table{}
	return bench.ReadRows(f, path, func(row bench.Row) error {
		if row.Setup != r.setup.Name() || row.Iter < 0 || row.Iter > r.questions || !slices.Contains(r.grid.Problems, row.Problem) ||
			!slices.Contains(r.grid.Noise, row.Noise) || !slices.Contains(r.grid.Methods, row.Method) || !slices.Contains(r.grid.Seeds, row.Seed) {
			return nil
		}
		r.rows++
		r.cpu += time.Duration(row.CPUSeconds * float64(time.Second))
		return r.table.Add(row)
	})
}

// curves draws Fig. 2 and 3, each as the paper has it and with medians.
func (r *reproduction) curves() error {
	for i, level := range []string{"low", "high"} {
		number, noise := i+2, r.grid.Noise[i]
		r.figures[number-1] = compare.Section{
			Title: fmt.Sprintf("Fig. %d: optimality gaps at %s noise", number, level),
			Text: []string{fmt.Sprintf("Answers about pairs among the best 1 %% of the domain are wrong %g %% of the time. First the mean over %s with its standard error, "+
				"as in the paper, which a few bad runs can decide; then the median with quartiles.", 100*noise, say.Count(len(r.grid.Seeds), "seed"))},
		}
		for _, statistic := range []struct{ name, suffix string }{{"mean", ""}, {"median", "-median"}} {
			caption := fmt.Sprintf("Fig. %d, %s over seeds", number, statistic.name)
			if err := r.save(r.gaps(noise, statistic.name), number, statistic.suffix, caption); err != nil {
				return err
			}
		}
	}
	return nil
}

// gaps is a panel for each problem with a curve for each method: the mean with its standard error, or the median with quartiles.
func (r *reproduction) gaps(noise float64, statistic string) figure.Curves {
	c := figure.Curves{XLabel: "questions after the initial pairs", YLabel: statistic + " optimality gap"}
	for _, name := range r.grid.Problems {
		panel := figure.Panel{Title: headline(name)}
		for _, method := range r.grid.Methods {
			panel.Curves = append(panel.Curves, figure.Curve{Method: method})
		}
		for k := range r.questions + 1 {
			for _, s := range r.table.Summaries(compare.Group{Problem: name, Noise: noise}, compare.Position{Axis: compare.Iter, At: k}) {
				if s.N == 0 {
					continue
				}
				v := &panel.Curves[slices.Index(r.grid.Methods, s.Series.Method)]
				v.X = append(v.X, float64(k))
				if statistic == "mean" {
					e := s.Error
					if s.N < 2 { // nobody knows; a band of no width is drawn
						e = 0
					}
					v.Median, v.Lower, v.Upper = append(v.Median, s.Mean), append(v.Lower, s.Mean-e), append(v.Upper, s.Mean+e)
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
