package experiments

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/bench"
	"github.com/prefer-bo/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/say"
)

// document is the report of a reproduction: what it is, the figures, the tables, the choices.
func (r *reproduction) document() (compare.Document, error) {
	setup := r.setup.Name()
	o := compare.Options{
		Title: "Knowledge Gradient for Preference Learning, reproduced",
		Lead: fmt.Sprintf("Section 4 of Wu and Gardner (2026, arXiv 2601.22335), computed again by prefer: %s, two levels of noise, four methods, "+
			"%s, %s after the initial pairs.", say.Count(len(r.grid.Problems), "problem"), say.Count(len(r.grid.Seeds), "seed"), say.Count(r.questions, "question")),
		Answers: []int{}, // every method begins with the same number of pairs here
		Iters:   r.iters(),
		Ours:    compare.Series{Setup: setup, Method: "kg"},
		Late:    compare.Range{From: (r.questions + 1) / 2, To: r.questions},
	}
	for _, m := range r.grid.Methods {
		o.Series = append(o.Series, compare.Series{Setup: setup, Method: m})
		if m == "eubo" || m == "logei" {
			o.Baseline = append(o.Baseline, compare.Series{Setup: setup, Method: m})
		}
	}
	doc, err := compare.New(r.table, o)
	if err != nil {
		return doc, err
	}
	tables := slices.DeleteFunc(doc.Sections, func(s compare.Section) bool { return len(s.Figures) > 0 }) // Fig. 2 and 3 show the same curves
	doc.Sections = nil
	if less := r.less(); len(less) > 0 {
		doc.Sections = append(doc.Sections, compare.Section{Title: "Not the paper's experiment in full", Notes: less})
	}
	doc.Sections = append(doc.Sections, r.figures[:]...)
	doc.Sections = append(doc.Sections, tables...)
	doc.Sections = append(doc.Sections, choicesSection(), compare.Section{Title: "How this was made", Notes: r.made})
	return doc, nil
}

// iters are the columns of the tables, the last question among them.
func (r *reproduction) iters() []int {
	at := slices.DeleteFunc([]int{10, 25, 50, 100}, func(n int) bool { return n >= r.questions })
	return append(at, r.questions)
}

// less lists in what a reproduction falls short of the paper, or goes another way.
func (r *reproduction) less() []string {
	var out []string
	full := bench.Grid{}.WithDefaults()
	if n := len(r.grid.Seeds); n != len(full.Seeds) {
		out = append(out, fmt.Sprintf("%s; the paper has %d.", say.Count(n, "seed"), len(full.Seeds)))
	}
	if r.questions != paperQuestions {
		out = append(out, fmt.Sprintf("%s after the initial pairs; the paper has %d.", say.Count(r.questions, "question"), paperQuestions))
	}
	if !slices.Equal(r.grid.Problems, full.Problems) {
		out = append(out, fmt.Sprintf("The problems are %s; the paper has %s.", strings.Join(r.grid.Problems, ", "), strings.Join(full.Problems, ", ")))
	}
	if r.setup.Model != "paper" {
		out = append(out, "The model, the number of initial pairs and the search are prefer's own, not the paper's.")
	}
	return out
}

// choices are what the paper leaves open and an experiment has to settle: those that move the curves most, worded as in
// docs/paper.md, section 2, which has them all. A line has what, our choice and why, with tabs between.
//
//go:embed paperchoices.txt
var choices string

func choicesSection() compare.Section {
	s := compare.Section{
		Title: "What the paper leaves open, and what we chose",
		Text:  []string{"Where our curves differ from the paper's, one of these is the first suspect. The whole list is in docs/paper.md."},
	}
	for line := range strings.Lines(choices) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		note := c[0] + ": " + c[1] + "."
		if len(c) > 2 {
			note += " Why: " + c[2] + "."
		}
		s.Notes = append(s.Notes, note)
	}
	return s
}
