package report

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
)

// Options say what a report is about. The zero value works.
type Options struct {
	// Title heads the page. Defaults to "Preference study".
	Title string

	// Rater is whose taste is reported in a study per rater; without one the report is about the group. A shared
	// study has one taste and takes none.
	Rater string

	// Version names the program in the methods text, as in "prefer v1.2.0". Defaults to "prefer".
	Version string

	// Media reads the file behind an item, by Item.Media, so that a picture of it can be put into the page. Nil, or
	// an error, leaves the item's name in its place.
	Media func(name string) ([]byte, error)

	// Checks says of raters, by name, how it went with the checks among their questions: catch questions and repeats, given and
	// due. Nobody with a word: the report has no column of them.
	Checks map[string]string

	// Progress, if not nil, is told how many of how many steps are done.
	Progress func(done, steps int)
}

func (o Options) withDefaults() Options {
	if o.Title == "" {
		o.Title = "Preference study"
	}
	if o.Version == "" {
		o.Version = "prefer"
	}
	if o.Media == nil {
		o.Media = func(name string) ([]byte, error) {
			return nil, fmt.Errorf("report: no pictures wanted, not even %q", name)
		}
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	return o
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is all that the template shows. Sections that are nil or empty are left out.
type page struct {
	Title, Lead, Prompt string

	Pick      *pick
	Sentences []string
	Bars      template.HTML
	Slices    []template.HTML
	Items     int
	Ranking   template.HTML
	Group     *group

	Confidence template.HTML
	Path       []answerLine
	Named      bool // raters have names
	Raters     []raterLine
	Checked    bool // raters had checks
	Biases     []string

	Warnings []string
	Methods  []string
	Cite     []string
}

// Write writes the report about a study as one HTML page. Looking changes nothing about the study.
func Write(ctx context.Context, w io.Writer, s *prefer.Study, opts Options) error {
	o := opts.withDefaults()
	p, err := newPage(ctx, s, o)
	if err != nil {
		return err
	}
	var b bytes.Buffer // a page that fails half way is not written at all
	if err := pageTemplate.Execute(&b, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// newPage looks at everything.
func newPage(ctx context.Context, s *prefer.Study, o Options) (page, error) {
	c := s.Config()
	raters, err := s.Raters(ctx)
	if err != nil {
		return page{}, err
	}
	per := c.People == prefer.PerRater
	var only *string // whose taste; nil: everybody's
	switch known := slices.ContainsFunc(raters, func(r prefer.Rater) bool { return r.Name == o.Rater }); {
	case o.Rater == "":
	case !per:
		return page{}, fmt.Errorf("report: Options.Rater = %q, but the raters of this study share one taste, want none: %w", o.Rater, prefer.ErrShared)
	case !known:
		return page{}, fmt.Errorf("report: Options.Rater = %q, who has no part in this study", o.Rater)
	default:
		only = &o.Rater
	}
	show := newPresenter(s, o)
	p := page{Title: o.Title, Prompt: c.Prompt, Lead: lead(s, raters),
		Path: path(s, show, only), Raters: raterLines(raters, o.Checks), Biases: biases(raters),
		Methods: methodsText(s, raters, o.Version), Cite: []string{citePaper, citePrefer}, Items: len(s.Items()),
		Named:   slices.ContainsFunc(raters, func(r prefer.Rater) bool { return r.Name != "" }),
		Checked: slices.ContainsFunc(raters, func(r prefer.Rater) bool { return o.Checks[r.Name] != "" })}

	events := s.Events()
	personal := !per || only != nil
	var track []reading
	if personal {
		track = beginnings(events, only)
	}
	steps, done := 1+len(track), 0
	if per {
		steps += len(raters)
	}
	step := func() { done++; o.Progress(min(done, steps), steps) }
	if per {
		if p.Group, err = newGroup(ctx, s, show, step); err != nil {
			return page{}, err
		}
	}
	if len(track) == 0 {
		return p, nil
	}
	if err := p.utility(ctx, s, o.Rater, show); err != nil {
		return page{}, err
	}
	step()
	if err := replay(ctx, events, o.Rater, track, step); err != nil {
		return page{}, err
	}
	p.Confidence = confidenceChart(track, c.Confidence)
	return p, nil
}

// utility fills in what one utility says. Without a duel it says nothing.
func (p *page) utility(ctx context.Context, s *prefer.Study, rater string, show presenter) error {
	b, err := s.Belief(ctx, rater)
	if err != nil || b.Answers == 0 {
		return err
	}
	v, err := s.Verdict(ctx, rater)
	if err != nil {
		return err
	}
	p.Pick = newPick(v, rater, s.Config().Confidence, show)
	p.Methods = append(p.Methods, endingText(v))
	for _, w := range b.Warnings {
		p.Warnings = append(p.Warnings, w.Error())
	}
	if !v.Kind.Picks() {
		return nil
	}
	if p.Items > 0 {
		p.Ranking = rankingChart(b.Ranking(rankedItems), show)
	}
	list := b.Importance()
	if len(list) == 0 { // items without features
		return nil
	}
	p.Bars = importanceBars(list)
	var order []string
	for _, i := range list {
		order, p.Sentences = append(order, i.Parameter), append(p.Sentences, i.Sentence)
	}
	var shown []prefer.Option
	for _, e := range s.History() {
		if !e.Undone && (rater == "" || e.Rater == rater) {
			shown = append(shown, e.First, e.Second)
		}
	}
	p.Slices, err = sliceCharts(b, show, shown, order)
	return err
}

// lead says how many answered when.
func lead(s *prefer.Study, raters []prefer.Rater) string {
	var first, last time.Time
	n := 0
	for _, e := range s.History() {
		if e.Undone || e.Blind || e.Method == practice || e.Answer.Choice == prefer.Skip {
			continue
		}
		if n == 0 {
			first = e.Time
		}
		last = e.Time
		n++
	}
	if n == 0 {
		return "No answers yet."
	}
	const day = "2 January 2006"
	from, to := first.UTC().Format(day), last.UTC().Format(day)
	when := from
	if from != to {
		when += " to " + to
	}
	return fmt.Sprintf("%s by %s, %s.", plural(n, "answer"), plural(len(raters), "rater"), when)
}
