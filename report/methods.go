package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
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
func methodsText(s *prefer.Study, raters []prefer.Rater, o Options) ([]string, error) {
	c, items := s.Config(), s.Items(false)
	raters = slices.DeleteFunc(slices.Clone(raters), func(r prefer.Rater) bool { return r.Counted == 0 })
	questions, observed := 0, 0 // excluded raters included: the text goes on to say so
	for _, e := range s.History() {
		switch {
		case !e.Counts():
		case e.Observed:
			observed++
		default:
			questions++
		}
	}
	source, err := sourceText(s)
	return []string{spaceText(c, items, o.Version), askingText(c, len(raters), questions, observed), newProcedure(s, raters).text(o.Procedure, c.Space.Parameters),
		modelText(c, items, len(raters), questions+observed), tellText(c), stopText(c), source}, err
}

// spaceText says what was searched.
func spaceText(c prefer.Config, items []space.Item, version string) string {
	what := say.Count(len(c.Space.Parameters), "parameter")
	if n := len(items); n > 0 {
		what = say.Count(n, "item")
		if f := len(items[0].Features); f > 0 {
			what += " described by " + say.Count(f, "feature")
		}
		if c.Space.Crossed() {
			what += ", crossed with " + say.Count(len(c.Space.Parameters), "parameter") + ","
		}
	}
	if n := len(c.Space.Constraints); n > 0 {
		what += " under " + say.Count(n, "constraint")
	}
	text := fmt.Sprintf("We searched %s by pairwise comparison with %s, seed %d.", what, version, c.Seed)
	var kinds, given []string
	for _, p := range c.Space.Parameters {
		kinds = append(kinds, describe(p))
		if p.Context {
			given = append(given, p.Name)
		}
	}
	if len(kinds) > 0 {
		text += " The parameters were " + strings.Join(kinds, "; ") + "."
	}
	if len(given) > 0 {
		text += fmt.Sprintf(" Of these %s was given by the situation and not chosen: both options of a question had the same, one model was learned across all, "+
			"and pick, verdict and budget are those under each.", strings.Join(given, ", "))
	}
	if len(c.Space.Constraints) > 0 {
		text += " Options satisfied " + strings.Join(c.Space.Constraints, " and ") + "."
	}
	return text
}

// askingText says who answered what, and how pairs were chosen.
func askingText(c prefer.Config, raters, questions, observed int) string {
	text := fmt.Sprintf("%s gave %s", say.Count(raters, "rater"), say.Count(questions, "answer"))
	if observed > 0 {
		text += fmt.Sprintf(", and %s came from elsewhere", say.Count(observed, "duel"))
	}
	scale := "the first, the second, or that they could not tell"
	if c.Answers.Forced {
		scale = "the first or the second"
	}
	if c.Answers.Grades > 0 {
		scale += fmt.Sprintf(", a preference in %d strengths", c.Answers.Grades+1)
	}
	bad := "as a tie"
	if c.BothBad == "level" {
		bad = "as saying that both are below the least that the rater would accept"
	}
	text += fmt.Sprintf(". Shown two options, they said which they preferred: %s. “Both bad” was treated %s; skipped questions are not counted. ", scale, bad)
	method := cmp.Or(acquisitions[c.Method], "the method "+c.Method)
	if c.Initial > 0 {
		return text + fmt.Sprintf("The first %s were quasi-random (Sobol); after that pairs were chosen by %s.", say.Count(c.Initial, "pair"), method)
	}
	return text + fmt.Sprintf("Pairs were chosen by %s.", method)
}

