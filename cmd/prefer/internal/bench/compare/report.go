package compare

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	texttemplate "text/template"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/outfile"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// New makes the report about a table: gaps, the measure against the baseline, comparisons, timing.
func New(t *Table, o Options) (Document, error) {
	groups := t.Groups()
	if len(groups) == 0 {
		return Document{}, errors.New("report: no rows to report on")
	}
	o = o.withDefaults(t)
	if err := o.validate(t); err != nil {
		return Document{}, err
	}
	d := Document{Title: o.Title, Lead: cmp.Or(o.Lead, fmt.Sprintf("%d settings (problem × noise), %d series (method, setup).", len(groups), len(o.Series)))}
	d.add(gapSection(t, o))
	what := "Median gap [lower, upper quartile] over seeds, and the share of stuck runs where there are any. " +
		"Bold is the smallest median, which is not yet a difference: see the comparisons. " +
		fmt.Sprintf("A run is stuck on branin2 if its gap is above %.1f, elsewhere if its gap is over %d times the smallest median of any series and over %s of what it was half its questions ago.",
			braninStuck, farFactor, percent(flatShare))
	if len(o.Answers) > 0 {
		d.add(Section{
			Title: "Gap by answers in all, initial pairs included", Text: []string{what},
			Grids: gapGrids(t, o, positions(Answers, o.Answers)),
		})
		what = "The same, counted from the end of the initial pairs. Where their numbers differ, so do the answers heard by then."
	}
	d.add(Section{Title: "Gap by questions after the initial pairs", Text: []string{what}, Grids: gapGrids(t, o, positions(Iter, o.Iters))})
	d.add(Section{
		Title: "Share missed",
		Text:  []string{"(f* − f(x̂)) / (f* − mean f), the mean over seeds, and over settings, [95 % bootstrap interval]: 0 at the optimum, 1 for a point drawn blindly."},
		Grids: missedGrids(t, o),
	})
	d.add(Section{
		Title: "Against the best of " + list(o.Baseline),
		Text: []string{"Median gap of " + o.Ours.String() + " over the smallest median of the baseline, over the seeds all of them have. " +
			"Below 1 is better. The best of the baseline is chosen again in every resample."},
		Grids: measureGrids(t, o),
	})
	d.add(Section{
		Title: "Comparisons with " + o.Ours.String(),
		Text: []string{"Seed by seed: geometric mean of the gap of " + o.Ours.String() + " over the other's [95 % bootstrap interval], " +
			"seeds won–lost. “better” and “worse” where the interval excludes 1; “~” where these seeds show no difference, or are fewer than 5."},
		Grids: comparisonGrids(o, Comparisons(t, o)),
	})
	d.add(Section{
		Title: "Seconds per question",
		Text: []string{"Median (mean) over all questions after the initial pairs and all seeds: learning from the answers, choosing the " +
			"question, finding x̂, and the three together on the clock; then the processor. Factors compare medians with " + o.Ours.String() + "."},
		Grids: []Grid{timingGrid(t, o, "All questions", allQuestions), timingGrid(t, o, fmt.Sprintf("Questions %d to %d", o.Late.From, o.Late.To), o.Late)},
	})
	return d, nil
}

// add appends a section unless it has nothing to show.
func (d *Document) add(s Section) {
	s.Grids = slices.DeleteFunc(s.Grids, func(g Grid) bool { return len(g.Rows) == 0 })
	if len(s.Grids) > 0 || len(s.Figures) > 0 {
		d.Sections = append(d.Sections, s)
	}
}

// Options are the choices of a report. The zero value works.
type Options struct {
	Title  string   // defaults to "Benchmark report"
	Force  bool     // replace files of the folder that prefer did not make
	Lead   string   // defaults to what is in the table
	Series []Series // the ones shown, in this order. Defaults to all, by setup and method

	// Answers are the columns counted in all answers, defaults to 15, 20, 30, 40; Iters those counted
	// after the initial pairs, defaults to 10, 30, 50, 100. Columns without a single run are dropped.
	Answers, Iters []int

	Ours Series // what the others are compared with. Defaults to the kg of setup "default", or to the first series if there is none

	// Baseline is whose best Ours is measured against. Defaults to kg, eubo and logei of setup "botorch";
	// where no series of it is in the table, the measure is left out.
	Baseline []Series

	Late Range // questions with a timing table of their own; defaults to 50 to 100
}

// withDefaults fills in what is left out. Only the table knows its series.
func (o Options) withDefaults(t *Table) Options {
	all := t.Series(t.Groups()...)
	o.Title, o.Late = cmp.Or(o.Title, "Benchmark report"), cmp.Or(o.Late, Range{50, 100})
	o.Series = xslices.Or(o.Series, all...)
	if o.Answers == nil {
		o.Answers = []int{15, 20, 30, 40}
	}
	if o.Iters == nil {
		o.Iters = []int{10, 30, 50, 100}
	}
	if o.Ours == (Series{}) && len(o.Series) > 0 {
		o.Ours = o.Series[0]
		if kg := (Series{"default", "kg"}); slices.Contains(o.Series, kg) {
			o.Ours = kg
		}
	}
	if o.Baseline == nil {
		o.Baseline = xslices.Filter(all, func(s Series) bool {
			return s.Setup == "botorch" && slices.Contains([]string{"kg", "eubo", "logei"}, strings.ToLower(s.Method))
		})
	}
	return o
}

// validate reports a series that is not in the table: a report would pass over a misspelt one in silence.
func (o Options) validate(t *Table) error {
	all := t.Series(t.Groups()...)
	for _, s := range slices.Concat(o.Series, []Series{o.Ours}, o.Baseline) {
		if !slices.Contains(all, s) {
			return fmt.Errorf("report: no rows of series {%v}, there are %v", s, all)
		}
	}
	return nil
}

