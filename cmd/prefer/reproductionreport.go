package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/bench/report"
)

// document is the report of a reproduction: what it is, the figures, the tables, the choices.
func (r *reproduction) document() (report.Document, error) {
	setup := r.setup.Name()
	o := report.Options{
		Title: "Knowledge Gradient for Preference Learning, reproduced",
		Lead: fmt.Sprintf("Section 4 of Wu and Gardner (2026, arXiv 2601.22335), computed again by prefer: %s, two levels of noise, four methods, "+
			"%s, %s after the initial pairs.", count(len(r.grid.Problems), "problem"), count(len(r.grid.Seeds), "seed"), count(r.questions, "question")),
		Answers: []int{}, // every method begins with the same number of pairs here
		Iters:   r.iters(),
		Ours:    report.Series{Setup: setup, Method: "kg"},
		Late:    report.Range{From: (r.questions + 1) / 2, To: r.questions},
	}
	for _, m := range r.grid.Methods {
		o.Series = append(o.Series, report.Series{Setup: setup, Method: m})
		if m == "eubo" || m == "logei" {
			o.Baseline = append(o.Baseline, report.Series{Setup: setup, Method: m})
		}
	}
	doc, err := report.New(r.table, o)
	if err != nil {
		return doc, err
	}
	tables := slices.DeleteFunc(doc.Sections, func(s report.Section) bool { return len(s.Figures) > 0 }) // Fig. 2 and 3 show the same curves
	doc.Sections = nil
	if less := r.less(); len(less) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Title: "Not the paper's experiment in full", Notes: less})
	}
	doc.Sections = append(doc.Sections, r.figures[:]...)
	doc.Sections = append(doc.Sections, tables...)
	doc.Sections = append(doc.Sections, choicesSection(), report.Section{Title: "How this was made", Notes: r.made})
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
		out = append(out, fmt.Sprintf("%s; the paper has %d.", count(n, "seed"), len(full.Seeds)))
	}
	if r.questions != paperQuestions {
		out = append(out, fmt.Sprintf("%s after the initial pairs; the paper has %d.", count(r.questions, "question"), paperQuestions))
	}
	if !slices.Equal(r.grid.Problems, full.Problems) {
		out = append(out, fmt.Sprintf("The problems are %s; the paper has %s.", strings.Join(r.grid.Problems, ", "), strings.Join(full.Problems, ", ")))
	}
	if r.setup.Model != "paper" {
		out = append(out, "The model, the number of initial pairs and the search are prefer's own, not the paper's.")
	}
	return out
}

// choice is something the paper leaves open and an experiment has to settle.
type choice struct{ what, ours, why string }

// choices are those that move the curves most, worded as in docs/paper.md, section 2, which has them all.
var choices = []choice{
	{"prior of lengthscales", "Gamma(3, rate 6): mean 0.5, mode 1/3",
		"BoTorch's stock \"Matérn kernel with Gamma prior\" is exactly the paper's kernel and has these numbers"},
	{"prior of the outputscale", "Gamma(2, rate 0.15): mean 13.3, mode 6.7", "as above; a flat prior runs to the bound"},
	{"how priors enter", "density of the value, no Jacobian, added once to the full evidence",
		"what the stack's objective maximises, up to its factor 1/n"},
	{"input scaling", "the unit cube", "the priors make sense only there"},
	{"inference for faithful runs", "Sparse", "the paper's model"},
	{"expected log likelihood", "Sparse: 20 Gauss–Hermite nodes; Variational: exact rule",
		"20 is GPyTorch's default"},
	{"inducing inputs trained?", "no, fixed during a fit", "the paper selects them; preference codes we know keep them fixed"},
	{"kernel used to select them", "that of the fit's starting hyper-parameters",
		"needed before the fit exists; keeps a fit a function of its input"},
	{"start, restarts", "prior centres, or warm from an earlier posterior; no random restarts", "a fit depends on its input alone"},
	{"pairs from one 2d- or two d-dimensional sequences", "one scrambled 2d-dimensional sequence", "BoTorch's habit"},
	{"where x₊, x₋ start", "where a quadratic model of the look-ahead mean at x̂ has its maximum, or at the best candidate",
		"with x₊ = x₋ the gradient in (x₁, x₂) vanishes"},
	{"batch LogEI: samples, smoothing", "BoTorch's: 512 Sobol normals, τ_relu 1e-6, τ_max 1e-2, fat tails", ""},
	{"how x̂ is searched", "12 climbs: the 8 best distinct options shown, the 4 best of 64 Sobol points", ""},
	{"\"error probability among the top 1 %\"", "random pairs among the best 1 % of uniform points, E Φ(−|Δ|/σ) = 10 % or 30 %",
		"qEUBO's procedure, with the paper's σ"},
	{"Alpine1's domain", "[−10, 10]⁷", "the customary one; the paper names none"},
}

func choicesSection() report.Section {
	s := report.Section{
		Title: "What the paper leaves open, and what we chose",
		Text:  []string{"Where our curves differ from the paper's, one of these is the first suspect. The whole list is in docs/paper.md."},
	}
	for _, c := range choices {
		note := c.what + ": " + c.ours + "."
		if c.why != "" {
			note += " Why: " + c.why + "."
		}
		s.Notes = append(s.Notes, note)
	}
	return s
}
