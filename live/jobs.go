package live

import (
	"context"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live/internal/jobs"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/space"
)

// Job is long work about a study that was asked for, and how far it is; Simulation is what came of a simulation.
type (
	Job        = jobs.Job
	Simulation = jobs.Simulation
)

// NewSimulation puts a result into words, for people who take so many seconds for an answer.
func NewSimulation(r simulate.Result, seconds float64) *Simulation {
	return jobs.NewSimulation(r, seconds)
}

// maxSimulated bounds people × levels × questions: some hours of one processor.
const maxSimulated = 100_000

// Simulate starts a simulation of a study with people who take so many seconds for an answer. c.Study is filled in.
func (s *Studies) Simulate(ctx context.Context, study string, c simulate.Config, seconds float64) (out Job, err error) {
	levels := max(1, len(c.Noise))
	if all := c.Raters * levels * c.MaxQuestions; all > maxSimulated {
		return out, invalid("", all, "%d raters at %d levels of noise with %d questions each are %d questions, want at most %d: ask for fewer, or use \"prefer simulate\"",
			c.Raters, levels, c.MaxQuestions, all, maxSimulated)
	}
	return In(ctx, s, study, func(r *Study) (Job, error) {
		c.Study = r.Config
		if items := r.Study.Items(false); items != nil { // those that joined, too
			c.Study.Space.Items = xslices.Map(items, func(it space.Item) space.Item { return space.Item{ID: it.ID, Features: it.Features} }) // simulated people look at nothing else
		}
		return s.Jobs.Simulate(ctx, study, c, seconds)
	})
}

// Report starts a report about a study as it is now; in a study per rater about one rater, or without one about the group. The title defaults to the name.
func (s *Studies) Report(ctx context.Context, study, rater, title string) (Job, error) {
	return In(ctx, s, study, func(r *Study) (out Job, err error) {
		answers := 0
		about := job.ReportRequest{Study: study, Rater: rater, Title: title, Procedure: r.MethodsText(), Budget: r.Budget()}
		known := rater == ""
		r.look(func(x *index) {
			about.Seq, answers = x.seq, x.count(rater, "").answers
			known = known || x.asked[rater] > 0 || len(x.said[rater]) > 0
		})
		switch {
		case rater != "" && r.Config.People != prefer.PerRater:
			return out, invalid("rater", rater, "the raters of this study share one result: omit rater")
		case !known:
			return out, invalid("rater", rater, "%q has no part in this study", rater)
		}
		return s.Jobs.Report(ctx, about, answers)
	})
}
