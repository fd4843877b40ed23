package report

import (
	"bytes"
	"strings"
)

// Markdown returns the document as GitHub's Markdown. Figures are links to their files.
func (d Document) Markdown() []byte {
	var b bytes.Buffer
	line := func(parts ...string) {
		for _, p := range parts {
			b.WriteString(p)
		}
		b.WriteByte('\n')
	}
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