// tellText says which model is behind what is told.
func tellText(c prefer.Config) string {
	if c.Belief != "averaged" {
		return "The pick and all probabilities come from the model that chose the questions, as if its hyper-parameters were known."
	}
	var priors []string
	for i, m := range c.BeliefModels {
		text := fmt.Sprintf("(%d) lengthscales %v, outputscale %v", i+1, m.Lengthscale, m.Outputscale)
		if t := m.Trend.String(); t != "none" && t != "default" {
			text += fmt.Sprintf(", %v of each parameter of variance %s", m.Effects, t)
		}
		priors = append(priors, text)
	}
	return fmt.Sprintf("That model chose the questions. The pick and all probabilities come from an average over what the answers leave open of the hyper-parameters, "+
		"weighted by the evidence, in %s of the same kind with other priors: %s.", say.Count(len(c.BeliefModels), "model"), strings.Join(priors, "; "))
}

// stopText says when a study is done.
func stopText(c prefer.Config) string {
	t := c.Tolerance
	if t.IsZero() {
		t = prefer.DefaultTolerance()
	}
	sure := (1 + c.Confidence) / 2
	if len(c.Space.Parameters) == 1 && len(c.Space.Items) == 0 {
		sure = c.Confidence
	}
	text := fmt.Sprintf("A study was to end after %s at least, when after each of two in a row ten more answers were expected to raise the share of options "+
		"that the pick beats by less than %.3g percentage points, or, with a probability of %.3g%% at least, no option is better than the pick by more than %s; "+
		"when with a probability of %s at least fewer than one option in ten would be accepted",
		say.Count(max(1, c.Initial), "answer"), 10*(1-c.Confidence), 100*sure, english.Tolerance(t), sentence.Percent(c.Confidence))
	if c.Budget > 0 {
		text += fmt.Sprintf("; or, for each rater, at %s", say.Count(c.Budget, "answer"))
	}
	return text + "."
}

// endingText says how a study stands, and how its forecasts fared.
func endingText(v prefer.Verdict, under string) string {
	if under != "" {
		under = " under " + under
	}
	text := fmt.Sprintf("After %s%s the verdict was: %s.", say.Count(v.Answers, "answer"), under, v.Sentence)
	if told := english.Calibration(v.Calibration); told != "" {
		text += fmt.Sprintf(" Forecasts were recorded with the questions: %s (%s standard deviations from what was expected).", told, view.Decimal(v.Calibration.Score))
	}
	return text
}

// inferences names them as a paper would.
var inferences = map[string]string{
	"ep":          "expectation propagation",
	"variational": "full-rank variational inference",
	"laplace":     "the Laplace approximation",
	"reduced":     "expectation propagation in the span of at most 200 comparisons",
	"sparse":      "sparse variational inference",
}

// Where a study leaves expectation propagation on all comparisons, and where one utility is learned by sparse variational inference (internal/learn).
const (
	denseDuels = 390
	manyDuels  = 1000
)

