package report

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
