package report

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/prefer-bo/prefer"
)

// group is what raters with a taste of their own have in common.
type group struct {
	Best     *exhibit // nil while nobody has preferred anything
	Sentence string
	Map      template.HTML
	Members  []member
}

type member struct {
	Name, Favourite, Sure, Loss string
}

func newGroup(ctx context.Context, s *prefer.Study, w shower, step func()) (*group, error) {
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
		out.Members = append(out.Members, member{named(name), w.words(g.Favourites[i]), percent(b.Confidence), decimal(g.Loss[i])})
		step()
	}
	if len(g.Raters) > 1 {
		out.Map = heatMap(g)
	}
	return out, nil
}

// heatMap draws how far each two raters agree: the correlation of their utilities.
func heatMap(g prefer.Group) template.HTML {
	const width, left, top, most = 480.0, 96.0, 26.0, 46.0
	n := float64(len(g.Raters))
	cell := math.Min(most, (width-left)/n)
	var words []string
	for i, a := range g.Raters {
		for j := range i {
			words = append(words, fmt.Sprintf("%s and %s %s", g.Raters[j], a, decimal(g.Agreement[i][j])))
		}
	}
	d := newDrawing(width, top+n*cell+4, "Agreement of raters, from −1 to 1: "+strings.Join(words, "; "))
	for i, a := range g.Raters {
		y := top + float64(i)*cell
		d.text("label", "end", left-8, y+cell/2+4, clip(named(a), 13))
		if cell >= 14 {
			d.text("tick", "middle", left+(float64(i)+0.5)*cell, top-8, clip(named(a), int(cell/7)))
		}
		for j, b := range g.Raters {
			r := math.Max(-1, math.Min(1, g.Agreement[i][j])) // 1 + 1e-16 is rounding
			class := "with"
			if r < 0 {
				class = "against"
			}
			x := left + float64(j)*cell
			d.shade(class, x+1, y+1, cell-2, cell-2, 0.06+0.5*math.Abs(r), fmt.Sprintf("%s and %s: %s", named(a), named(b), decimal(r)))
			if cell >= 30 && i != j {
				d.text("cell", "middle", x+cell/2, y+cell/2+4, decimal(r))
			}
		}
	}
	return d.done()
}
