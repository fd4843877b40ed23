package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strconv"
)

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
