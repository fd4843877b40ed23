package report

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// Options say what a report is about. The zero value works.
type Options struct {
	// Title heads the page. Defaults to "Preference study".
	Title string

	// Rater is whose taste is reported in a study per rater; without one the report is about the group. A shared
	// study has one taste and takes none.
	Rater string

	// Version names the program in the methods text, as in "prefer v1.2.0, commit 1f2e3d". Defaults to "prefer".
	Version string

	// Budget is the number of answers that each rater was to give where the study does not know it (live.Study.Budget). Defaults to Config.Budget.
	Budget int

	// Conduct says in the methods text how questions were put to people, which the study does not know: on which side,
	// among which checks (live.Study.Conduct).
	Conduct string

	// Media reads the file behind an item, by Item.Media, so that a picture of it can be put into the page. Nil
	// leaves the item's name in its place, and so does an error, which the page tells.
	Media func(name string) ([]byte, error)

	// Draw returns an option as SVG, so that a picture of it can be put into the page. Nil, or an empty text, leaves it to Media, colours and values.
	Draw func(space.Option) string

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
	if o.Draw == nil {
		o.Draw = func(space.Option) string { return "" }
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	return o
}

//go:embed page.html
var pageText string

//go:embed report.css
var sheet string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"say": dictionary}).Parse(pageText))

// page is all that the template shows. Sections that are nil or empty are left out.
type page struct {
	Style               template.CSS
	Shots               []shot
	Title, Lead, Prompt string
	Missing             string // which files of items could not be read

	finding            // of a study without contexts
	Contexts []finding // of one with them
	Items    int
	Groups   []*group // of a study per rater, one for each setting of the contexts

	Confidence template.HTML
	Changes    []change
	Path       []answerLine
	Named      bool // raters have names
	Raters     []raterLine
	Checked    bool // raters had checks
	Biases     []string

	Methods []string
	Cite    []string
}

// finding is what is known of one utility, under one setting of the contexts.
type finding struct {
	Under    string // the setting, in words
	Pick     *pick
	Bars     template.HTML
	Lines    []line
	Gallery  []ranked
	Warnings []string
}

