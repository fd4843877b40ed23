package page

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/job"
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

// jobsView puts the jobs of a study into words; simulation names the one to show, if not the newest. Trouble with
// them is said on the page, which has more to show.
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
	list, err := p.Studies.ListJobs(ctx, study)
	if err != nil {
		return err
	}
	for _, e := range list {
		switch {
		case e.Kind == job.Simulation && view.Simulation == nil && (simulation == "" || simulation == e.ID):
			if e.Workers != nil {
				if e, err = p.Studies.Job(ctx, study, e.ID); err != nil {
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
	var drawn []PlanLevel
	for _, l := range r.Levels {
		if l.Finished == 0 {
			continue
		}
		p.Near = l.Near
		p.Sentences = append(p.Sentences, strings.ReplaceAll(l.Sentence, " %", "\u00a0%")) // a line must not begin with it
		level := PlanLevel{Label: careful(l.Noise)}
		for i, q := range l.Questions {
			level.Quantiles[i] = q.Questions
		}
		drawn = append(drawn, level)
		line := PlanLine{Noise: level.Label, End: percent(l.Good)}
		line.Half = reached(level.Quantiles[2], ">\u00a0", r.MaxQuestions)
		line.Most = reached(level.Quantiles[4], ">\u00a0", r.MaxQuestions)
		p.Budgets = nil
		for _, b := range l.Budgets {
			p.Budgets = append(p.Budgets, b.Questions)
			line.Good = append(line.Good, percent(b.Good))
		}
		p.Lines = append(p.Lines, line)
	}
	if len(drawn) == 0 {
		return nil
	}
	p.Chart = PlanChart(drawn, r.MaxQuestions)
	return p
}

func percent(s prefer.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f\u00a0%%", 100*float64(s.Count)/float64(s.Of))
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
