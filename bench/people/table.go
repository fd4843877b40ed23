package people

import (
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/bench/compare"
)

// Table is what came out, by group of people, arm, measure and number of answers.
type Table struct {
	Marks    []int    `json:"marks"`
	Arms     []string `json:"arms"`
	Baseline string   `json:"baseline"` // of the differences
	Rows     []Row    `json:"rows"`
	Needs    []Need   `json:"needs"`
	Checks   *Checks  `json:"checks,omitempty"` // by PlayChecks; nil if it was not played
}

// group is populations of one kind and size, whatever they are about.
type group struct {
	Population string `json:"population"`
	People     int    `json:"people"`
	Careless   int    `json:"careless"`
}

func (s Study) group() group { return group{s.Population, s.People, s.Careless} }

// Row is one measure: the mean over all people, pairs of people or statements of the studies, with a 95 % bootstrap interval
// over studies.
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

// Need is the number of answers after which what a newcomer's pick misses is down to a tenth in the mean, between two looks on
// the line that joins them.
type Need struct {
	group
	Arm     string   `json:"arm"`
	Answers *float64 `json:"answers"` // null: more than were given
}

// enough is the mean share missed that a newcomer's answers are counted up to.
const enough = 0.1

// NewTable makes the table of studies. baseline is the arm that others are compared with; the first one if it is empty. It is an
// error if there is no such arm.
func NewTable(studies []Study, marks []int, baseline string) (Table, error) {
	t := Table{Marks: marks, Baseline: baseline}
	var groups []group
	for _, s := range studies {
		if !slices.Contains(t.Arms, s.Arm) {
			t.Arms = append(t.Arms, s.Arm)
		}
		if !slices.Contains(groups, s.group()) {
			groups = append(groups, s.group())
		}
	}
	if t.Baseline == "" && len(t.Arms) > 0 {
		t.Baseline = t.Arms[0]
	}
	if !slices.Contains(t.Arms, t.Baseline) {
		return t, fmt.Errorf("people: baseline %q, want one of %q", t.Baseline, t.Arms)
	}
	var draws compare.Draws
	for _, g := range groups {
		base := t.sums(studies, g, t.Baseline)
		for _, arm := range t.Arms {
			ours := t.sums(studies, g, arm)
			for _, k := range ours.order {
				row := Row{group: g, Arm: arm, Measure: k.Measure, Answers: k.Answers, Studies: len(ours.by[k])}
				values := ours.ratio(k, &row.Of)
				row.Interval = draws.Mean(inOrder(values))
				if t.Rows = append(t.Rows, row); arm == t.Baseline {
					continue
				}
				row.Versus, row.Of = t.Baseline, 0
				ours, theirs := ours.common(base, k)
				if row.Studies = len(ours.by[k]); row.Studies > 0 {
					values := ours.ratio(k, &row.Of)
					for c, v := range theirs.ratio(k, new(int)) {
						values[c] -= v
					}
					row.Interval = draws.Mean(inOrder(values))
					t.Rows = append(t.Rows, row)
				}
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

// sums are the values of one group and arm, by measure and population.
type sums struct {
	by    map[what]map[cell]Value
	order []what
}

func (t Table) sums(studies []Study, g group, arm string) sums {
	out := sums{by: map[what]map[cell]Value{}}
	for _, s := range studies {
		if s.group() != g || s.Arm != arm {
			continue
		}
		for _, v := range s.Values {
			k := what{v.Measure, v.Answers}
			if out.by[k] == nil {
				out.by[k] = map[cell]Value{}
				out.order = append(out.order, k)
			}
			out.by[k][s.cell] = v
		}
	}
	return out
}

// common returns what two arms have of a measure on the same populations.
func (s sums) common(other sums, k what) (ours, theirs sums) {
	ours, theirs = sums{by: map[what]map[cell]Value{k: {}}}, sums{by: map[what]map[cell]Value{k: {}}}
	for c, v := range s.by[k] {
		if w, ok := other.by[k][c]; ok {
			ours.by[k][c], theirs.by[k][c] = v, w
		}
	}
	return ours, theirs
}

// ratio returns a value per study whose mean is the ratio of all sums to all numbers, r = Σ Sᵢ / Σ Nᵢ: the ratio and what the
// study moves it by, to first order,
//
//	r + (Sᵢ − r Nᵢ) / N̄,
//
// so that a study with many statements weighs more than one with few (Cochran 1977, §6.4).
func (s sums) ratio(k what, of *int) map[cell]float64 {
	sum := 0.0
	var terms []float64
	for _, v := range s.by[k] {
		terms = append(terms, v.Sum)
		*of += v.Of
	}
	slices.Sort(terms) // a map has no order, and the last digits shall not show it
	for _, v := range terms {
		sum += v
	}
	r, mean := sum/float64(*of), float64(*of)/float64(len(s.by[k]))
	out := map[cell]float64{}
	for c, v := range s.by[k] {
		out[c] = r + (v.Sum-r*float64(v.Of))/mean
	}
	return out
}

func inOrder(values map[cell]float64) []float64 {
	var out []float64
	for _, v := range values {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// find returns the row of a measure.
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
