package job_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// finish sends a job to a runner of its own and waits for it.
func finish(t *testing.T, kinds job.Kinds, e job.Job) (job.Progress, [][]byte) {
	t.Helper()
	ctx := context.Background()
	l := job.NewLocal(kinds, atOnce)
	defer l.Close()
	if err := l.Submit(ctx, e); err != nil {
		t.Fatal(err)
	}
	for {
		p, err := l.Progress(ctx, e.Key())
		if err != nil {
			t.Fatal(err)
		}
		if p.Over() {
			results, err := l.Results(ctx, e.Key())
			if err != nil {
				t.Fatal(err)
			}
			return p, results
		}
		time.Sleep(time.Millisecond)
	}
}

// TestSimulation: a simulation done as a job is the simulation, for a study with everything that has to
// travel as JSON.
func TestSimulation(t *testing.T) {
	c := simulate.Config{Study: prefer.Config{
		Space: space.Space{Parameters: []space.Parameter{space.Float("x", 0, 2), space.Int("n", 1, 4), space.Categorical("c", "a", "b")},
			Constraints: []string{"x < n"}},
		Method: "eubo", Confidence: 0.7}, Raters: 2, Noise: []simulate.Noise{simulate.Low, {Sigma: 0.4}}, MaxQuestions: 5, Seed: 1 << 60}
	want, err := simulate.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	e, err := job.NewSimulation(c)
	if err != nil {
		t.Fatal(err)
	}
	p, parts := finish(t, job.Studies{}.Kinds(), e)
	if p.State() != "done" || p.Parts != 4 {
		t.Fatalf("it ends as %+v", p)
	}
	got, err := job.Simulated(e, parts)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("as a job it is another simulation:\n%s", d)
	}
	more := c
	more.Raters = 3
	if f, err := job.NewSimulation(more); err != nil || f.Key() != e.Key() || f.Parts != 6 {
		t.Errorf("with one rater more the job is %s of %d parts (%v), want %s of 6", f.Key(), f.Parts, err, e.Key())
	}
	more.Seed++
	if f, err := job.NewSimulation(more); err != nil || f.Key() == e.Key() {
		t.Errorf("with another seed the key is the same (%v)", err)
	}
	// A job of before, with what studies no longer have.
	old := e
	old.Body = bytes.Replace(bytes.Replace(e.Body, []byte(`"margin":`), []byte(`"mixture":4,"margin":`), 1), []byte(`"search":{`), []byte(`"search":{"nested":true,`), 1)
	if bytes.Equal(old.Body, e.Body) {
		t.Fatalf("the body has changed its form: %s", e.Body)
	}
	if p, results := finish(t, job.Studies{}.Kinds(), old); p.State() != "done" {
		t.Errorf("an old job ends as %+v", p)
	} else if d := cmp.Diff(fmt.Sprint(parts), fmt.Sprint(results)); d != "" {
		t.Errorf("an old job has other people:\n%s", d)
	}
	own := c
	own.Study.Method, own.Study.Chooser = "mine", func(context.Context, acquisition.Task) (acquisition.Choice, error) { return acquisition.Choice{}, nil }
	if _, err := job.NewSimulation(own); err == nil || !strings.Contains(err.Error(), "Chooser") {
		t.Errorf("a method of one's own is sent away: %v", err)
	}
	c.Truth = func(int) func(space.Option) float64 { return nil }
	if _, err := job.NewSimulation(c); err == nil || !strings.Contains(err.Error(), "Truth") {
		t.Errorf("a function is sent away: %v", err)
	}
}

// TestReport: the page is kept beside the study, as of the event that was asked for, and goes when a rater is
// forgotten; afterwards the job fails instead of telling of them.
func TestReport(t *testing.T) {
	ctx := context.Background()
	st, err := sqlstore.Open(ctx, filepath.Join(t.TempDir(), "tea.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	study, err := st.Create(ctx, "tea", prefer.Config{Space: space.Box(space.Float("sugar", 0, 1)), Method: "random"})
	if err != nil {
		t.Fatal(err)
	}
	answer := func(rater string) {
		t.Helper()
		q, err := study.Ask(ctx, prefer.Request{Rater: rater})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := study.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First}); err != nil {
			t.Fatal(err)
		}
	}
	answer("zelda")
	answer("bob")
	kinds := job.Studies{Store: st, Version: "prefer test"}.Kinds()
	e, err := job.NewReport(job.ReportRequest{Study: "tea", Seq: study.Seq()})
	if err != nil {
		t.Fatal(err)
	}
	answer("carl")
	p, results := finish(t, kinds, e)
	if p.State() != "done" {
		t.Fatalf("it ends as %+v", p)
	}
	page := func() (store.Note, bool) {
		t.Helper()
		n, ok, err := st.FindNote(ctx, "tea", job.ReportNote(e))
		if err != nil {
			t.Fatal(err)
		}
		return n, ok
	}
	n, ok := page()
	var size struct{ Bytes int }
	if err := json.Unmarshal(results[0], &size); err != nil || !ok || size.Bytes != len(n.Body) {
		t.Fatalf("the result is %s (%v), the note has %d bytes", results[0], err, len(n.Body))
	}
	for text, want := range map[string]bool{"<title>tea": true, "prefer test": true, "2 answers by 2 raters": true, "zelda": true, "carl": false} {
		if strings.Contains(n.Body, text) != want {
			t.Errorf("the page contains %q: %v, want %v", text, !want, want)
		}
	}
	if _, err := st.Forget(ctx, "tea", "zelda"); err != nil {
		t.Fatal(err)
	}
	if _, ok := page(); ok {
		t.Error("zelda is forgotten, and the report is still there")
	}
	if _, results = finish(t, kinds, e); strings.Contains(string(results[0]), "zelda") {
		t.Error("the result tells of zelda")
	}
	if n, _ := page(); strings.Contains(n.Body, "zelda") {
		t.Error("written again, the report tells of zelda")
	}
	for _, bad := range []job.ReportRequest{{Study: "tea"}, {Seq: 3}} {
		if _, err := job.NewReport(bad); err == nil {
			t.Errorf("%+v is a job", bad)
		}
	}
	e, _ = job.NewReport(job.ReportRequest{Study: "tea", Seq: 99})
	if p, _ := finish(t, kinds, e); p.State() != "failed" || !strings.Contains(p.Failure, "99") {
		t.Errorf("a report up to event 99 ends as %+v", p)
	}
	if p, _ := finish(t, job.Studies{}.Kinds(), e); !strings.Contains(p.Failure, "--store") {
		t.Errorf("without a store it ends as %+v", p)
	}
}

// TestKinds: a kind nobody knows fails and says so, and the zero Job is none.
func TestKinds(t *testing.T) {
	if _, err := (job.Kinds{}).Do(context.Background(), "juggling", nil, 0); err == nil || !strings.Contains(err.Error(), "juggling") {
		t.Errorf("an unknown kind: %v", err)
	}
	if err := (job.Job{}).Validate(); err == nil || errors.Is(err, job.ErrUnknown) {
		t.Errorf("the zero job: %v", err)
	}
}
