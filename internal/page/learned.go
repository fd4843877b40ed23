package page

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// Learned is what a result page says about parameters, or features of items.
type Learned struct {
	Bars    template.HTML // what each is worth; empty where there is one or none
	Lines   []Line        // those of which something can be said, the most important first
	Untold  string        // about what nothing is known
	Unknown []Line        // and their curves
}

// Line is one parameter of the result.
type Line struct {
	ID, Name, Sentence string
	Chart              template.HTML
}

// Sizes of what is drawn.
const (
	sliceSteps   = 41   // the number of points of a curve
	maxAsked     = 400  // values that are marked in a chart
	mapSteps     = 25   // the number of points of a map, each way
	pathReadings = 12   // moments of the past that are read again
	mostMoments  = 4096 // moments that are kept in memory
)

// learned says, for every parameter or feature, what was learned, with a curve.
func (v visitor) learned(belief *prefer.Belief, best space.Option, fixed space.Option) (out Learned, err error) {
	values, all, asked := Values(v.items(), best), belief.Importance(), v.asked(fixed)
	ids := map[string]string{}
	var unknown []string
	for n, i := range all {
		points, err := belief.Slice(i.Parameter, sliceSteps)
		if err != nil {
			return out, err
		}
		s := chart.Slice{Parameter: v.parameter(i.Parameter), Points: points, Best: values[i.Parameter], Unit: v.unit(i.Parameter), Paint: v.paint(i.Parameter, values),
			Name: v.choice}
		worst := slices.MaxFunc(points, func(a, b prefer.SlicePoint) int { return cmp.Compare(a.Below, b.Below) })
		s.Label = v.lang.T("slice.label", "name", i.Parameter, "best", chart.Number(s.Best), "least", chart.Number(worst.Value))
		for _, o := range asked {
			s.Asked = append(s.Asked, o[i.Parameter])
		}
		ids[i.Parameter] = fmt.Sprintf("along-%d", n+1)
		line := Line{ID: ids[i.Parameter], Name: i.Parameter, Sentence: v.words().Importance(i)}
		if i.Parameter != "item" || !v.Config.Space.Crossed() { // of items the ranking says more
			line.Chart = s.HTML()
		}
		if i.Kind == "unknown" {
			out.Unknown, unknown = append(out.Unknown, line), append(unknown, i.Parameter)
		} else {
			out.Lines = append(out.Lines, line)
		}
	}
	if len(unknown) > 0 {
		out.Untold = v.lang.Sentence(v.lang.T("learned.unknown", "names", v.lang.List(unknown)))
	}
	if len(all) > 1 {
		out.Bars = chart.Bars{List: all, Unknown: v.lang.T("worth.unknown"), Label: v.lang.T("worth.label"), Href: func(name string) string { return "#" + ids[name] }}.HTML()
	}
	return out, nil
}

// choice is how a value that is no number is called.
func (v visitor) choice(value space.Value) string {
	switch value {
	case space.ValueOf(true):
		return v.lang.T("card.yes")
	case space.ValueOf(false):
		return v.lang.T("card.no")
	}
	return chart.Number(value)
}

// asked returns the options that were shown, the latest first, with features of items: under what is fixed, in a study per rater to one rater.
func (v visitor) asked(fixed space.Option) (out []space.Option) {
	history, here := v.Study.Study.History(), v.Config.Space.Context(fixed)
	for n := len(history) - 1; n >= 0 && len(out) < maxAsked; n-- {
		e := history[n]
		if e.Undone || v.Config.People == prefer.PerRater && e.Rater != v.rater || !maps.Equal(v.Config.Space.Context(e.First), here) {
			continue
		}
		out = append(out, Values(v.items(), e.First), Values(v.items(), e.Second))
	}
	return out
}

