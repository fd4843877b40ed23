package tastes

import (
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/bench/compare"
)

// Table is how good picks were, by variant, rater, group of tastes and number of answers.
type Table struct {
	Marks    []int    `json:"marks"`
	Series   []string `json:"series"`   // setup/method
	Baseline string   `json:"baseline"` // of the differences
	Rows     []Row    `json:"rows"`
	// Seconds are processor seconds per answer, by series, in their order; 0 where unknown.
	Seconds []float64 `json:"seconds"`
}

// Row is one measure of one variant in one group.
type Row struct {
	Measure string `json:"measure"`
	Rater   string `json:"rater"`
	Group   string `json:"group"`
	Series  string `json:"series"`
	Tastes  int    `json:"tastes"` // of the variant, or in common with the baseline
	// Versus is empty for means, or the baseline, and then Values are mean differences to it over the tastes both have: negative
	// is better.
	Versus string              `json:"versus,omitempty"`
	Values []*compare.Interval `json:"values"` // by mark; null where nobody looked
}

// NewTable makes the table of studies. baseline is the series, "setup/method", that others are compared with; the first one if it
// is empty. It is an error if there is no such series.
func NewTable(studies []Study, marks []int, baseline string) (Table, error) {
	t := Table{Marks: marks, Baseline: baseline}
	var raters []string
	for _, s := range studies {
		if !slices.Contains(t.Series, s.series()) {
			t.Series = append(t.Series, s.series())
		}
		if !slices.Contains(raters, s.Rater) {
			raters = append(raters, s.Rater)
		}
	}
	if t.Baseline == "" && len(t.Series) > 0 {
		t.Baseline = t.Series[0]
	}
	if !slices.Contains(t.Series, t.Baseline) {
		return t, fmt.Errorf("tastes: baseline %q, want one of %q", t.Baseline, t.Series)
	}
	for _, name := range t.Series {
		t.Seconds = append(t.Seconds, seconds(studies, name))
	}
	c := counter{marks: marks}
	for _, m := range measures {
		for _, rater := range raters {
			some := filter(studies, func(s Study) bool { return s.Rater == rater })
			for _, g := range groups(some) {
				in := filter(some, g.has)
				base := filter(in, func(s Study) bool { return s.series() == t.Baseline })
				for _, name := range t.Series {
					ours := filter(in, func(s Study) bool { return s.series() == name })
					row := Row{Measure: m.name, Rater: rater, Group: g.name, Series: name}
					if row.Tastes, row.Values = c.means(m, ours); row.Tastes > 0 {
						t.Rows = append(t.Rows, row)
					}
					if row.Versus = t.Baseline; name == t.Baseline {
						continue
					}
					if row.Tastes, row.Values = c.differences(m, ours, base); row.Tastes > 0 {
						t.Rows = append(t.Rows, row)
					}
				}
			}
		}
	}
	return t, nil
}

// counter makes rows.
type counter struct {
	marks []int
	draws compare.Draws
}

// means returns the number of studies and the mean of a measure at each mark.
func (c *counter) means(m measure, studies []Study) (int, []*compare.Interval) {
	out := make([]*compare.Interval, len(c.marks))
	for i, mark := range c.marks {
		var values []float64
		for _, s := range studies {
			if gap, ok := s.gap(mark); ok {
				values = append(values, m.of(s, gap))
			}
		}
		out[i] = c.mean(values)
	}
	return len(studies), out
}

// differences returns the number of tastes that two series of one rater have in common, and the mean difference at each mark.
func (c *counter) differences(m measure, ours, theirs []Study) (int, []*compare.Interval) {
	type pair struct{ our, their Study }
	var pairs []pair
	by := map[taste]Study{}
	for _, s := range theirs {
		by[s.taste] = s
	}
	for _, s := range ours {
		if other, ok := by[s.taste]; ok {
			pairs = append(pairs, pair{s, other})
		}
	}
	out := make([]*compare.Interval, len(c.marks))
	for i, mark := range c.marks {
		var values []float64
		for _, p := range pairs {
			a, ok := p.our.gap(mark)
			b, also := p.their.gap(mark)
			if ok && also {
				values = append(values, m.of(p.our, a)-m.of(p.their, b))
			}
		}
		out[i] = c.mean(values)
	}
	return len(pairs), out
}

// mean returns a mean with its interval, nil if there are no values. It sorts them: the order in which studies ended shall not
// show in the last digits.
func (c *counter) mean(values []float64) *compare.Interval {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	v := c.draws.Mean(values)
	return &v
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

func filter(studies []Study, wanted func(Study) bool) []Study {
	var out []Study
	for _, s := range studies {
		if wanted(s) {
			out = append(out, s)
		}
	}
	return out
}