func (o Options) others() []Series {
	return slices.DeleteFunc(slices.Clone(o.Series), func(s Series) bool { return s == o.Ours })
}

// positions are the columns of the report, by answers and then by iter.
func (o Options) positions() []Position {
	return append(positions(Answers, o.Answers), positions(Iter, o.Iters)...)
}

// Document is a report to be rendered, by [Document.Markdown] or [Document.HTML].
type Document struct {
	Title    string
	Lead     string // what this is, in a sentence or two
	Sections []Section
}

// Section is rendered in the order of its fields. All of it is plain text.
type Section struct {
	Title   string
	Text    []string // paragraphs
	Notes   []string // a list
	Figures []Figure
	Grids   []Grid
}

// Figure is a picture. The page contains it; Markdown refers to the file.
type Figure struct {
	Caption string
	File    string // name beside the Markdown file
	SVG     []byte
}

// Grid is a table as it is printed.
type Grid struct {
	Caption string
	Head    []string
	Labels  int // columns on the left that hold words, not numbers
	Rows    [][]Cell
}

// Cell is an entry of a grid.
type Cell struct {
	Text   string
	Detail string // smaller, after the text
	Strong bool
}

func text(words ...string) []Cell {
	return xslices.Map(words, func(w string) Cell { return Cell{Text: w} })
}

//go:embed report.md.tmpl
var markdownText string

var markdown = texttemplate.Must(texttemplate.New("markdown").Funcs(texttemplate.FuncMap{
	"generator": func() string { return outfile.Comment },
	"escape":    escape,
	"address":   func(file string) string { return strings.ReplaceAll(file, " ", "%20") },
	"label":     Grid.isLabel,
}).Parse(markdownText))

// Markdown returns the document as GitHub's Markdown. Figures are links to their files.
func (d Document) Markdown() []byte { return d.render(markdown) }

func (d Document) render(by interface{ Execute(io.Writer, any) error }) []byte {
	var b bytes.Buffer
	if err := by.Execute(&b, d); err != nil {
		panic("report: " + err.Error()) // a buffer takes everything, and the templates are part of the program
	}
	return b.Bytes()
}

// isLabel reports whether a column holds words.
func (g Grid) isLabel(column int) bool { return column < g.Labels }

// escape keeps names from being read as markup: they come from files of others. The verdict "~" is text, a
// pair of them would strike out; "[…]" is a link only before a parenthesis.
var escape = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "&", "&amp;", "~~", `\~\~`, "](", `]\(`, "\n", " ", "\r", " ",
).Replace

//go:embed page.html
var pageText string

// page is the whole document: style sheet and figures inside, no script, nothing to fetch.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"anchor": func(i int) string { return "s" + strconv.Itoa(i+1) },
	"label":  Grid.isLabel,
	"inline": inline,
}).Parse(pageText))

// HTML returns the document as one page that needs no other file, for light and dark screens and for paper.
func (d Document) HTML() []byte { return d.render(page) }

// inline returns the <svg> element of a figure. What stands before it, the XML declaration, has no place
// inside a page. Figures are drawn by this module, so they are trusted as markup.
func inline(f Figure) template.HTML { return template.HTML(f.SVG[bytes.Index(f.SVG, []byte("<svg")):]) }

// Write makes the report about a table and writes it to a directory, which it creates: report.md, report.html, summary.csv and the figures:
// gaps.svg and, with several noise levels, one for each (gaps-noise-0.1.svg).
func Write(dir string, t *Table, o Options) error {
	d, err := New(t, o)
	if err != nil {
		return err
	}
	return d.Write(dir, o.Force, Figure{File: "summary.csv", SVG: SummaryCSV(t, o)})
}

// Write writes report.md, report.html, the figures and more files to a directory, which it creates. Unless forced it replaces no file that is not such a one.
func (d Document) Write(dir string, force bool, more ...Figure) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	files := append([]Figure{{File: "report.md", SVG: d.Markdown()}, {File: "report.html", SVG: d.HTML()}}, more...)
	for _, s := range d.Sections {
		files = append(files, s.Figures...)
	}
	for _, f := range files {
		err := outfile.Write(filepath.Join(dir, f.File), force, func(w io.Writer) error { _, err := w.Write(f.SVG); return err })
		if err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}

// SummaryCSV returns the summary of every series at every position, one line each, to full precision. A number that is not known is empty.
func SummaryCSV(t *Table, o Options) []byte {
	o = o.withDefaults(t)
	lines := [][]string{{"problem", "noise", "setup", "method", "iter", "answers", "n", "q1", "median", "q3", "mean", "stuck"}}
	for _, g := range t.Groups() {
		at := map[Position][]Summary{}
		for _, s := range o.Series {
			pairs, known := t.Initial(g, s)
			for _, p := range t.Positions(g, s) {
				if at[p] == nil {
					at[p] = t.Summaries(g, p)
				}
				iter, answers := strconv.Itoa(p.At), ""
				if p.Axis == Answers {
					iter, answers = "", iter
					if known {
						iter = strconv.Itoa(p.At - pairs)
					}
				}
				v := at[p][slices.IndexFunc(at[p], func(v Summary) bool { return v.Series == s })]
				lines = append(lines, []string{g.Problem, plain(g.Noise), s.Setup, s.Method, iter, answers,
					strconv.Itoa(v.N), plain(v.Q1), plain(v.Median), plain(v.Q3), plain(v.Mean), plain(v.Stuck)})
			}
		}
	}
	for _, line := range lines {
		for i, text := range line {
			line[i] = exchange.Cell(text)
		}
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		panic("report: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}

// plain writes the shortest digits that read back as v, nothing for NaN.
func plain(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
