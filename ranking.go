package prefer

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// Ranked is an option with its utility and its place.
type Ranked struct {
	Option space.Option `json:"option"`
	Mean   float64      `json:"mean"`
	SD     float64      `json:"sd"`

	// Low and High are the best and the worst place that it has with nine chances in ten, from 1 on; Above is the probability that it is better than the next
	// one of the ranking, 0 for the last. Below rankSure their order says nothing.
	Low   int     `json:"low,omitempty"`
	High  int     `json:"high,omitempty"`
	Above float64 `json:"above,omitempty"`

	// Shown is how many questions and observed duels it was in; an item that is crossed with parameters at any setting, so that one at two settings was
	// shown twice.
	Shown int `json:"shown"`
}

// Tied reports whether nobody can tell the option from the next one of the ranking.
func (r Ranked) Tied() bool { return r.Above < rankSure }

const (
	rankSure   = 0.8 // chance from which on an order is one
	tunedItems = 48  // items that are crossed with parameters whose best setting is searched for; of further ones it is the best of some

	maxShortlist = 10
)

// Ranking returns the best n items of a list, highest expected utility first, those that are crossed with parameters each at the setting that suits it
// best; of parameters, which have no list, only the best option.
func (b *Belief) Ranking(n int) []Ranked {
	rows := b.entrants()
	if rows == nil {
		r := Ranked{Option: b.Best(), Shown: b.timesShown(b.favour())}
		r.Mean, r.SD = b.utility.At(b.favour())
		return []Ranked{r}[:min(max(n, 0), 1)]
	}
	dim := b.code.Dim
	order, _ := learn.ByMean(b.utility, rows, 0)
	places, above := learn.Places(b.utility, b.code, rows, order[:min(len(order), learn.PlacesMost)])
	var out []Ranked
	for k, i := range order[:min(max(n, 0), len(order))] {
		row := rows[i*dim : (i+1)*dim]
		r := Ranked{Option: b.code.Option(row), Shown: b.timesShown(row), Low: min(k, learn.PlacesMost) + 1, High: len(order)}
		r.Mean, r.SD = b.utility.At(row)
		if k < len(places) {
			r.Low, r.High, r.Above = places[k][0], places[k][1], above[k]
		}
		out = append(out, r)
	}
	return out
}

// entrants returns what is ranked, row by row: the options of a list, or the items of one that is crossed with parameters; nil in a box, and where the
// item is held.
func (b *Belief) entrants() []float64 {
	switch t := b.code.Table(); {
	case b.code.List != nil:
		return b.code.List.Rows
	case t == nil || b.code.Axes[0].Held != nil:
		return nil
	}
	rows := b.code.ItemsAtBest(b.utility, b.favour(), b.shown, nil)
	for k, x := range slices.Collect(slices.Chunk(rows, b.code.Dim)) {
		if k < tunedItems && !slices.Equal(x, b.favour()) {
			dom := b.code.Domain(context.Background())
			dom.Parts[0].Levels = slices.Clone(x[:b.code.Table().Dim])
			copy(x, acquisition.Recommend(context.Background(), dom, b.utility, x, x, 0, 1)[0].X)
		}
	}
	return rows
}

// timesShown counts how often an option was in a question, at any setting an item that is crossed with parameters.
func (b *Belief) timesShown(x []float64) (n int) {
	width := b.code.Dim
	if b.code.List == nil && b.code.Table() != nil {
		width = b.code.Table().Dim
	}
	for i := 0; i < len(b.shown); i += b.code.Dim {
		if coding.Gap(b.shown[i:i+width], x[:width]) <= coding.SameOption {
			n++
		}
	}
	return n
}
