package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

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

//go:embed methods.tmpl
var methodsTemplate string

// methodsPages are the paragraphs of the methods text, each a template of its name.
var methodsPages = template.Must(template.New("").Funcs(template.FuncMap{
	"count": say.Count, "join": strings.Join, "number": chart.Number, "percent": sentence.Percent, "add": func(a, b int) int { return a + b },
	"minus": func(v float64) string { return chart.Minus(fmt.Sprint(v)) },
	"given": func(prior fmt.Stringer) bool { return !slices.Contains([]string{"none", "default"}, prior.String()) },
	"verb": func(n int) string { // of so many
		if n == 1 {
			return "was"
		}
		return "were"
	},
}).Parse(methodsTemplate))

// methods is what the paragraphs are about.
type methods struct {
	Config             prefer.Config
	Items              []space.Item
	Version, Procedure string
	Given              []string // parameters that are contexts
	Raters             int      // who have answered
	Asked, Observed    int      // answers to questions and others, those of excluded raters included: the text goes on to say so
	Acquisition, By    string   // the method and the inference, as a paper would name them
	Mixed              bool     // the model that asks is one of several
	Least              int      // answers before a study may end
	Sure, Rise         float64  // percentages at which it does
	Tolerance          string
	procedure
}

func newMethods(s *prefer.Study, raters []prefer.Rater, o Options) methods {
	c := s.Config()
	m := methods{Config: c, Items: s.Items(false), Version: o.Version, Procedure: o.Procedure, Raters: len(raters), procedure: newProcedure(s, raters),
		Acquisition: cmp.Or(acquisitions[c.Method], "the method "+c.Method), Least: max(1, c.Initial), Sure: 50 * (1 + c.Confidence), Rise: 10 * (1 - c.Confidence)}
	m.Given = xslices.Map(c.Space.Contexts(), func(p space.Parameter) string { return p.Name })
	bad := false
	for _, e := range s.History() {
		if e.Counts() && e.Observed {
			m.Observed++
		} else if e.Counts() {
			m.Asked++
		}
		bad = bad || e.Counts() && e.Answer.Choice == prefer.BothBad
	}
	if len(c.Space.Parameters) == 1 && len(c.Space.Items) == 0 {
		m.Sure = 100 * c.Confidence
	}
	t := c.Tolerance
	if t.IsZero() {
		t = prefer.DefaultTolerance()
	}
	answers := m.Asked + m.Observed
	m.Tolerance, m.By, m.Mixed = english.Tolerance(t), inferenceText(c, answers, bad), c.Method == "kg" && (answers <= denseDuels || answers <= manyDuels && (bad || c.People == prefer.PerRater))
	return m
}

// text writes one of the paragraphs.
func (m methods) text(name string) (string, error) {
	var b strings.Builder
	err := methodsPages.ExecuteTemplate(&b, name, m)
	return b.String(), err
}

// methodsText describes the study in the way of a methods section.
func methodsText(s *prefer.Study, raters []prefer.Rater, o Options) (out []string, err error) {
	m := newMethods(s, xslices.Filter(raters, func(r prefer.Rater) bool { return r.Counted > 0 }), o)
	for _, name := range []string{"space", "asking", "procedure", "model", "belief", "stop"} {
		text, err := m.text(name)
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		out = append(out, text)
	}
	source, err := sourceText(s)
	return append(out, source), err
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

// Where a study leaves expectation propagation on all comparisons, and where one of several utilities, or with "both bad", has one model (internal/learn).
const (
	denseDuels = 330
	manyDuels  = 1000
)

// inferenceText names the inference of so many answers; bad says that options were called bad.
func inferenceText(c prefer.Config, answers int, bad bool) string {
	switch by := c.Model.Inference.String(); {
	case by != "ep" || answers <= denseDuels:
		return cmp.Or(inferences[by], by)
	case bad || c.People == prefer.PerRater:
		return inferences["reduced"]
	}
	return inferences["sparse"]
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

// procedure counts what a methods section says of how questions were asked: sides, repeats, checks, practice, skips, exclusions.
type procedure struct {
	Shown, Exchanged int // answers to questions; of which the second option was shown on the left
	Repeats, Catches int // answers to hidden repeats, and to questions whose answer is known
	Blind, Practice  int // duels of the pick; questions to practise on
	Undone, Skipped  int
	Refused          int      // too quick
	Forgotten        int      // answers that were erased
	Changes          int      // of the description
	Out              []string // raters who are left out, with the reasons
	Left, Agreed     prefer.Share
	Conditions       []condition
}

// condition is a parameter that was given: in how many answers, and in how many at each value.
type condition struct {
	Name   string
	Total  int
	Values []string
}

func newProcedure(s *prefer.Study, raters []prefer.Rater) procedure {
	c, given := procedure{}, map[string]map[string]int{} // answers by parameter and value
	for _, e := range s.Events(0) {
		if e.Forgotten != nil && (e.Forgotten.Was == "answered" || e.Forgotten.Was == "observed") {
			c.Forgotten++
		}
		if e.Changed != nil {
			c.Changes++
		}
	}
	for _, e := range s.History() {
		c.Refused += e.Answer.Refused
		switch {
		case e.Undone:
			c.Undone++
		case e.Blind:
			c.Blind++
		case e.Method == practice:
			c.Practice++
		case e.Observed:
		case e.Answer.Choice == prefer.Skip:
			c.Skipped++
		default:
			q, _ := s.Question(e.Question)
			c.Shown++
			if e.Answer.Swapped {
				c.Exchanged++
			}
			switch { // no question is both
			case q.RepeatOf != "":
				c.Repeats++
			case q.Catch:
				c.Catches++
			}
			for name, v := range q.Fixed {
				if given[name] == nil {
					given[name] = map[string]int{}
				}
				given[name][v.String()]++
			}
		}
	}
	for _, r := range raters {
		if r.Out {
			who := named(r.Name)
			if r.OutWhy != "" {
				who += " (" + r.OutWhy + ")"
			}
			c.Out = append(c.Out, who)
		}
		c.Left.Count, c.Left.Of = c.Left.Count+r.Left.Count, c.Left.Of+r.Left.Of
		c.Agreed.Count, c.Agreed.Of = c.Agreed.Count+r.Agreed.Count, c.Agreed.Of+r.Agreed.Of
	}
	for _, p := range s.Config().Space.Parameters {
		if len(given[p.Name]) == 0 {
			continue
		}
		k := condition{Name: p.Name}
		for _, v := range slices.Sorted(maps.Keys(given[p.Name])) {
			k.Total += given[p.Name][v]
			k.Values = append(k.Values, fmt.Sprintf("%s %d", v, given[p.Name][v]))
		}
		c.Conditions = append(c.Conditions, k)
	}
	return c
}
