package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
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
	c := s.Config()
	raters = slices.DeleteFunc(slices.Clone(raters), func(r prefer.Rater) bool { return r.Counted == 0 })
	questions, observed := 0, 0 // of those, too, who are left out: the text goes on to say so
	for _, e := range s.History() {
		switch {
		case !e.Counts():
		case e.Observed:
			observed++
		default:
			questions++
		}
	}
	what := say.Count(len(c.Space.Parameters), "parameter")
	if n := len(s.Items(false)); n > 0 {
		what = say.Count(n, "item")
		if f := len(s.Items(false)[0].Features); f > 0 {
			what += " described by " + say.Count(f, "feature")
		}
		if c.Space.Crossed() {
			what += ", crossed with " + say.Count(len(c.Space.Parameters), "parameter") + ","
		}
	}
	if n := len(c.Space.Constraints); n > 0 {
		what += " under " + say.Count(n, "constraint")
	}
	var kinds []string
	for _, p := range c.Space.Parameters {
		kinds = append(kinds, describe(p))
	}
	space := fmt.Sprintf("We searched %s by pairwise comparison with %s, seed %d.", what, o.Version, c.Seed)
	if len(kinds) > 0 {
		space += " The parameters were " + strings.Join(kinds, "; ") + "."
	}
	if given := c.Space.Contexts(); len(given) > 0 {
		var names []string
		for _, p := range given {
			names = append(names, p.Name)
		}
		space += fmt.Sprintf(" Of these %s was given by the situation and not chosen: both options of a question had the same, one model was learned across all, "+
			"and pick, verdict and budget are those under each.", strings.Join(names, ", "))
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
	asking := fmt.Sprintf("%s gave %s", say.Count(len(raters), "rater"), say.Count(questions, "answer"))
	if observed > 0 {
		asking += fmt.Sprintf(", and %s came from elsewhere", say.Count(observed, "duel"))
	}
	asking += fmt.Sprintf(". Shown two options, they said which they preferred: %s. ", scale)
	bad := "as a tie"
	if c.BothBad == "level" {
		bad = "to say that both are below the least that the rater would accept"
	}
	asking += fmt.Sprintf("That both are bad was taken %s; skipped questions are not counted. ", bad)
	method := cmp.Or(acquisitions[c.Method], "the method "+c.Method)
	if c.Initial > 0 {
		asking += fmt.Sprintf("The first %s were quasi-random (Sobol); after that pairs were chosen by %s.", say.Count(c.Initial, "pair"), method)
	} else {
		asking += fmt.Sprintf("Pairs were chosen by %s.", method)
	}

	source, err := sourceText(s)
	return []string{space, asking, newProcedure(s, raters).text(o.Conduct, c.Space.Parameters), modelText(c, s.Items(false), len(raters), questions+observed),
		tellText(c), stopText(c), source}, err
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
	text := fmt.Sprintf("A study was to end after %s at least, when after each of two in a row, with a probability of %s at least, no option is better than the pick "+
		"by more than %s, or the pick is among the best few (1 %% of all options, 5 %% of a list); when with that probability fewer than one option in ten would be accepted; "+
		"when the answers look like chance",
		say.Count(max(1, c.Initial), "answer"), say.Percent(c.Confidence), english.Tolerance(t))
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
		text += fmt.Sprintf(" Forecasts were recorded with the questions: %s (%s standard deviations from what was expected).", told, decimal(v.Calibration.Score))
	}
	return text
}

// inferences names them as a paper would.
var inferences = map[string]string{
	"ep":          "expectation propagation",
	"variational": "full-rank variational inference",
	"laplace":     "the Laplace approximation",
	"sparse":      "sparse variational inference",
}

// manyDuels is where a study leaves expectation propagation for sparse variational inference.
const manyDuels = 1000

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
	if by == "ep" && answers > manyDuels {
		by = "sparse"
	}
	by = cmp.Or(inferences[by], by)
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
		words := make([]string, len(p.Choices))
		for i, c := range p.Choices {
			words[i] = value(c)
		}
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

// procedure counts what a methods section says of how questions were asked: sides, repeats, checks, practice, skips, exclusions.
type procedure struct {
	shown, exchanged int // answers to questions; of which the second option was shown on the left
	repeats, catches int // answers to hidden repeats, and to questions whose answer is known
	blind, practice  int // duels of the pick; questions to practise on
	undone, skipped  int
	refused          int      // too quick
	forgotten        int      // answers that were erased
	changes          int      // of the description
	out              []string // raters who are left out, with the reasons
	left, agreed     prefer.Share
	conditions       map[string]map[string]int // answers by parameter that was given, and its value
}

