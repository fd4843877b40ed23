package report

import (
	"fmt"
	"strings"

	"github.com/prefer-bo/prefer"
)

// Citations to go with the methods text.
const (
	citePaper  = "Wu, K., & Gardner, J. R. (2026). Knowledge Gradient for Preference Learning. arXiv:2601.22335."
	citePrefer = "prefer: preferential Bayesian optimisation in Go. Computer software. https://github.com/prefer-bo/prefer"
)

// acquisitions names the methods as a paper would.
var acquisitions = map[string]string{
	"kg": "the exact knowledge gradient for preferences (Wu & Gardner, 2026)", "eubo": "the expected utility of the best option (EUBO)",
	"qeubo": "the expected utility of the best option (qEUBO)", "logei": "log expected improvement", "bald": "the mutual information of answer and utility (BALD)",
	"thompson": "Thompson sampling", "random": "uniform sampling",
}

// methodsText describes the study in the way of a methods section.
func methodsText(s *prefer.Study, raters []prefer.Rater, version string) []string {
	c := s.Config()
	answers, questions, observed := 0, 0, 0
	for _, e := range s.History() {
		if e.Undone {
			continue
		}
		answers++
		if e.Observed {
			observed++
		} else {
			questions++
		}
	}
	what := plural(len(c.Space.Parameters), "parameter")
	if n := len(s.Items()); n > 0 {
		what = plural(n, "item")
		if f := len(s.Items()[0].Features); f > 0 {
			what += " described by " + plural(f, "feature")
		}
	}
	if n := len(c.Space.Constraints); n > 0 {
		what += " under " + plural(n, "constraint")
	}
	var kinds []string
	for _, p := range c.Space.Parameters {
		kinds = append(kinds, describe(p))
	}
	space := fmt.Sprintf("We searched %s by pairwise comparison with %s, seed %d.", what, version, c.Seed)
	if len(kinds) > 0 {
		space += " The parameters were " + strings.Join(kinds, "; ") + "."
	}
	if len(c.Space.Constraints) > 0 {
		space += " Options satisfied " + strings.Join(c.Space.Constraints, " and ") + "."
	}

	scale := "the first, the second, or that they could not tell"
	if c.Answers.Forced {
		scale = "the first or the second"
	}
	if c.Answers.Grades > 0 {
		scale += fmt.Sprintf(", a preference in %d strengths", c.Answers.Grades+1)
	}
	asking := fmt.Sprintf("%s gave %s to questions", plural(len(raters), "rater"), plural(questions, "answer"))
	if observed > 0 {
		asking += fmt.Sprintf(", and %s came from elsewhere", plural(observed, "duel"))
	}
	asking += fmt.Sprintf(". Shown two options, they said which they preferred: %s. ", scale)
	method := acquisitions[c.Method]
	if method == "" {
		method = "the method " + c.Method
	}
	if c.Initial > 0 {
		asking += fmt.Sprintf("The first %s were quasi-random (Sobol); after that pairs were chosen by %s.", plural(c.Initial, "pair"), method)
	} else {
		asking += fmt.Sprintf("Pairs were chosen by %s.", method)
	}

	m := c.Model
	model := fmt.Sprintf("Utility was modelled as a Gaussian process with a Matérn-5/2 kernel and one lengthscale per dimension on ranges scaled to [0, 1], "+
		"answers as its noisy differences (probit, σ = %g%s). Lengthscales had the prior %v, the outputscale %v", m.Noise, thresholds(c.Answers), m.Lengthscale, m.Outputscale)
	if !c.Answers.Forced || c.Answers.Grades > 0 {
		model += fmt.Sprintf(", the thresholds %v in units of σ", m.Cut)
	}
	model += fmt.Sprintf(". Inference was by %v, with hyper-parameters at their maximum a posteriori after every answer.", m.Inference)
	if c.People == prefer.PerRater {
		model += " Every rater had a utility of their own."
	} else if len(raters) > 1 {
		model += fmt.Sprintf(" Raters shared one utility and each had a noise of their own, with the prior %v in units of σ.", m.RaterNoise)
	}
	stop := fmt.Sprintf("The study was called done when the probability that no option is better than the pick by more than a just-noticeable difference "+
		"had been at least %s after each of two answers and the next question was worth less than a tenth of that difference.", percent(c.Confidence))
	return []string{space, asking, model, stop}
}

func thresholds(a prefer.Answers) string {
	if a.Forced {
		return ""
	}
	return ", with a just-noticeable difference learned from ties"
}

// describe writes a parameter with its range.
func describe(p prefer.Parameter) string {
	switch p.Type {
	case "bool":
		return p.Name + " (yes or no)"
	case "categorical", "ordinal":
		words := make([]string, len(p.Choices))
		for i, c := range p.Choices {
			words[i] = value(c)
		}
		return fmt.Sprintf("%s (%s: %s)", p.Name, p.Type, strings.Join(words, ", "))
	}
	text := fmt.Sprintf("%s (%s to %s", p.Name, tick(p.Low), tick(p.High))
	if p.Type == "int" {
		text += ", whole numbers"
		if p.Step > 1 {
			text += fmt.Sprintf(" in steps of %g", p.Step)
		}
	}
	if p.Log {
		text += ", log scale"
	}
	return text + ")"
}
