package job

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/report"
	"github.com/prefer-bo/prefer/store"
)

// Report is the kind of job that writes a report about a study. The page is kept beside the study, as the
// note ReportNote names, and nowhere else, so that forgetting a rater or deleting the study reaches it.
const Report = "report"

// ReportRequest says what a report is about.
type ReportRequest struct {
	Study string `json:"study"`
	Seq   int    `json:"seq"`             // of the last event it takes in
	Rater string `json:"rater,omitempty"` // in a study per rater, whose taste; without one it is about the group
	Title string `json:"title,omitempty"` // defaults to the study's name

	Procedure string `json:"conduct,omitempty"` // how questions were put to people
	Budget    int    `json:"budget,omitempty"`  // answers that each was to give
}

// NewReport makes a job of it.
func NewReport(r ReportRequest) (Job, error) {
	if r.Study == "" || r.Seq < 1 {
		return Job{}, fmt.Errorf("job: a report on study %q up to event %d, want a name and a number from 1 on", r.Study, r.Seq)
	}
	body, err := json.Marshal(r)
	return Job{Kind: Report, Body: body, Parts: 1}, err
}

// ReportNote is the name of the note that holds the page.
func ReportNote(j Job) string { return store.Derived + j.Key() }

// doReport writes a report and keeps it. Its result is the size of the page.
func (s Studies) doReport(ctx context.Context, body json.RawMessage, _ int) ([]byte, error) {
	if s.Store == nil {
		return nil, errors.New("job: a report needs the store the study is in, and this worker has none: start it with --store")
	}
	var r ReportRequest
	if err := read(Report, body, &r); err != nil {
		return nil, err
	}
	kept, err := s.Store.Study(ctx, r.Study)
	if err != nil {
		return nil, err
	}
	events := kept.Events(0)
	if r.Seq < 1 || r.Seq > len(events) {
		return nil, fmt.Errorf("job: a report on study %q up to event %d, but it has %d", r.Study, r.Seq, len(events))
	}
	study := kept
	if r.Seq < len(events) { // answers have come since
		if study, err = prefer.Open(ctx, events[:r.Seq], prefer.OpenOptions{}); err != nil {
			return nil, err
		}
	}
	o := report.Options{Title: cmp.Or(r.Title, r.Study), Rater: r.Rater, Version: s.Version, Procedure: r.Procedure, Budget: r.Budget}
	if s.Media != nil {
		o.Media = func(name string) ([]byte, error) { return s.Media(r.Study, name) }
	}
	if s.Draw != nil {
		if o.Draw, err = s.Draw(ctx, r.Study, study); err != nil {
			return nil, err
		}
	}
	if s.Checks != nil {
		if o.Checks, err = s.Checks(ctx, r.Study, study); err != nil {
			return nil, err
		}
	}
	var page bytes.Buffer
	if err := report.Write(ctx, &page, study, o); err != nil {
		return nil, err
	}
	if err := s.Store.KeepDerived(ctx, kept, ReportNote(Job{Kind: Report, Body: body}), page.String()); err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"bytes":%d}`, page.Len()), nil
}
