package people

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/template"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Table is what came out, by group of people, arm, measure and number of answers.
type Table struct {
	Marks    []int    `json:"marks"`
	Arms     []string `json:"arms"`
	Baseline string   `json:"baseline"` // of the differences
	Rows     []Row    `json:"rows"`
	Needs    []Need   `json:"needs"`
	Checks   *Checks  `json:"checks,omitempty"` // by PlayChecks; nil if it was not played
	Broken   []string `json:"broken,omitempty"` // limits of Quick, in words
}

// group is populations of one kind and size, whatever they are about.
type group struct {
	Population string `json:"population"`
	People     int    `json:"people"`
	Careless   int    `json:"careless"`
}

func (s Study) group() group { return group{s.Population, s.People, s.Careless} }

// Row is one measure: the mean over all people, pairs of people or statements of the studies, with a 95 % bootstrap interval over studies.
type Row struct {
	group
	Arm     string `json:"arm"`
	Versus  string `json:"versus,omitempty"` // the baseline of a difference, on the same populations
	Measure string `json:"measure"`
	Answers int    `json:"answers"`
	Studies int    `json:"studies"`
	Of      int    `json:"of"` // people, pairs or statements
	compare.Interval
}

// Need is the number of answers after which what a newcomer's pick misses is down to a tenth in the mean, between two looks on the line that joins them.
type Need struct {
	group
	Arm     string   `json:"arm"`
	Answers *float64 `json:"answers"` // null: more than were given
}

const enough = 0.1 // the mean share missed that a newcomer's answers are counted up to

// NewTable makes the table of studies. baseline is the arm that others are compared with; the first one if it is empty. It is an
// error if there is no such arm.
func NewTable(studies []Study, marks []int, baseline string) (Table, error) {
	t := Table{Marks: marks, Arms: trial.Distinct(studies, func(s Study) string { return s.Arm })}
	var err error
	if t.Baseline, err = trial.Baseline("people", baseline, t.Arms); err != nil {
		return t, err
	}
	var draws compare.Draws
	for _, g := range trial.Distinct(studies, Study.group) {
		some := xslices.Filter(studies, func(s Study) bool { return s.group() == g })
		_, base := byMeasure(some, t.Baseline)
		for _, arm := range t.Arms {
			order, ours := byMeasure(some, arm)
			for _, k := range order {
				row := Row{group: g, Arm: arm, Measure: k.Measure, Answers: k.Answers, Studies: len(ours[k])}
				values, of := ours[k].ratio()
				row.Of, row.Interval = of, trial.Mean(&draws, slices.Collect(maps.Values(values)))
				if t.Rows = append(t.Rows, row); arm == t.Baseline {
					continue
				}
				both := ours[k].in(base[k])
				if row.Versus, row.Studies = t.Baseline, len(both); row.Studies == 0 {
					continue
				}
				values, row.Of = both.ratio()
				theirs, _ := base[k].in(both).ratio()
				for c, v := range theirs {
					values[c] -= v
				}
				row.Interval = trial.Mean(&draws, slices.Collect(maps.Values(values)))
				t.Rows = append(t.Rows, row)
			}
			t.need(g, arm)
		}
	}
	return t, nil
}

// what is a measure after some answers.
type what struct {
	Measure string
	Answers int
}

// sums are the values of a measure after some answers, by population.
type sums map[Cell]Value

// byMeasure returns the sums of an arm, and what they are of in the order in which it was noted.
func byMeasure(studies []Study, arm string) (order []what, by map[what]sums) {
	by = map[what]sums{}
	for _, s := range studies {
		if s.Arm != arm {
			continue
		}
		for _, v := range s.Values {
			k := what{v.Measure, v.Answers}
			if by[k] == nil {
				by[k] = sums{}
				order = append(order, k)
			}
			by[k][s.Cell] = v
		}
	}
	return order, by
}

// in returns the sums of the populations that another arm has too.
func (s sums) in(other sums) sums {
	out := maps.Clone(s)
	maps.DeleteFunc(out, func(c Cell, _ Value) bool { _, there := other[c]; return !there })
	return out
}

