package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// New makes the report about a table: gaps, the measure against the baseline, comparisons, timing.
func New(t *Table, o Options) (Document, error) { return newDocument(t, o, Comparisons(t, o)) }

// newDocument takes the comparisons, which are most of the work, from whoever has them already.
func newDocument(t *Table, o Options, comparisons []Comparison) (Document, error) {
	groups := t.Groups()
	if len(groups) == 0 {
		return Document{}, errors.New("report: no rows to report on")
	}
	o = o.withDefaults(t)
	if err := o.validate(t); err != nil {
		return Document{}, err
	}
	d := Document{Title: o.Title, Lead: cmp.Or(o.Lead, fmt.Sprintf("%d settings (problem × noise), %d series (method, setup).", len(groups), len(o.Series)))}
	gaps, err := gapSection(t, o)
	if err != nil {
		return Document{}, err
	}
	d.add(gaps)
	what := "Median gap [lower, upper quartile] over seeds, and the share of stuck runs where there are any. " +
		"Bold is the smallest median, which is not yet a difference: see the comparisons. " + stuckRule()
	if len(o.Answers) > 0 {
		d.add(Section{
			Title: "Gap by answers in all, initial pairs included", Text: []string{what},
			Grids: gapGrids(t, o, positions(Answers, o.Answers)),
		})
		what = "The same, counted from the end of the initial pairs. Where their numbers differ, so do the answers heard by then."
	}
	d.add(Section{
		Title: "Gap by questions after the initial pairs", Text: []string{what},
		Grids: gapGrids(t, o, positions(Iter, o.Iters)),
	})
	d.add(Section{
		Title: "Share missed",
		Text:  []string{"(f* − f(x̂)) / (f* − mean f), the mean over seeds, and over settings, [95 % bootstrap interval]: 0 at the optimum, 1 for a point drawn blindly."},
		Grids: missedGrids(o, MissedShares(t, o)),
	})
	d.add(Section{
		Title: "Against the best of " + names(o.Baseline),
		Text: []string{"Median gap of " + o.Ours.String() + " over the smallest median of the baseline, over the seeds all of them have. " +
			"Below 1 is better. The best of the baseline is chosen anew in every resample."},
		Grids: measureGrids(t, o),
	})
	d.add(Section{
		Title: "Comparisons with " + o.Ours.String(),
		Text: []string{"Seed by seed: geometric mean of the gap of " + o.Ours.String() + " over the other's [95 % bootstrap interval], " +
			"seeds won–lost. “better” and “worse” where the interval excludes 1; “~” where these seeds show no difference, or are fewer than 5."},
		Grids: comparisonGrids(o, comparisons),
	})
	d.add(Section{
		Title: "Seconds per question",
		Text: []string{"Median (mean) over all questions after the initial pairs and all seeds: learning from the answers, choosing the " +
			"question, finding x̂, and the three together on the clock; then the processor. Factors compare medians with " + o.Ours.String() + "."},
		Grids: []Grid{timingGrid(t, o, "All questions", allQuestions), timingGrid(t, o, fmt.Sprintf("Questions %d to %d", o.Late.From, o.Late.To), o.Late)},
	})
	return d, nil
}

// add appends a section unless it has nothing to show.
func (d *Document) add(s Section) {
	s.Grids = slices.DeleteFunc(s.Grids, func(g Grid) bool { return len(g.Rows) == 0 })
	if len(s.Grids) > 0 || len(s.Figures) > 0 {
		d.Sections = append(d.Sections, s)
	}
}

// stuckRule says in a report what [stuck] does.
func stuckRule() string {
	return fmt.Sprintf("A run is stuck on branin2 if its gap is above %.1f, elsewhere if its gap is over %d times "+
		"the smallest median of any series and over %s of what it was half its questions ago.",
		braninStuck, farFactor, percent(flatShare))
}

// names joins series of one setup as "kg, eubo and logei of botorch", others by their full names.
func names(series []Series) string {
	mixed := slices.ContainsFunc(series, func(s Series) bool { return s.Setup != series[0].Setup })
	var words []string
	for _, s := range series {
		if mixed {
			words = append(words, s.String())
		} else {
			words = append(words, s.Method)
		}
	}
	switch n := len(words); {
	case mixed:
		return strings.Join(words, "; ")
	case n == 0:
		return "nothing"
	case n == 1:
		return words[0] + " of " + series[0].Setup
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1] + " of " + series[0].Setup
	}
}

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
	o.Title, o.Late = cmp.Or(o.Title, "Benchmark report"), cmp.Or(o.Late, Range{50, 100})
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
