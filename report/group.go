package report

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
)

// group is what raters with a taste of their own have in common.
type group struct {
	Best     *optionView // nil while nobody has preferred anything
	Sentence string
	Map      template.HTML
	Members  []member
	Camps    []camp
}

type member struct {
	Number                              int
	Name, Favourite, Sure, Loss, Counts string
}

// camp is one of two groups with different tastes.
type camp struct {
	Names string
	Best  optionView
}

func newGroup(ctx context.Context, s *prefer.Study, w presenter, step func()) (*group, error) {
	g, err := s.Group(ctx)
	if err != nil {
		return nil, err
	}
	out := &group{Sentence: sentence(g.Sentence)}
	if len(g.Raters) == 0 {
		return out, nil
	}
	best := w.show(g.Best)
	out.Best = &best
	for i, name := range g.Raters {
		b, err := s.Best(ctx, name)
		if err != nil {
			return nil, err
		}
		out.Members = append(out.Members, member{i + 1, named(name), w.words(g.Favourites[i]), percent(b.Confidence), decimal(g.Loss[i]), g.Counts(i)})
		step()
	}
	if len(g.Raters) > 1 {
		out.Map = heatMap(g)
	}
	for _, c := range g.Camps {
		names := make([]string, len(c.Raters))
		for i, name := range c.Raters {
			names[i] = named(name)
		}
		out.Camps = append(out.Camps, camp{strings.Join(names, ", "), w.show(c.Best)})
	}
	return out, nil
}

// heatMap draws how far each two raters agree: the correlation of their utilities, shaded by how much of it is sure. Columns have the numbers of the
// rows, whose names have room.
func heatMap(g prefer.Group) template.HTML {
	const width, left, top, most, wide = 600.0, 190.0, 22.0, 60.0, 50.0
	n := float64(len(g.Raters))
	cell := math.Min(most, (width-left)/n)
	said := func(i, j int) string {
		return fmt.Sprintf("%s (%s to %s)", decimal(g.Agreement[i][j]), decimal(g.Low[i][j]), decimal(g.High[i][j]))
	}
	var words []string
	for i, a := range g.Raters {
		for j := range i {
			words = append(words, fmt.Sprintf("%s and %s %s", named(g.Raters[j]), named(a), said(i, j)))
		}
	}
	d := chart.New("", width, top+n*cell+4, "Agreement of raters, from −1 to 1, with 95 % intervals: "+strings.Join(words, "; "))
	for i, a := range g.Raters {
		y := top + float64(i)*cell
		d.Text("label", "end", left-8, y+cell/2+4, fmt.Sprintf("%s %d", chart.Clip(named(a), 22), i+1))
		if cell >= 14 {
			d.Text("tick", "middle", left+(float64(i)+0.5)*cell, top-8, fmt.Sprint(i+1))
		}
		for j, b := range g.Raters {
			if i == j {
				continue
			}
			class, sure := "with", math.Max(0, g.Low[i][j])
			if g.Agreement[i][j] < 0 {
				class, sure = "against", math.Max(0, -g.High[i][j])
			}
			x := left + float64(j)*cell
			d.Shade(class, x+1, y+1, cell-2, cell-2, 0.06+0.5*sure, fmt.Sprintf("%s and %s: %s", named(a), named(b), said(i, j)))
			if cell >= 30 {
				lift := 4.0
				if cell >= wide {
					lift = -2
					d.Text("tick", "middle", x+cell/2, y+cell/2+14, fmt.Sprintf("%.1f…%.1f", g.Low[i][j], g.High[i][j]))
				}
				d.Text("cell", "middle", x+cell/2, y+cell/2+lift, decimal(g.Agreement[i][j]))
			}
		}
	}
	return d.HTML()
}
