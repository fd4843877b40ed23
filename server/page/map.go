package page

import (
	"cmp"
	"context"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// Map is the part of a result page about two parameters. It is fetched again when others are chosen.
type Map struct {
	Frame
	Axes        []string
	X, Y        string
	Keep        []NameValue // what else the address says
	Taken, Sure template.HTML
}

// mapSteps is the number of points of a map, each way.
const mapSteps = 25

// mapOf sends the map alone, over the parameters of the query.
func (p *Pages) mapOf(w http.ResponseWriter, r *http.Request, v visitor) error {
	if !v.owner && !v.Settings.ShowResult {
		return errHidden
	}
	ctx, q := r.Context(), r.URL.Query()
	fixed, err := v.under(r)
	if err != nil {
		return problem.Explain(ctx, p.Logger, err, "query.fixed")
	}
	if q.Has("rater") && v.owner && v.Config.People == prefer.PerRater {
		if err := v.lookAt(ctx, q.Get("rater")); err != nil {
			return err
		}
	}
	belief, err := v.belief(ctx, fixed)
	if err != nil {
		return err
	}
	m, err := p.drawMap(ctx, v, belief, q, fixed)
	if err != nil {
		return err
	}
	if m == nil {
		return problem.New(http.StatusNotFound, "no_map", "There is no map: it takes two parameters.")
	}
	return p.write(w, http.StatusOK, v.origins(), *m)
}

// drawMap draws the utility over two parameters, by default the two that matter most; nil where there are no two.
func (p *Pages) drawMap(ctx context.Context, v visitor, belief *prefer.Belief, q url.Values, fixed space.Option) (*Map, error) {
	axes := slices.Clone(belief.Axes)
	if v.Config.Space.Crossed() { // through the pick's item
		axes = slices.DeleteFunc(axes, func(name string) bool { return name == "item" })
	} else if v.items() != nil {
		return nil, nil
	}
	if len(axes) < 2 {
		return nil, nil
	}
	out := &Map{Frame: p.frame(v, "", "result"), Axes: axes, X: q.Get("x"), Y: q.Get("y")}
	for _, name := range []string{"rater", "fixed"} {
		if q.Has(name) {
			out.Keep = append(out.Keep, NameValue{name, q.Get(name)})
		}
	}
	best := belief.Best()
	top := slices.DeleteFunc(belief.Importance(), func(i prefer.Importance) bool { return !slices.Contains(axes, i.Parameter) })
	slices.SortStableFunc(top, func(a, b prefer.Importance) int { // a map of numbers says more than one of words
		return cmp.Compare(rank(best[a.Parameter]), rank(best[b.Parameter]))
	})
	if !slices.Contains(out.Axes, out.X) {
		out.X = top[0].Parameter
	}
	if !slices.Contains(out.Axes, out.Y) || out.Y == out.X {
		out.Y = top[slices.IndexFunc(top, func(i prefer.Importance) bool { return i.Parameter != out.X })].Parameter
	}
	m, err := live.NewUtilityMap(ctx, belief, out.X, out.Y, mapSteps)
	if err != nil {
		return nil, err
	}
	u := chart.Utility{X: v.parameter(out.X), Y: v.parameter(out.Y), Across: m.X, Up: m.Y, Below: m.Below, BelowSD: m.BelowSD, UnitX: v.unit(out.X), UnitY: v.unit(out.Y),
		Best: [2]space.Value{m.Best[out.X], m.Best[out.Y]}}
	for _, o := range v.asked(fixed) {
		u.Asked = append(u.Asked, [2]space.Value{o[out.X], o[out.Y]})
	}
	u.Label = v.lang.T("map.label", "x", out.X, "y", out.Y, "at_x", chart.Number(u.Best[0]), "at_y", chart.Number(u.Best[1]))
	out.Taken = u.HTML()
	u.Sure, u.Label = true, v.lang.T("map.open.label", "x", out.X, "y", out.Y)
	out.Sure = u.HTML()
	return out, nil
}

func rank(v space.Value) int {
	if !math.IsNaN(v.Float()) {
		return 0
	}
	return 1
}
