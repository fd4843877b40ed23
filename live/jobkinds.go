package live

import (
	"context"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/job"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/space"
)

// Simulation is what came of a simulation of people who are not there.
type Simulation struct {
	Raters       int               `json:"raters" doc:"People at each level of noise."`
	MaxQuestions int               `json:"max_questions"`
	Confidence   float64           `json:"confidence" doc:"Of the study's verdicts."`
	Seed         uint64            `json:"seed"`
	Levels       []SimulationLevel `json:"levels" nullable:"false"`
	Caveat       string            `json:"caveat" doc:"Belongs beside every number."`
}

// SimulationLevel is what came of the people at one level of noise.
type SimulationLevel struct {
	Noise string `json:"noise"`
	simulate.Summary
	Near     string `json:"near" doc:"How near a person's best a good pick is."`
	Sentence string `json:"sentence" doc:"For a protocol: questions, minutes, and how good the picks were."`
}

// NewSimulation puts a result into words, for people who take so many seconds for an answer.
func NewSimulation(r simulate.Result, seconds float64) *Simulation {
	out := &Simulation{Raters: r.Raters, MaxQuestions: r.MaxQuestions, Confidence: r.Confidence, Seed: r.Seed, Caveat: simulate.Caveat}
	for _, l := range r.Levels {
		level := SimulationLevel{Noise: l.Noise.String(), Summary: l.Summary, Near: l.Near(), Sentence: l.Sentence(time.Duration(seconds * float64(time.Second)))}
		if level.Questions == nil { // nobody has finished
			level.Questions = []simulate.Quantile{}
		}
		if level.Budgets == nil {
			level.Budgets = []simulate.Budget{}
		}
		out.Levels = append(out.Levels, level)
	}
	return out
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
	err = s.With(ctx, study, func(r *Study) error {
		c.Study = r.Config
		if items := r.Study.Items(false); items != nil { // those that joined, too
			c.Study.Space.Items = make([]space.Item, len(items))
			for i, it := range items {
				c.Study.Space.Items[i] = space.Item{ID: it.ID, Features: it.Features} // simulated people look at nothing else
			}
		}
		j, err := job.NewSimulation(c)
		if err != nil {
			return invalid("study", study, "%s", err)
		}
		out, err = s.Jobs.start(ctx, study, jobNote{Job: j, Seconds: seconds})
		return err
	})
	return out, err
}

// Report starts a report about a study as it is now; in a study per rater about one rater's taste, or without a rater
// about the group. The title defaults to the study's name.
func (s *Studies) Report(ctx context.Context, study, rater, title string) (out Job, err error) {
	err = s.With(ctx, study, func(r *Study) error {
		var n jobNote
		about := job.ReportRequest{Study: study, Rater: rater, Title: title, Conduct: r.Conduct(), Budget: r.Budget()}
		known := rater == ""
		r.look(func(x *index) {
			about.Seq, n.Answers = x.seq, x.count(rater, "").answers
			known = known || x.asked[rater] > 0 || len(x.said[rater]) > 0
		})
		switch {
		case rater != "" && r.Config.People != prefer.PerRater:
			return invalid("rater", rater, "the raters of this study share one utility, and the report is about that: leave rater out")
		case !known:
			return invalid("rater", rater, "%q has no part in this study", rater)
		}
		var err error
		if n.Job, err = job.NewReport(about); err != nil {
			return err
		}
		out, err = s.Jobs.start(ctx, study, n)
		return err
	})
	return out, err
}

// ReportPage returns the page of a report that is done.
func (s *Studies) ReportPage(ctx context.Context, study, id string) (string, error) {
	n, _, err := s.lookJob(ctx, study, id)
	if err != nil {
		return "", err
	}
	if n.Kind != job.Report {
		return "", refuse(NoReport, "this job is a %s, which has no page", n.Kind)
	}
	note, has, err := s.store.FindNote(ctx, study, job.ReportNote(n.Job))
	if err == nil && !has {
		err = refuse(NoReport, "the page is not there, or not yet: the job says how far it is")
	}
	return note.Body, err
}
