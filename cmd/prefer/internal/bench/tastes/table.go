package tastes

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"text/template"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// Table is how good picks were, by variant, rater, group of tastes and number of answers.
type Table struct {
	Marks    []int     `json:"marks"`
	Series   []string  `json:"series"`   // setup/method
	Baseline string    `json:"baseline"` // of the differences
	Rows     []Row     `json:"rows"`
	Seconds  []float64 `json:"seconds"` // processor seconds per answer, by series, in their order; 0 where unknown
}

// Row is one measure of one variant in one group.
type Row struct {
	Measure string `json:"measure"`
	Rater   string `json:"rater"`
	Group   string `json:"group"`
	Series  string `json:"series"`
	Tastes  int    `json:"tastes"` // of the variant, or in common with the baseline
	// Versus is empty for means, or the baseline, and then Values are mean differences to it over the tastes both have: negative is better.
	Versus string              `json:"versus,omitempty"`
	Values []*compare.Interval `json:"values"` // by mark; null where there is no value
}

// NewTable makes the table of studies. baseline is the series, "setup/method", that others are compared with; the first one if it
// is empty. It is an error if there is no such series.
func NewTable(studies []Study, marks []int, baseline string) (Table, error) {
	t := Table{Marks: marks, Series: trial.Distinct(studies, Study.series)}
	var err error
	if t.Baseline, err = trial.Baseline("tastes", baseline, t.Series); err != nil {
		return t, err
	}
	t.Seconds = append(t.Seconds, xslices.Map(t.Series, func(name string) float64 { return seconds(studies, name) })...)
	var draws compare.Draws
	for _, m := range measures {
		for _, rater := range trial.Distinct(studies, func(s Study) string { return s.Rater }) {
			some := xslices.Filter(studies, func(s Study) bool { return s.Rater == rater })
			for _, g := range groups(some) {
				in := xslices.Filter(some, g.has)
				of := func(series string) []Study {
					return xslices.Filter(in, func(s Study) bool { return s.series() == series })
				}
				base := xslices.ToMap(of(t.Baseline), func(s Study) (taste, Study) { return s.taste, s })
				for _, name := range t.Series {
					ours := of(name)
					row := Row{Measure: m.name, Rater: rater, Group: g.name, Series: name}
					t.add(row, &draws, ours, m.at)
					if row.Versus = t.Baseline; name == t.Baseline {
						continue
					}
					ours = xslices.Filter(ours, func(s Study) bool { _, also := base[s.taste]; return also })
					t.add(row, &draws, ours, func(s Study, mark int) (float64, bool) {
						a, ok := m.at(s, mark)
						b, also := m.at(base[s.taste], mark)
						return a - b, ok && also
					})
				}
			}
		}
	}
	return t, nil
}

// add adds a row with the mean over studies of what is known of them at each mark, unless there are no studies.
func (t *Table) add(row Row, draws *compare.Draws, studies []Study, at func(s Study, mark int) (v float64, known bool)) {
	row.Tastes, row.Values = len(studies), make([]*compare.Interval, len(t.Marks))
	for i, mark := range t.Marks {
		var values []float64
		for _, s := range studies {
			if v, known := at(s, mark); known {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			v := trial.Mean(draws, values)
			row.Values[i] = &v
		}
	}
	if row.Tastes > 0 {
		t.Rows = append(t.Rows, row)
	}
}

// seconds returns the processor seconds per answer of a series.
func seconds(studies []Study, series string) float64 {
	sum, answers := 0.0, 0
	for _, s := range studies {
		if s.series() == series {
			sum += s.CPU
			answers += s.Picks[len(s.Picks)-1].Answers
		}
	}
	return sum / float64(max(1, answers))
}

// groups lists the tastes that rows are about: all of them, then by kind, by shape, by number of parts and by family, where there are two or more of such.
func groups(studies []Study) []group {
	out := []group{{"all", func(Study) bool { return true }}}
	var shapes []string
	for shape := problem.Box; shape <= problem.PlainList; shape++ {
		shapes = append(shapes, shape.String())
	}
	families := trial.Distinct(studies, func(s Study) string { return s.Family })
	slices.Sort(families)
	for _, some := range [][]group{
		named([]string{"smooth", "rugged", "conjoint"}, func(s Study) string { return s.Kind }),
		named(shapes, func(s Study) string { return s.Shape }),
		named([]string{parts(1), parts(3), parts(5)}, func(s Study) string { return parts(s.Dim) }),
		named(families, func(s Study) string { return s.Family }),
	} {
		some = slices.DeleteFunc(some, func(g group) bool { return !slices.ContainsFunc(studies, g.has) })
		if len(some) > 1 {
			out = append(out, some...)
		}
	}
	return out
}

// group is some of the tastes.
type group struct {
	name string
	has  func(Study) bool
}

func named(names []string, of func(Study) string) (out []group) {
	return xslices.Map(names, func(n string) group { return group{n, func(s Study) bool { return of(s) == n }} })
}

// parts says between which numbers a number of parts is.
func parts(d int) string {
	for _, ends := range [][2]int{{1, 2}, {3, 4}, {5, 8}} {
		if ends[0] <= d && d <= ends[1] {
			return fmt.Sprintf("%d to %d parts", ends[0], ends[1])
		}
	}
	return ""
}

// Source is studies from one file.
type Source struct {
	Name    string
	Studies []Study
}

// Together returns the studies of all sources. A variant that several of them have, as one from before and after a change of the program, is kept apart by
// the name of the source behind its setup.
func Together(sources ...Source) (out []Study) {
	in := map[string]int{} // sources that have a series
	for _, from := range sources {
		for _, name := range trial.Distinct(from.Studies, Study.series) {
			in[name]++
		}
	}
	for _, from := range sources {
		for _, s := range from.Studies {
			if in[s.series()] > 1 {
				s.Setup += " (" + from.Name + ")"
			}
			out = append(out, s)
		}
	}
	return out
}

//go:embed table.tmpl
var tableText string

// Write writes the table as Markdown: the means of both measures, and where there are two or more variants the differences to the
// baseline, those whose interval does not have 0 in it in bold.
func (t Table) Write(w io.Writer) error {
	return cli.WriteTemplate(cli.NewTable(w), tableText, template.FuncMap{"cell": cell}, t)
}

// cell writes a mean or a difference.
func cell(v *compare.Interval, versus string) string {
	switch {
	case v == nil:
		return "–"
	case versus == "":
		return v.Text("%.3f")
	case v.Lower > 0 || v.Upper < 0:
		return fmt.Sprintf("**%+.3f** [%+.3f, %+.3f]", v.Value, v.Lower, v.Upper)
	}
	return v.Text("%+.3f")
}