// ratio returns a value per study whose mean is the ratio of all sums to all numbers, r = Σ Sᵢ / Σ Nᵢ: the ratio and what the
// study moves it by, to first order,
//
//	r + (Sᵢ − r Nᵢ) / N̄,
//
// so that a study with many statements weighs more than one with few (Cochran 1977, §6.4). of is Σ Nᵢ.
func (s sums) ratio() (values map[Cell]float64, of int) {
	sum := 0.0
	var terms []float64
	for _, v := range s {
		terms = append(terms, v.Sum)
		of += v.Of
	}
	slices.Sort(terms) // a map has no order, and the last digits shall not show it
	for _, v := range terms {
		sum += v
	}
	r, mean := sum/float64(of), float64(of)/float64(len(s))
	values = map[Cell]float64{}
	for c, v := range s {
		values[c] = r + (v.Sum-r*float64(v.Of))/mean
	}
	return values, of
}

func (t Table) find(g group, arm, versus, measure string, answers int) (Row, bool) {
	i := slices.IndexFunc(t.Rows, func(r Row) bool {
		return r.group == g && r.Arm == arm && r.Versus == versus && r.Measure == measure && r.Answers == answers
	})
	if i < 0 {
		return Row{}, false
	}
	return t.Rows[i], true
}

// need finds where the newcomer's line crosses enough.
func (t *Table) need(g group, arm string) {
	n := Need{group: g, Arm: arm}
	looked, before, last := false, math.Inf(1), 0
	for _, r := range t.Rows {
		if r.group != g || r.Arm != arm || r.Versus != "" || r.Measure != newcomer.missed {
			continue
		}
		looked = true
		if r.Value <= enough && n.Answers == nil {
			at := float64(r.Answers)
			if r.Answers > 0 {
				at -= (enough - r.Value) / (before - r.Value) * float64(r.Answers-last)
			}
			n.Answers = &at
		}
		before, last = r.Value, r.Answers
	}
	if looked {
		t.Needs = append(t.Needs, n)
	}
}

const fewest = 6 // the number of studies from which on an interval says something: resamples of fewer are too much alike

//go:embed table.tmpl
var tableText string

// Write writes the table as Markdown: for each population and size the measures of every arm by number of answers, then the
// differences to the baseline with their intervals, those of enough studies that do not have 0 in them in bold.
func (t Table) Write(w io.Writer) error {
	means := xslices.Filter(t.Rows, func(r Row) bool { return r.Versus == "" })
	answers := slices.Sorted(slices.Values(trial.Distinct(means, func(r Row) int { return r.Answers })))
	return cli.WriteTemplate(cli.NewTable(w), tableText, template.FuncMap{
		"rows": func(g group, measure, arm string) []Row {
			return xslices.Filter(means, func(r Row) bool { return r.group == g && r.Measure == measure && r.Arm == arm })
		},
		"needs":      func(g group) []Need { return xslices.Filter(t.Needs, func(n Need) bool { return n.group == g }) },
		"escape":     strings.NewReplacer("|", `\|`).Replace,
		"number":     func(v *float64) float64 { return *v },
		"difference": difference,
		"differences": func(measure string) []Row {
			return xslices.Filter(t.Rows, func(r Row) bool { return r.Versus != "" && r.Measure == measure })
		},
	}, map[string]any{"T": t, "Answers": answers, "Last": answers[len(answers)-1],
		"Groups":      trial.Distinct(means, func(r Row) group { return r.group }),
		"Measures":    trial.Distinct(means, func(r Row) string { return r.Measure }),
		"Differences": []string{everybody.missed, outlier.missed, newcomer.missed, groupMissed}})
}

// difference writes a difference with its interval.
func difference(r Row) string {
	mark := ""
	if r.Studies >= fewest && (r.Lower > 0 || r.Upper < 0) {
		mark = "**"
	}
	return fmt.Sprintf("%s%+.3f%s [%+.3f, %+.3f]", mark, r.Value, mark, r.Lower, r.Upper)
}