func newProcedure(s *prefer.Study, raters []prefer.Rater) procedure {
	c := procedure{conditions: map[string]map[string]int{}}
	for _, e := range s.Events(0) {
		if e.Forgotten != nil && (e.Forgotten.Was == "answered" || e.Forgotten.Was == "observed") {
			c.forgotten++
		}
		if e.Changed != nil {
			c.changes++
		}
	}
	for _, e := range s.History() {
		c.refused += e.Answer.Refused
		switch {
		case e.Undone:
			c.undone++
			continue
		case e.Blind:
			c.blind++
			continue
		case e.Method == practice:
			c.practice++
			continue
		case e.Observed:
			continue
		case e.Answer.Choice == prefer.Skip:
			c.skipped++
			continue
		}
		c.shown++
		if e.Answer.Swapped {
			c.exchanged++
		}
		q, _ := s.Question(e.Question)
		switch { // no question is both
		case q.RepeatOf != "":
			c.repeats++
		case q.Catch:
			c.catches++
		}
		for name, v := range q.Fixed {
			if c.conditions[name] == nil {
				c.conditions[name] = map[string]int{}
			}
			c.conditions[name][v.String()]++
		}
	}
	for _, r := range raters {
		if r.Out {
			who := named(r.Name)
			if r.OutWhy != "" {
				who += " (" + r.OutWhy + ")"
			}
			c.out = append(c.out, who)
		}
		c.left.Count, c.left.Of = c.left.Count+r.Left.Count, c.left.Of+r.Left.Of
		c.agreed.Count, c.agreed.Of = c.agreed.Count+r.Agreed.Count, c.agreed.Of+r.Agreed.Of
	}
	return c
}

// listedValues is how many values of a condition are told with their counts.
const listedValues = 8

// text tells it. how is what the settings of the study wanted, in words; the study does not know it.
func (c procedure) text(how string, parameters []space.Parameter) string {
	var said []string
	add := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	if how != "" {
		said = append(said, how)
	}
	add("Of %s to questions %d saw the second option of the pair on the left; %s.", say.Count(c.shown, "answer"), c.exchanged,
		fmt.Sprintf("what was on the left was taken in %d of %s", c.left.Count, say.Count(c.left.Of, "preference")))
	switch {
	case c.repeats == 0:
		add("There were no hidden repeats.")
	case c.agreed.Of == 0:
		add("%s to hidden repeats.", were(c.repeats, "answer"))
	default:
		add("%s to hidden repeats; %d of %d agreed with the answer before.", were(c.repeats, "answer"), c.agreed.Count, c.agreed.Of)
	}
	if c.catches == 0 {
		add("There were no catch questions.")
	} else {
		add("%s to catch questions, whose answer is known, and teaches nothing.", were(c.catches, "answer"))
	}
	if c.practice > 0 {
		add("%s not learned from.", were(c.practice, "answer", " to practice questions"))
	}
	if c.blind > 0 {
		add("%s not learned from.", were(c.blind, "blind duel", " of the pick against rivals"))
	}
	for _, p := range parameters {
		values := c.conditions[p.Name]
		total := 0
		var parts []string
		for _, v := range slices.Sorted(maps.Keys(values)) {
			total += values[v]
			parts = append(parts, fmt.Sprintf("%s %d", v, values[v]))
		}
		switch {
		case total == 0:
		case len(parts) > listedValues:
			add("In %d of these answers %s was given, at %d values.", total, p.Name, len(parts))
		default:
			add("In %d of these answers %s was given (%s).", total, p.Name, strings.Join(parts, ", "))
		}
	}
	add("Taken back were %s, skipped %s; refused as too quick %s, which are in no count.", say.Count(c.undone, "answer"), say.Count(c.skipped, "question"), say.Count(c.refused, "answer"))
	if len(c.out) == 0 {
		add("Nobody was left out.")
	} else {
		add("Left out of what was learned about all: %s.", strings.Join(c.out, "; "))
	}
	if c.changes > 0 {
		add("The description of the study was changed %s while it ran.", say.Count(c.changes, "time"))
	}
	if c.forgotten > 0 {
		add("%s erased, of people who wanted to be forgotten.", were(c.forgotten, "answer"))
	}
	return strings.Join(said, " ")
}

// were writes "1 answer was", "2 answers were", with what stands between.
func were(n int, noun string, between ...string) string {
	verb := " were"
	if n == 1 {
		verb = " was"
	}
	return say.Count(n, noun) + strings.Join(between, "") + verb
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
