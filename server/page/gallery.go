package page

import (
	"html/template"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/space"
)

// Gallery is a list as it stands: the best, and the rest folded away.
type Gallery struct{ Best, Rest []RankLine }

// RankLine is one item of a gallery.
type RankLine struct {
	Shown
	Place int
	Words string // where it may stand
	Bar   template.HTML
	Tied  bool // nobody can tell it from the next one
}

// Sizes of a gallery.
const (
	galleryBest = 24
	galleryMost = 200
)

// named is an option in words: an item by its ID alone, with parameters beside it by these, too.
func (v visitor) named(o space.Option) string {
	if len(v.items()) == 0 {
		return o.String()
	}
	words := []string{o.Item()}
	for _, p := range v.Config.Space.Parameters {
		words = append(words, p.Name+" "+v.wordOf(p.Name, o[p.Name]))
	}
	return strings.Join(words, ", ")
}

// gallery shows how a list stands.
func (p *Pages) gallery(v visitor, belief *prefer.Belief) *Gallery {
	of := len(v.items())
	if of == 0 {
		return nil
	}
	var lines []RankLine
	for n, r := range belief.Ranking(galleryMost) {
		words := v.words().Ranked(r)
		lines = append(lines, RankLine{Shown: p.onPage(v, r.Option, v.named(r.Option)), Place: n + 1, Words: words, Bar: chart.Places(n+1, r.Low, r.High, of, words), Tied: r.Tied()})
	}
	if len(lines) > 0 {
		lines[len(lines)-1].Tied = false // there is no next one to look at
	}
	if len(lines) <= galleryBest+galleryBest/4 { // a fold of a few is not worth it
		return &Gallery{Best: lines}
	}
	return &Gallery{lines[:galleryBest], lines[galleryBest:]}
}
