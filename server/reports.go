package server

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/job"
)

type reportInput struct {
	Study string `path:"study"`
	Body  *struct {
		Rater string `json:"rater,omitempty" maxLength:"200" doc:"In a study per rater, whose taste; without one it is about the group."`
		Title string `json:"title,omitempty" maxLength:"200" doc:"Defaults to the study's name."`
	} `required:"false"`
}

type pageOutput struct {
	Type   string `header:"Content-Type"`
	Policy string `header:"Content-Security-Policy"`
	Body   []byte
}

// reportPolicy shuts a report in: an origin of its own, no scripts, nothing from elsewhere. It holds what people
// wrote, and is opened by a browser with the owner's cookie.
const reportPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"

func (s *Server) registerReports() {
	huma.Register(s.api, operation(http.MethodPost, "/v1/studies/{study}/reports", "report", "Make a report about the study as it is now", forOwner, func(op *huma.Operation) {
		op.DefaultStatus = http.StatusAccepted
	}), s.report)
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/jobs/{job}/page", "report-page", "The page of a report", forOwner, func(op *huma.Operation) {
		op.Responses = map[string]*huma.Response{"200": {Description: "One page that needs no other file and no script.",
			Content: map[string]*huma.MediaType{"text/html": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	}), s.reportPage)
}

func (s *Server) report(ctx context.Context, in *reportInput) (out *acceptedOutput, err error) {
	about := job.ReportRequest{Study: in.Study}
	if in.Body != nil {
		about.Rater, about.Title = in.Body.Rater, in.Body.Title
	}
	err = s.with(ctx, in.Study, func(r *running) error {
		var known bool
		k := kept{}
		r.look(func(b *book) {
			about.Seq, k.Answers = b.seq, b.standing
			_, known = b.asked[about.Rater]
			known = known || len(b.said[about.Rater]) > 0
		})
		switch {
		case about.Rater == "":
		case r.cfg.People != prefer.PerRater:
			return invalid("body.rater", about.Rater, "the raters of this study share one utility, and the report is about that: leave rater out")
		case !known:
			return invalid("body.rater", about.Rater, fmt.Sprintf("%q has no part in this study", about.Rater))
		}
		if k.Job, err = job.NewReport(about); err != nil {
			return err
		}
		out, err = s.accept(ctx, r.name, k)
		return err
	})
	return out, s.explain(ctx, err, "")
}

func (s *Server) reportPage(ctx context.Context, in *jobInput) (*pageOutput, error) {
	out := &pageOutput{Type: "text/html; charset=utf-8", Policy: reportPolicy}
	err := s.withJob(ctx, in.Study, in.Job, func(k kept, p job.Progress) error {
		if k.Kind != job.Report {
			return refuse(http.StatusNotFound, "no_report", "this job is a "+k.Kind+", which has no page")
		}
		n, has, err := s.cfg.Store.FindNote(ctx, in.Study, job.ReportNote(k.Job))
		if err == nil && !has {
			err = refuse(http.StatusNotFound, "no_report", "the page is not there, or not yet: the job says how far it is")
		}
		out.Body = []byte(n.Body)
		return err
	})
	return out, s.explain(ctx, err, "")
}