// unit finds what the numbers of a parameter are by what a template writes behind them: "{{radius}}px" are pixels.
func (v visitor) unit(name string) string {
	re, err := regexp.Compile(`\{\{\s*` + regexp.QuoteMeta(name) + `\s*\}\}(px|%|deg|rem|em|ms|s|pt|vw|vh|mm|cm)\b|\{\{\s*` + regexp.QuoteMeta(name) + `\s*\}\}(%)`)
	if err != nil {
		return ""
	}
	m := re.FindStringSubmatch(v.Settings.Page.Template.Text)
	switch {
	case m == nil:
		return ""
	case m[1]+m[2] == "deg":
		return "°"
	}
	return m[1] + m[2]
}

// parameter returns a parameter, or what is known of a feature of items.
func (v visitor) parameter(name string) space.Parameter {
	return chart.ParameterOf(v.Config.Space, name)
}

// paint returns the colours of a hue; nil of anything else.
func (v visitor) paint(name string, best space.Option) func(float64) string {
	return chart.Hue(name, best, v.Settings.Page.Template.Text)
}

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

// Map is the part of a result page about two parameters. It is fetched again when others are chosen.
type Map struct {
	Frame
	Axes        []string
	X, Y        string
	Keep        []NameValue // what else the address says
	Taken, Sure template.HTML
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
	} else if v.items() != nil {
		return nil, nil
	}
	if len(axes) < 2 {
		return nil, nil
	}
	out := &Map{Frame: p.frame(v, "", "result"), Axes: axes, X: q.Get("x"), Y: q.Get("y"), Keep: keep(q)}
	best := belief.Best()
	top := slices.DeleteFunc(belief.Importance(), func(i prefer.Importance) bool { return !slices.Contains(axes, i.Parameter) })
	rank := func(i prefer.Importance) int { return map[bool]int{true: 1}[math.IsNaN(best[i.Parameter].Float())] } // a map of numbers says more than one of words
	slices.SortStableFunc(top, func(a, b prefer.Importance) int { return rank(a) - rank(b) })
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

// Path is the part of a result page about what the study said after so many answers. It takes a fit for each, so a page fetches it late.
type Path struct {
	Frame
	Chart template.HTML
	Picks []PathPick
}

// PathPick is a pick, from one moment on until the next.
type PathPick struct {
	Shown
	Words string // since when
}

// path sends what the study said in its past.
func (p *Pages) path(w http.ResponseWriter, r *http.Request, v visitor, _ space.Option) error {
	view := Path{Frame: p.frame(v, "", "result")}
	list, err := p.readings(r.Context(), v)
	if err != nil {
		return err
	}
	if len(list) < 2 { // no line through one point
		return p.write(w, http.StatusOK, v.origins(), view)
	}
	first, last := list[0], list[len(list)-1]
	say := func(r timeline.Moment) string {
		return v.lang.T("path.sure", "n", r.Answers, "percent", say.Percent(r.Confidence))
	}
	view.Chart = chart.Sureness{List: list, Target: v.Config.Confidence, Axis: v.lang.T("path.answers"), Say: say, Label: v.lang.T("path.label", "first", say(first), "last", say(last))}.HTML()
	for i, r := range list {
		if i == 0 || !maps.Equal(r.Best, list[i-1].Best) {
			view.Picks = append(view.Picks, PathPick{p.onPage(v, r.Best, ""), v.lang.T("path.after", "n", r.Answers)})
		}
	}
	return p.write(w, http.StatusOK, v.origins(), view)
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
	p.moments.turn.Lock()
	defer p.moments.turn.Unlock()
	for i := range list {
		key := moment{v.Name, rater, list[i].Seq, events[0].Time, events[list[i].Seq-1].Time}
		if known, ok := p.moments.known[key]; ok {
			list[i] = known
			continue
		}
		if err := ctx.Err(); err != nil { // she has left
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

// pasts are readings that were worked out.
type pasts struct {
	turn  sync.Mutex
	known map[moment]timeline.Moment
}
