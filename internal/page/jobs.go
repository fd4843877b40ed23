//go:build !js

package page

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/simulate"
)

// jobs shows how far simulations and reports are: a part of the owner's page, fetched while something is not over.
func (p *Pages) jobs(w http.ResponseWriter, r *http.Request, v visitor) error {
	return p.write(w, http.StatusOK, "", p.jobsView(r.Context(), v, r.URL.Query().Get("simulation")))
}

const (
	jobsWait   = 2 * time.Second // for the store and the runner
	maxReports = 5               // reports that the owner's page lists
	fewPeople  = 5               // before one in so many has finished, numbers say nothing
)

// jobsView puts the jobs of a study into words; simulation names the one to show, if not the newest. Trouble with them is said on the page.
func (p *Pages) jobsView(ctx context.Context, v visitor, simulation string) Jobs {
	ctx, stop := context.WithTimeout(ctx, jobsWait)
	defer stop()
	view := Jobs{Frame: p.frame(v, v.Name, "owner")}
	if err := p.fillJobs(ctx, v.Name, simulation, &view); err != nil {
		view.Trouble = problem.Of(ctx, p.Logger, err).Detail
	}
	return view
}

func (p *Pages) fillJobs(ctx context.Context, study, simulation string, view *Jobs) error {
	list, err := p.Studies.Jobs.List(ctx, study)
	if err != nil {
		return err
	}
	for _, e := range list {
		switch {
		case e.Kind == job.Simulation && view.Simulation == nil && (simulation == "" || simulation == e.ID):
			if e.Workers != nil {
				if e, err = p.Studies.Jobs.Get(ctx, study, e.ID); err != nil {
					return err
				}
			}
			view.Simulation = going(e, fmt.Sprintf("%d of %d simulated people have finished.", e.Done, e.Parts))
			if e.Workers == nil || e.Done*fewPeople >= e.Parts {
				view.Plan = plan(e.Result)
			}
		case e.Kind == job.Report && e.State == "done" && len(view.Reports) < maxReports:
			e.URL = p.Root + "/v1/studies/" + url.PathEscape(study) + "/jobs/" + url.PathEscape(e.ID) + "/page"
			view.Reports = append(view.Reports, e)
		}
		if e.Kind == job.Report && view.Report == nil {
			view.Report = going(e, "The report is being written.")
		}
	}
	return nil
}

// going says how far a job is.
func going(e live.Job, line string) *Going {
	g := &Going{Busy: e.Workers != nil, Parts: e.Parts, Percent: 100 * e.Done / e.Parts, Line: line, NoWorker: e.Workers != nil && *e.Workers == 0,
		Failure: strings.TrimSuffix(e.Failure, ".")}
	if e.State == "waiting" {
		g.Line = "It waits for its turn."
	}
	return g
}

// plan puts a simulation into words and a drawing, as soon as somebody has finished.
func plan(r *live.Simulation) *Plan {
	if r == nil {
		return nil
	}
	p := &Plan{Caveat: r.Caveat}
	for _, l := range r.Levels {
		if l.Finished == 0 {
			continue
		}
		p.Near = l.Near
		p.Sentences = append(p.Sentences, strings.ReplaceAll(l.Sentence, " %", "\u00a0%")) // a line must not begin with it
		level := PlanLevel{Label: careful(l.Noise), End: view.Percent(l.Good)}
		for i, q := range l.Questions {
			level.Quantiles[i] = q.Questions
		}
		level.Half, level.Most = reached(level.Quantiles[2], ">\u00a0", r.MaxQuestions), reached(level.Quantiles[4], ">\u00a0", r.MaxQuestions)
		p.Budgets = nil
		for _, b := range l.Budgets {
			p.Budgets = append(p.Budgets, b.Questions)
			level.Good = append(level.Good, view.Percent(b.Good))
		}
		p.Levels = append(p.Levels, level)
	}
	if len(p.Levels) == 0 {
		return nil
	}
	p.Chart = PlanChart(p.Levels, r.MaxQuestions)
	return p
}

