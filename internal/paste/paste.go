package paste

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// MaxText is the longest text that is looked at, in bytes: that of the largest template.
const MaxText = 1 << 20

// Proposal is a template, and what could vary in it.
type Proposal struct {
	Is     string   `json:"is"`   // what the text was taken for: "address", "CSS", "HTML" or "SVG"
	Kind   string   `json:"kind"` // of template: "page" or "image" elsewhere, "html" or "svg"
	Text   string   `json:"text"` // the template, {{name}} where a value goes
	Name   string   `json:"name"` // what a study of it could be called
	Places []Place  `json:"places"`
	Notes  []string `json:"notes,omitempty"` // what to know about it
}

// errNothing is what a text that cannot be read gets.
var errNothing = errors.New("this is no address, style sheet, page or drawing: paste one that begins with http://, CSS like “--radius: 12px”, or HTML or SVG that begins with <")

// place finds what stands where a value goes, as live.Template does.
var place = regexp.MustCompile(`\{\{\s*([^{}]+?)\s*\}\}`)

// Read makes a proposal of a text. markup is the page that a style sheet belongs to; without one a specimen shows it.
func Read(text, markup string) (Proposal, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	switch n := max(len(text), len(markup)); {
	case n > MaxText:
		return Proposal{}, fmt.Errorf("this has %d bytes, want at most %d", n, MaxText)
	case text == "":
		return Proposal{}, errors.New("there is nothing here yet: paste an address, CSS or HTML")
	case !utf8.ValidString(text) || !utf8.ValidString(markup) || strings.ContainsRune(text+markup, 0):
		return Proposal{}, errors.New("this is no text: want UTF-8")
	}
	f := &finder{same: map[string]string{}, taken: map[string]bool{}}
	var p Proposal
	var err error
	switch {
	case isAddress(text):
		p, err = f.address(text)
	case strings.HasPrefix(text, "<"):
		p = f.markup(text)
	case isSheet(text):
		p = f.sheet(text, strings.TrimSpace(markup))
	default:
		err = errNothing
	}
	if err != nil {
		return Proposal{}, err
	}
	f.calm()
	if p.Places = f.places; p.Places == nil {
		p.Places = []Place{}
		p.Notes = append(p.Notes, "Nothing that could vary was found. Write {{name}} wherever a value goes, then name it below.")
	}
	if f.left > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("Other values, %d of them, stay as they are: nobody has the patience to vary them all. Paste less, or write {{name}} where you want one.", f.left))
	}
	return p, nil
}

// title makes a name of words: one line, not too long.
func title(words string) string {
	words = strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if strings.ContainsRune("/\\?#%&\"'<>{}", c) || c < ' ' {
			return ' '
		}
		return c
	}, words)), " ")
	if r := []rune(words); len(r) > 40 {
		words = strings.TrimSpace(string(r[:40]))
	}
	return words
}
