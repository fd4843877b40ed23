package page

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// Sizes of what is drawn.
const (
	mapSteps     = 25   // the number of points of a map, each way
	pathReadings = 12   // moments of the past that are read again
	mostMoments  = 4096 // moments that are kept in memory
)

// Gallery is a list as it stands: the best, and the rest folded away.
type Gallery struct{ Best, Rest []RankLine }

// RankLine is one item of a gallery.
type RankLine struct {
	view.Ranked
	As live.Shown // as the answer page gets it
}

// ranked lists the best items of a list.
func (v visitor) ranked(belief *prefer.Belief, most int) []RankLine {
	return xslices.Map(v.Ranking(belief, most), func(r view.Ranked) RankLine { return RankLine{r, v.Study.Show(r.Option)} })
}

// Sizes of a gallery.
const (
	galleryBest = 24
	galleryMost = 200
)

// gallery shows how a list stands.
func (p *Pages) gallery(v visitor, belief *prefer.Belief) *Gallery {
	if len(v.Items()) == 0 {
		return nil
	}
	lines := v.ranked(belief, galleryMost)
	if len(lines) <= galleryBest+galleryBest/4 { // a fold of a few is not worth it
		return &Gallery{Best: lines}
	}
	return &Gallery{lines[:galleryBest], lines[galleryBest:]}
}

// Map is the part of a result page about two parameters. It is fetched again when others are chosen.
type Map struct {
	Frame
	Axes  []NameValue // what the reader is shown for each, and its name
	X, Y  string
	Keep  []NameValue // what else the address says
	Taken template.HTML
}

// mapOf sends the map alone, over the parameters of the query.
func (p *Pages) mapOf(w http.ResponseWriter, r *http.Request, v visitor, fixed space.Option) error {
	belief, err := v.belief(r.Context(), fixed)
	if err != nil {
		return err
	}
	m, err := p.drawMap(r.Context(), v, belief, r.URL.Query(), fixed)
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
	} else if v.Items() != nil {
		return nil, nil
	}
	if len(axes) < 2 {
		return nil, nil
	}
	out := &Map{Frame: p.frame(v, "", "result"), X: q.Get("x"), Y: q.Get("y"), Keep: keep(q)}
	out.Axes = xslices.Map(axes, func(name string) NameValue { return NameValue{v.Term(name), name} })
	best := belief.Best()
	top := slices.DeleteFunc(belief.Importance(), func(i prefer.Importance) bool { return !slices.Contains(axes, i.Parameter) })
	rank := func(i prefer.Importance) int { return map[bool]int{true: 1}[math.IsNaN(best[i.Parameter].Float())] } // a map of numbers says more than one of words
	slices.SortStableFunc(top, func(a, b prefer.Importance) int { return rank(a) - rank(b) })
	if !slices.Contains(axes, out.X) {
		out.X = top[0].Parameter
	}
	if !slices.Contains(axes, out.Y) || out.Y == out.X {
		out.Y = top[slices.IndexFunc(top, func(i prefer.Importance) bool { return i.Parameter != out.X })].Parameter
	}
	m, err := live.NewUtilityMap(ctx, belief, out.X, out.Y, mapSteps)
	if err != nil {
		return nil, err
	}
	u := chart.Utility{X: v.Parameter(out.X), Y: v.Parameter(out.Y), Across: m.X, Up: m.Y, Below: m.Below, BelowSD: m.BelowSD, UnitX: v.Unit(out.X), UnitY: v.Unit(out.Y),
		Best: [2]space.Value{m.Best[out.X], m.Best[out.Y]}}
	u.Asked = xslices.Map(v.Shown(v.rater, fixed), func(o space.Option) [2]space.Value { return [2]space.Value{o[out.X], o[out.Y]} })
	u.X.Name, u.Y.Name = v.Term(out.X), v.Term(out.Y)
	u.Label = v.Lang.T("map.label", "x", u.X.Name, "y", u.Y.Name, "at_x", chart.Number(u.Best[0]), "at_y", chart.Number(u.Best[1]))
	out.Taken = u.HTML()
	return out, nil
}

// Path is the part of a result page about what the study said after so many answers. It takes a fit for each, so a page fetches it late.
type Path struct {
	Frame
	Picks []PathPick
}

// PathPick is a pick, from one moment on until the next.
type PathPick struct {
	Shown
	Words string // since when
}

// path sends what the study said in its past.
func (p *Pages) path(w http.ResponseWriter, r *http.Request, v visitor, _ space.Option) error {
	list, err := p.readings(r.Context(), v)
	if err != nil {
		return err
	}
	picks := xslices.Map(v.Path(list), func(pick view.PathPick) PathPick { return PathPick{p.onPage(v, pick.Option, ""), pick.Words} })
	return p.write(w, http.StatusOK, v.origins(), Path{p.frame(v, "", "result"), picks})
}

// hasPath reports whether a study's past can be told: under contexts each answer was about one of them.
func (v visitor) hasPath() bool { return len(v.Config.Space.Contexts()) == 0 }

// readings returns what the study said in its past. One visitor at a time has it worked out, and what is known of a past is known for good.
func (p *Pages) readings(ctx context.Context, v visitor) ([]timeline.Moment, error) {
	if !v.hasPath() {
		return nil, nil
	}
	events, rater := v.Study.Study.Events(0), v.Utility(v.rater)
	var only *string
	if v.Config.People == prefer.PerRater {
		only = &rater
	}
	list := timeline.Moments(events, only, pathReadings)
	p.moments.Lock()
	defer p.moments.Unlock()
	for i := range list {
		key := moment{v.Name, rater, list[i].Seq, events[0].Time, events[list[i].Seq-1].Time}
		if known, ok := p.moments.known[key]; ok {
			list[i] = known
			continue
		}
		if err := ctx.Err(); err != nil { // the browser has gone
			return nil, err
		}
		if err := list[i].Replay(ctx, events, rater); err != nil {
			return nil, fmt.Errorf("page: what was said after %d answers: %w", list[i].Answers, err)
		}
		if p.moments.known == nil || len(p.moments.known) >= mostMoments {
			p.moments.known = map[moment]timeline.Moment{}
		}
		p.moments.known[key] = list[i]
	}
	return list, nil
}

// moment is one of a log: its times tell it from one of the same name that was deleted, or of which somebody was forgotten.
type moment struct {
	study, rater string
	seq          int
	begun, at    time.Time
}