// careful puts a level of noise into words.
func careful(noise string) string {
	n, err := simulate.ParseNoise(noise)
	switch {
	case err != nil:
		return noise
	case n == simulate.Prior:
		return "As the model expects"
	case n.ErrorRate > 0:
		return fmt.Sprintf("%.3g\u00a0%% of answers wrong", 100*n.ErrorRate)
	}
	return fmt.Sprintf("Noise %g of the spread", n.Sigma)
}

// Jobs is the part of the owner's page about simulations and reports. It is fetched again while something is not over.
type Jobs struct {
	Frame
	Trouble    string
	Simulation *Going
	Plan       *Plan
	Report     *Going
	Reports    []live.Job
}

// Going is how far something is.
type Going struct {
	Busy     bool
	Parts    int
	Percent  int
	Line     string
	NoWorker bool
	Failure  string
}

// Plan is what simulated people say about how many questions a study takes.
type Plan struct {
	Sentences []string
	Chart     template.HTML
	Budgets   []int // columns of the table
	Levels    []PlanLevel
	Near      string
	Caveat    string
}

// PlanLevel is a level of noise, with how many questions 10, 25, 50, 75 and 90% of people need at most; 0: more than were asked.
type PlanLevel struct {
	Label           string
	Quantiles       [5]int
	Half, Most, End string   // in the table: questions that half and nine in ten need, and how many end well
	Good            []string // how many do after each of the budgets
}

// Sizes of the drawing of a plan.
const (
	planWidth, planPad = 320.0, 14.0
	planRow, planFoot  = 52.0, 44.0
)

// PlanChart draws how many questions people need: a bar for the middle half, a line from a tenth to nine tenths, a dot at the median.
func PlanChart(levels []PlanLevel, most int) template.HTML {
	if len(levels) == 0 || most < 1 {
		return ""
	}
	const left, right = planPad, planWidth - planPad
	height := planRow*float64(len(levels)) + planFoot
	x := chart.NewScale(0, float64(most), left, right)
	at := func(n int) float64 {
		if n == 0 || n > most { // more than were asked: to the edge
			n = most
		}
		return x.At(float64(n))
	}
	label := "Questions until a verdict."
	for _, l := range levels {
		half, nine := reached(l.Quantiles[2], "more than ", most), reached(l.Quantiles[4], "more than ", most)
		label += fmt.Sprintf(" %s: half of them after %s, nine in ten after %s.", l.Label, half, nine)
	}
	d := chart.New("chart plan", planWidth, height, label)
	axis := height - planFoot + 4
	d.Line("axis", left, axis, right, axis)
	for _, n := range x.Ticks(min(6, most)) {
		d.Line("axis", x.At(n), axis, x.At(n), axis+4)
		d.Text("tick", "middle", x.At(n), axis+18, fmt.Sprint(int(n)))
	}
	d.Text("name", "middle", planWidth/2, height-4, "questions")
	for i, l := range levels {
		top := planRow * float64(i)
		y, q, half := top+34, l.Quantiles, "half after "+reached(l.Quantiles[2], "more than ", most)
		d.Text("name", "start", left, top+14, chart.Clip(l.Label, 28))
		d.Text("tick", "end", right, top+14, half)
		if q[0] > 0 {
			d.Line("whisker", at(q[0]), y, at(q[4]), y)
		}
		if q[1] > 0 {
			d.Line("box", at(q[1]), y, at(q[3]), y)
		}
		if q[2] > 0 {
			d.Dot("dot best", at(q[2]), y, 6, half)
		}
	}
	return d.HTML()
}

// reached writes a number of questions, 0 for more than were asked.
func reached(n int, more string, most int) string {
	if n == 0 {
		return more + fmt.Sprint(most)
	}
	return fmt.Sprint(n)
}
