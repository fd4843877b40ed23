package page

import (
	"context"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/timeline"
	"github.com/prefer-bo/prefer/say"
)

// Path is the part of a result page about what the study said after so many answers. It takes a fit for each, so a page fetches it when it
// comes into sight.
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

// pathReadings is the number of moments.
const pathReadings = 12

// path sends what the study said in its past.
func (p *Pages) path(w http.ResponseWriter, r *http.Request, v visitor) error {
	if !v.owner && !v.Settings.ShowResult {
		return errHidden
	}
	ctx := r.Context()
	if rater := r.URL.Query().Get("rater"); rater != "" && v.owner && v.Config.People == prefer.PerRater {
		if err := v.lookAt(ctx, rater); err != nil {
			return err
		}
	}
	view := Path{Frame: p.frame(v, "", "result")}
	list, err := p.readings(ctx, v)
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

// mostMoments bounds what is kept in memory.
const mostMoments = 4096

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
