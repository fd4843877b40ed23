package live

import (
	"context"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/job"
)

// Report starts a report about a study as it is now; in a study per rater about one rater's taste, or without a rater
// about the group. The title defaults to the study's name.
func (s *Studies) Report(ctx context.Context, study, rater, title string) (out Job, err error) {
	err = s.With(ctx, study, func(r *Study) error {
		var n jobNote
		about := job.ReportRequest{Study: study, Rater: rater, Title: title}
		known := rater == ""
		r.look(func(x *index) {
			about.Seq, n.Answers = x.seq, x.standing
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
