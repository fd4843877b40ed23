package compare

import (
	"fmt"
	"slices"
	"strings"
)

// Options are the choices of a report. The zero value works.
type Options struct {
	Title string // defaults to "Benchmark report"
	Force bool   // replace files of the folder that prefer did not make
	Lead  string // defaults to what is in the table

	// Series are the ones shown, in this order. Defaults to all, by setup and method.
	Series []Series

	// Answers are the columns counted in all answers, defaults to 15, 20, 30, 40; Iters those counted
	// after the initial pairs, defaults to 10, 30, 50, 100. Columns without a single run are dropped.
	Answers, Iters []int

	// Ours is what the others are compared with. Defaults to the kg of setup "default", or to the first
	// series if there is none.
	Ours Series

	// Baseline is whose best Ours is measured against. Defaults to kg, eubo and logei of setup "botorch";
	// where no series of it is in the table, the measure is left out.
	Baseline []Series

	Late Range // questions with a timing table of their own; defaults to 50 to 100
}

// withDefaults fills in what is left out. Only the table knows its series.
func (o Options) withDefaults(t *Table) Options {
	all := t.Series(t.Groups()...)
	if o.Title == "" {
		o.Title = "Benchmark report"
	}
	if o.Series == nil {
		o.Series = all
	}
	if o.Answers == nil {
		o.Answers = []int{15, 20, 30, 40}
	}
	if o.Iters == nil {
		o.Iters = []int{10, 30, 50, 100}
	}
	if o.Ours == (Series{}) && len(o.Series) > 0 {
		o.Ours = o.Series[0]
		if kg := (Series{"default", "kg"}); slices.Contains(o.Series, kg) {
			o.Ours = kg
		}
	}
	if o.Baseline == nil {
		for _, s := range all {
			if s.Setup == "botorch" && slices.Contains([]string{"kg", "eubo", "logei"}, strings.ToLower(s.Method)) {
				o.Baseline = append(o.Baseline, s)
			}
		}
	}
	if o.Late == (Range{}) {
		o.Late = Range{50, 100}
	}
	return o
}

// validate reports a series that is not in the table: a report would pass over a misspelt one in silence.
func (o Options) validate(t *Table) error {
	all := t.Series(t.Groups()...)
	for _, s := range slices.Concat(o.Series, []Series{o.Ours}, o.Baseline) {
		if !slices.Contains(all, s) {
			return fmt.Errorf("report: no rows of series {%v}, there are %v", s, all)
		}
	}
	return nil
}

// others are the series shown beside ours.
func (o Options) others() []Series {
	return slices.DeleteFunc(slices.Clone(o.Series), func(s Series) bool { return s == o.Ours })
}

// positions are the columns of the report, by answers and then by iter.
func (o Options) positions() []Position {
	return append(positions(Answers, o.Answers), positions(Iter, o.Iters)...)
}
