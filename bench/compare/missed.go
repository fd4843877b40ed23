package compare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/prefer-bo/prefer/problem"
)

// Missed is the mean share of the possible improvement that a series misses at a position,
//
//	(f* − f(x̂)) / (f* − mean f),
//
// over seeds and then over settings: 0 at the optimum, 1 for a point drawn blindly. Unlike a mean of log ratios it is not ruled by
// runs whose gaps nobody could notice. It has a problem of the catalogue in each setting; of others the mean is not known.
type Missed struct {
	Series   Series
	Position Position
	Groups   []Group    // settings
	Shares   []Interval // in each
	Mean     Interval   // over them
}

// Missed returns what a series misses at a position. For the mean the same seeds are resampled in all settings that have as many, as
// in Against.
func (t *Table) Missed(s Series, p Position) Missed {
	m := Missed{Series: s, Position: p}
	boot, sum := make([]float64, resamples), 0.0
	for _, g := range t.Groups() {
		span, known := t.span(g.Problem)
		seeds := t.common(g, p, s)
		if !known || len(seeds) == 0 {
			continue
		}
		shares, n := t.gaps(g, s, p, seeds), len(seeds)
		for i := range shares {
			shares[i] /= span
		}
		each, index := make([]float64, resamples), t.draws.of(n)
		for k := range each {
			for _, i := range index[k*n : (k+1)*n] {
				each[k] += shares[i] / float64(n)
			}
			boot[k] += each[k]
		}
		sum += mean(shares)
		m.Groups, m.Shares = append(m.Groups, g), append(m.Shares, interval(mean(shares), each))
	}
	n := float64(len(m.Groups)) // 0/0 below is the NaN of no settings
	v := interval(sum, boot)
	m.Mean = Interval{v.Value / n, v.Lower / n, v.Upper / n}
	return m
}

// span returns f* − mean f of a problem of the catalogue.
func (t *Table) span(name string) (float64, bool) {
	if v, ok := t.spans[name]; ok {
		return v, v > 0
	}
	if t.spans == nil {
		t.spans = map[string]float64{}
	}
	if p, err := problem.ByName(name); err == nil {
		t.spans[name] = p.Optimum - p.Mean()
	} else {
		t.spans[name] = 0
	}
	return t.spans[name], t.spans[name] > 0
}

// MissedShares returns what every series of a report misses at its positions in answers, where there is something to tell.
func MissedShares(t *Table, o Options) []Missed {
	o = o.withDefaults(t)
	var out []Missed
	for _, s := range o.Series {
		for _, p := range positions(Answers, o.Answers) {
			if m := t.Missed(s, p); len(m.Groups) > 0 {
				out = append(out, m)
			}
		}
	}
	return out
}

// missedGrids makes one grid of the means over settings, and one with the settings.
func missedGrids(o Options, all []Missed) []Grid {
	means := Grid{Caption: "Mean over settings", Labels: 1, Head: []string{"series", "settings"}}
	each := Grid{Caption: "By setting", Labels: 2, Head: []string{"setting", "series"}}
	var at []Position
	for _, p := range positions(Answers, o.Answers) {
		if slices.ContainsFunc(all, func(m Missed) bool { return m.Position == p }) {
			at, means.Head, each.Head = append(at, p), append(means.Head, p.String()), append(each.Head, p.String())
		}
	}
	by := map[Series][]Missed{}
	var groups []Group
	for _, m := range all {
		by[m.Series] = append(by[m.Series], m)
		groups = append(groups, m.Groups...)
	}
	slices.SortFunc(groups, compareGroups)
	cells := func(row []Cell, some []Missed, cell func(Missed) Cell) []Cell {
		for _, p := range at {
			c := Cell{Text: dash}
			if i := slices.IndexFunc(some, func(m Missed) bool { return m.Position == p }); i >= 0 {
				c = cell(some[i])
			}
			row = append(row, c)
		}
		return row
	}
	for _, s := range o.Series {
		if some := by[s]; len(some) > 0 {
			settings := 0
			for _, m := range some {
				settings = max(settings, len(m.Groups))
			}
			means.Rows = append(means.Rows, cells(text(s.String(), strconv.Itoa(settings)), some, func(m Missed) Cell {
				c := Cell{Text: number(m.Mean.Value, 2), Detail: m.Mean.bounds()}
				if len(m.Groups) < settings {
					c.Detail += fmt.Sprintf(" n=%d", len(m.Groups))
				}
				return c
			}))
		}
	}
	for _, g := range slices.Compact(groups) {
		for _, s := range o.Series {
			some := slices.DeleteFunc(slices.Clone(by[s]), func(m Missed) bool { return !slices.Contains(m.Groups, g) })
			if len(some) > 0 {
				each.Rows = append(each.Rows, cells(text(g.String(), s.String()), some, func(m Missed) Cell {
					v := m.Shares[slices.Index(m.Groups, g)]
					return Cell{Text: number(v.Value, 2), Detail: v.bounds()}
				}))
			}
		}
	}
	return []Grid{means, each}
}
