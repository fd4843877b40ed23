package report

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// Options say what a report is about. The zero value works.
type Options struct {
	// Title heads the page. Defaults to "Preference study".
	Title string

	// Rater is whose taste is reported in a study per rater; without one the report is about the group. A shared study takes none.
	Rater string

	// Version names the program in the methods text, as in "prefer v1.2.0, commit 1f2e3d". Defaults to "prefer".
	Version string

	// Budget is the number of answers that each rater was to give where the study does not know it (live.Study.Budget). Defaults to Config.Budget.
	Budget int

	// Procedure says in the methods text how questions were put to people, which the study does not know (live.Study.MethodsText).
	Procedure string

	// Media reads the file behind an item, by Item.Media, for its picture. Nil or an error leaves the item's name; the page lists missing files.
	Media func(name string) ([]byte, error)

	// Draw returns an option as SVG, so that a picture of it can be put into the page. Nil, or an empty text, leaves it to Media, colours and values.
	Draw func(space.Option) string

	// Checks says of raters, by name, how they did in the checks among their questions. Without words the report has no such column.
	Checks map[string]string

	// Progress, if not nil, is told how many of how many steps are done.
	Progress func(done, steps int)
}

func (o Options) withDefaults() Options {
	o.Title, o.Version = cmp.Or(o.Title, "Preference study"), cmp.Or(o.Version, "prefer")
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

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"say": language.English().T, "sentence": language.English().Sentence}).Parse(pageText))

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

	Changes []change
	Path    []answerLine
	Named   bool // raters have names
	Raters  []view.Rater
	Checked bool // raters had checks
	Biases  []string

	Methods []string
	Cite    []string
}

// finding is what is known of one utility, under one setting of the contexts.
type finding struct {
	Under string // the setting, in words
	Pick  *pick
	view.Learned
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

// check reports what is wrong with the choice of a rater.
func (o Options) check(c prefer.Config, raters []prefer.Rater) error {
	switch {
	case o.Rater == "":
		return nil
	case c.People != prefer.PerRater:
		return &prefer.Error{Code: "shared", Field: "rater", Value: o.Rater, Err: prefer.ErrInvalid,
			Detail: fmt.Sprintf("Options.Rater = %q, but the raters of this study share one taste, want none", o.Rater)}
	case !slices.ContainsFunc(raters, func(r prefer.Rater) bool { return r.Name == o.Rater }):
		return fmt.Errorf("report: Options.Rater = %q, who has no part in this study", o.Rater)
	}
	return nil
}

// newPage looks at everything.
func newPage(ctx context.Context, s *prefer.Study, o Options, show presenter) (page, error) {
	c := s.Config()
	raters, err := s.Raters(ctx)
	if err == nil {
		err = o.check(c, raters)
	}
	if err != nil {
		return page{}, err
	}
	p := page{Title: o.Title, Prompt: c.Prompt, Lead: lead(s, raters), Biases: biases(raters),
		Cite: []string{citePaper, citePrefer}, Items: len(s.Items(false)),
		Named:   slices.ContainsFunc(raters, func(r prefer.Rater) bool { return r.Name != "" }),
		Checked: slices.ContainsFunc(raters, func(r prefer.Rater) bool { return o.Checks[r.Name] != "" })}
	for _, r := range raters {
		if r.Answers > 0 { // an owner who only looked at a question has none
			p.Raters = append(p.Raters, view.NewRater(r, named(r.Name), cmp.Or(o.Checks[r.Name], "–")))
		}
	}
	if p.Methods, err = methodsText(s, raters, o); err != nil {
		return page{}, err
	}
	per := c.People == prefer.PerRater
	var only *string // the rater that the report is about; nil: all of them
	if o.Rater != "" {
		only = &o.Rater
	}
	var odd map[prefer.AnswerID]float64
	var track []timeline.Moment
	if !per || only != nil {
		b, err := s.Belief(ctx, prefer.Look{Rater: o.Rater})
		if err == nil {
			odd = b.Contradictions()
		} else if errcode.Of(err) != "context" {
			return page{}, err
		}
		track = readings(s.Events(0), only)
	}
	p.Path = path(s, show, only, odd)
	return p, p.find(ctx, s, o, raters, track, show)
}

// find fills in what is known under each setting of the contexts: of the people, if each has a utility of their own, and of the utility that the report is
// about. A study without contexts has one setting, which is nil, and a past.
func (p *page) find(ctx context.Context, s *prefer.Study, o Options, raters []prefer.Rater, track []timeline.Moment, show presenter) error {
	settings, known, per := s.Contexts(), len(track) > 0, s.Config().People == prefer.PerRater
	if len(s.Config().Space.Contexts()) == 0 {
		settings = []space.Option{nil}
	} else {
		track = nil
	}
	steps, done := len(settings)+len(track), 0
	if per {
		steps += len(settings) * len(raters)
	}
	step := func() { done++; o.Progress(min(done, steps), steps) }
	for _, fixed := range settings {
		if per {
			g, err := newGroup(ctx, s, fixed, show, step)
			if err != nil {
				return err
			}
			p.Groups = append(p.Groups, g)
		}
		if known {
			f, err := p.utility(ctx, s, prefer.Look{Rater: o.Rater, Fixed: fixed}, o.Budget, show)
			if err != nil {
				return err
			}
			if fixed == nil {
				p.finding = f
			} else {
				p.Contexts = append(p.Contexts, f)
			}
		}
		step()
	}
	events := s.Events(0)
	for i := range track {
		if err := track[i].Replay(ctx, events, o.Rater); err != nil {
			return err
		}
		step()
	}
	p.Changes = changes(show.Path(track), show)
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
	f.Under, f.Pick = l.Fixed.String(), newPick(v, l.Rater, show)
	p.Methods = append(p.Methods, endingText(v, f.Under))
	f.Warnings = xslices.Map(b.Warnings, error.Error)
	if !v.Kind.Picks() {
		return f, nil
	}
	if p.Items > 0 {
		f.Gallery = gallery(b, show)
	}
	drawn := view.New(s, language.English(), show.draw(b.Best())) // a drawing shows which colours a hue has
	f.Learned, err = drawn.Learned(b, b.Best(), show.Shown(l.Rater, l.Fixed), "")
	return f, err
}

// lead says how many answered when.
func lead(s *prefer.Study, raters []prefer.Rater) string {
	counted := xslices.Filter(s.History(), func(e prefer.Entry) bool { return e.Number > 0 && !e.Out })
	times := xslices.Map(counted, func(e prefer.Entry) time.Time { return e.Time.UTC() })
	if len(times) == 0 {
		return "No answers yet."
	}
	people := xslices.Count(raters, func(r prefer.Rater) bool { return r.Counted > 0 && !r.Out })
	slices.SortFunc(times, time.Time.Compare) // a clock may have been set back
	const day = "2 January 2006"
	when := slices.Compact([]string{times[0].Format(day), times[len(times)-1].Format(day)})
	return fmt.Sprintf("%s by %s, %s.", say.Count(len(times), "answer"), say.Count(people, "rater"), strings.Join(when, " to "))
}