// Write writes the report about a study as one HTML page. Looking changes nothing about the study.
func Write(ctx context.Context, w io.Writer, s *prefer.Study, opts Options) error {
	o := opts.withDefaults()
	show := newPresenter(s, o)
	p, err := newPage(ctx, s, o, show)
	if err != nil {
		return err
	}
	p.Style, p.Shots, p.Missing = template.CSS(chart.Inline()+chart.Style+sheet), show.album.shots, show.album.missingText()
	if len(p.Groups) > 0 {
		p.Groups[0].Notes = true
	}
	var b bytes.Buffer // a page that fails half way is not written at all
	if err := pageTemplate.Execute(&b, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// newPage looks at everything.
func newPage(ctx context.Context, s *prefer.Study, o Options, show presenter) (page, error) {
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
		return page{}, &prefer.Error{Code: "shared", Field: "rater", Value: o.Rater, Err: prefer.ErrInvalid,
			Detail: fmt.Sprintf("Options.Rater = %q, but the raters of this study share one taste, want none", o.Rater)}
	case !known:
		return page{}, fmt.Errorf("report: Options.Rater = %q, who has no part in this study", o.Rater)
	default:
		only = &o.Rater
	}
	p := page{Title: o.Title, Prompt: c.Prompt, Lead: lead(s, raters),
		Raters: raterLines(raters, o.Checks), Biases: biases(raters),
		Cite: []string{citePaper, citePrefer}, Items: len(s.Items(false)),
		Named:   slices.ContainsFunc(raters, func(r prefer.Rater) bool { return r.Name != "" }),
		Checked: slices.ContainsFunc(raters, func(r prefer.Rater) bool { return o.Checks[r.Name] != "" })}

	if p.Methods, err = methodsText(s, raters, o); err != nil {
		return page{}, err
	}
	events := s.Events(0)
	var odd map[prefer.AnswerID]float64
	if !per || only != nil {
		if odd, err = contradicting(ctx, s, prefer.Look{Rater: o.Rater}); err != nil && space.CodeOf(err) != "context" {
			return page{}, err
		}
	}
	p.Path = path(s, show, only, odd)
	personal := !per || only != nil
	var track []timeline.Moment
	if personal {
		track = readings(events, only)
	}
	if len(c.Space.Contexts()) > 0 {
		return p, p.contexts(ctx, s, o, per, len(track) > 0, show)
	}
	steps, done := 1+len(track), 0
	if per {
		steps += len(raters)
	}
	step := func() { done++; o.Progress(min(done, steps), steps) }
	if per {
		g, err := newGroup(ctx, s, nil, show, step)
		if err != nil {
			return page{}, err
		}
		p.Groups = []*group{g}
	}
	if len(track) == 0 {
		return p, nil
	}
	if p.finding, err = p.utility(ctx, s, prefer.Look{Rater: o.Rater}, o.Budget, show); err != nil {
		return page{}, err
	}
	step()
	for i := range track {
		if err := track[i].Replay(ctx, events, o.Rater); err != nil {
			return page{}, err
		}
		step()
	}
	if len(track) > 1 {
		p.Confidence, p.Changes = confidenceChart(track, c.Confidence), changes(track, show)
	}
	return p, nil
}

// contexts fills in what is known under each setting of the contexts: of the raters of a study per rater, and of the one utility that the report is about,
// if there is one with answers. How sure a study was after each answer is not told: each was about one of them.
func (p *page) contexts(ctx context.Context, s *prefer.Study, o Options, per, known bool, show presenter) error {
	settings := s.Contexts()
	for i, fixed := range settings {
		if known {
			f, err := p.utility(ctx, s, prefer.Look{Rater: o.Rater, Fixed: fixed}, o.Budget, show)
			if err != nil {
				return err
			}
			p.Contexts = append(p.Contexts, f)
		}
		if per {
			g, err := newGroup(ctx, s, fixed, show, func() {})
			if err != nil {
				return err
			}
			p.Groups = append(p.Groups, g)
		}
		o.Progress(i+1, len(settings))
	}
	return nil
}

// utility returns what one utility says, and adds to the methods how it stands. Without a duel it says nothing.
func (p *page) utility(ctx context.Context, s *prefer.Study, l prefer.Look, budget int, show presenter) (f finding, err error) {
	b, err := s.Belief(ctx, l)
	if err != nil || b.Answers == 0 {
		return f, err
	}
	v, err := s.Verdict(ctx, l)
	if err != nil {
		return f, err
	}
	v = ended(s, l, v, cmp.Or(budget, s.Config().Budget))
	f.Under, f.Pick = l.Fixed.String(), newPick(v, l.Rater, s.Config().Confidence, show)
	p.Methods = append(p.Methods, endingText(v, f.Under))
	for _, w := range b.Warnings {
		f.Warnings = append(f.Warnings, w.Error())
	}
	if !v.Kind.Picks() {
		return f, nil
	}
	if p.Items > 0 {
		f.Gallery = gallery(b.Ranking(rankedItems), show)
	}
	var shown []space.Option
	for _, e := range s.History() {
		if !e.Undone && (l.Rater == "" || e.Rater == l.Rater) && maps.Equal(s.Config().Space.Context(e.First), l.Fixed) {
			shown = append(shown, e.First, e.Second)
		}
	}
	f.Bars, f.Lines, err = learned(b, show, shown)
	return f, err
}

// lead says how many answered when.
func lead(s *prefer.Study, raters []prefer.Rater) string {
	var first, last time.Time
	n, people := 0, 0
	for _, r := range raters {
		if r.Counted > 0 && !r.Out {
			people++
		}
	}
	for _, e := range s.History() {
		if e.Number == 0 || e.Out {
			continue
		}
		if n == 0 || e.Time.Before(first) { // a clock may have been set back
			first = e.Time
		}
		if e.Time.After(last) {
			last = e.Time
		}
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
	return fmt.Sprintf("%s by %s, %s.", say.Count(n, "answer"), say.Count(people, "rater"), when)
}