func modelText(c prefer.Config, items []space.Item, raters, answers int) string {
	m := c.Model
	text := "Utility was modelled as a Gaussian process with a Matérn-5/2 kernel and one lengthscale per parameter, ranges scaled to [0, 1]"
	priors := fmt.Sprintf("the lengthscales had the prior %v and the outputscale %v", m.Lengthscale, m.Outputscale)
	if len(items) > 0 {
		text = strings.Replace(text, "parameter", "feature", 1)
		if len(items[0].Features) == 0 {
			text, priors = "Every item had a normal utility of its own, independent of the others", fmt.Sprintf("their variance had the prior %v", m.Outputscale)
		}
	}
	text += fmt.Sprintf("; an answer tells in which interval the difference of two utilities plus normal noise falls (probit, σ = %g). "+
		"In units of σ, %s", m.Noise, priors)
	if t := m.Trend.String(); t != "none" && t != "default" {
		text += fmt.Sprintf(", main effects (%v) of variance %s", m.Effects, t)
	}
	switch graded, own := c.Answers.Grades > 0, m.Grade.String() != "default"; {
	case graded && own && c.Answers.Forced:
		text += fmt.Sprintf(", and what is clear begins at %v", m.Grade)
	case graded && own:
		text += fmt.Sprintf(", a just-noticeable difference %v, and what is clear begins beyond it at %v", m.Cut, m.Grade)
	case graded || !c.Answers.Forced:
		text += fmt.Sprintf(", and thresholds between answers %v", m.Cut)
	}
	by := m.Inference.String()
	switch {
	case by != "ep" || answers <= denseDuels:
		by = cmp.Or(inferences[by], by)
	case answers <= manyDuels || c.People == prefer.PerRater:
		by = inferences["reduced"]
	default:
		by = inferences["sparse"] + ", or " + inferences["reduced"] + " once options had been called bad"
	}
	text += fmt.Sprintf(" (gamma: shape, rate; lognormal: mean and standard deviation of the logarithm). "+
		"Inference was by %s, with hyper-parameters at their maximum a posteriori.", by)
	text += alternativesText(c, answers)
	switch kinship := c.Kinship.String(); {
	case c.People == prefer.PerRater && kinship != "default" && kinship != "none":
		text += fmt.Sprintf(" Every rater had a utility of their own, f = g + h with a common part g; the share ρ of g in the variance was learned, with the prior %v of ρ/(1 − ρ).", c.Kinship)
	case c.People == prefer.PerRater:
		text += " Every rater had a utility of their own, learned from their answers alone."
	case raters > 1:
		text += fmt.Sprintf(" Raters shared one utility and each had a noise of their own, with the prior %v in units of σ.", m.RaterNoise)
	}
	if p := m.Position.String(); p != "none" && p != "default" {
		text += fmt.Sprintf(" Where sides were drawn at random, each rater could lean to what was shown first by b ~ N(0, τ²), with the prior %s of τ in units of σ.", p)
	}
	if n := len(c.Earlier); n > 0 {
		text += fmt.Sprintf(" The study began with %d answers of people of an earlier one, as those of further raters.", n)
	}
	return text
}

// alternativesText says what else the knowledge gradient believed possible.
func alternativesText(c prefer.Config, answers int) string {
	if c.Method != "kg" || answers > manyDuels {
		return ""
	}
	var text string
	for _, a := range c.Alternatives {
		text += fmt.Sprintf(" Questions were chosen by this model and, with prior odds of %g and its share by the evidence, one with outputscale %v and main effects (%v) of variance %v.",
			a.Odds, a.Model.Outputscale, a.Model.Effects, a.Model.Trend)
	}
	return text
}

// describe writes a parameter with its range.
func describe(p space.Parameter) string {
	switch p.Type {
	case "bool":
		return p.Name + " (yes or no)"
	case "categorical", "ordinal":
		words := xslices.Map(p.Choices, chart.Number)
		return fmt.Sprintf("%s (%s: %s)", p.Name, p.Type, strings.Join(words, ", "))
	}
	text := p.Name + strings.ReplaceAll(fmt.Sprintf(" (%g to %g", p.Low, p.High), "-", "−")
	if p.Type == "int" {
		text += ", whole numbers"
		if p.Step > 1 {
			text += fmt.Sprintf(" in steps of %g", p.Step)
		}
	}
	if p.Log {
		text += ", log scale"
	}
	if p.Circular {
		text += ", a circle"
	}
	return text + ")"
}

// sourceText says with what, and from what, the report was made.
func sourceText(s *prefer.Study) (string, error) {
	first := s.Events(0)[0].Created
	config, errConfig := first.Config.Hash()
	log, errLog := logfile.Hash(s.Events(0))
	if err := cmp.Or(errConfig, errLog); err != nil {
		return "", fmt.Errorf("report: %w", err)
	}
	return fmt.Sprintf("The study was created with the arithmetic of %s kernels, on which its questions can be had again to the bit. The SHA-256 of its configuration, defaults and seed included, is %s, "+
		"that of its log of %s %s.", first.Kernels, config, say.Count(s.Seq(), "event"), log), nil
}
