package compare

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/outfile"
)

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

// text makes cells without detail.
func text(words ...string) []Cell {
	cells := make([]Cell, len(words))
	for i, w := range words {
		cells[i].Text = w
	}
	return cells
}

// Markdown returns the document as GitHub's Markdown. Figures are links to their files.
func (d Document) Markdown() []byte {
	var b bytes.Buffer
	line := func(parts ...string) {
		for _, p := range parts {
			b.WriteString(p)
		}
		b.WriteByte('\n')
	}
	line(outfile.Comment)
	line("# ", escape(d.Title))
	if d.Lead != "" {
		line("\n", escape(d.Lead))
	}
	for _, s := range d.Sections {
		line("\n## ", escape(s.Title))
		for _, t := range s.Text {
			line("\n", escape(t))
		}
		for i, n := range s.Notes {
			if i == 0 {
				line()
			}
			line("- ", escape(n))
		}
		for _, f := range s.Figures {
			line("\n![", escape(f.Caption), "](", strings.ReplaceAll(f.File, " ", "%20"), ")")
		}
		for _, g := range s.Grids {
			line()
			if g.Caption != "" {
				line("**", escape(g.Caption), "**\n")
			}
			g.markdown(line)
		}
	}
	return b.Bytes()
}

// markdown writes head, rule and rows; numbers to the right.
func (g Grid) markdown(line func(...string)) {
	head, rule := make([]string, len(g.Head)), make([]string, len(g.Head))
	for i, h := range g.Head {
		head[i], rule[i] = escape(h), "--:"
		if i < g.Labels {
			rule[i] = ":--"
		}
	}
	line("| ", strings.Join(head, " | "), " |")
	line("|", strings.Join(rule, "|"), "|")
	for _, row := range g.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = escape(c.Text)
			if c.Strong {
				cells[i] = "**" + cells[i] + "**"
			}
			if c.Detail != "" {
				cells[i] += " " + escape(c.Detail)
			}
		}
		line("| ", strings.Join(cells, " | "), " |")
	}
}

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
	"label":  func(g Grid, column int) bool { return column < g.Labels },
	"inline": inline,
}).Parse(pageText))

// HTML returns the document as one page that needs no other file, for light and dark screens and for paper.
func (d Document) HTML() ([]byte, error) {
	var b bytes.Buffer
	if err := page.Execute(&b, d); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return b.Bytes(), nil
}

// inline returns the <svg> element of a figure. What stands before it, the XML declaration, has no place
// inside a page. Figures are drawn by this module, so they are trusted as markup.
func inline(f Figure) (template.HTML, error) {
	i := bytes.Index(f.SVG, []byte("<svg"))
	if i < 0 {
		return "", fmt.Errorf("figure %q is not SVG", f.Caption)
	}
	return template.HTML(f.SVG[i:]), nil
}
