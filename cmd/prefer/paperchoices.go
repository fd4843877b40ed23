package main

import "github.com/prefer-bo/prefer/bench/report"

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
