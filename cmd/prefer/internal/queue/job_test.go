package queue

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// TestLimit: a job that takes longer than it may has failed; it is not returned as if its worker had been stopped.
func TestLimit(t *testing.T) {
	if c, p := (&cellWorker{}).Timeout(nil), (&partWorker{}).Timeout(nil); c != cellLimit || p != partLimit {
		t.Errorf("a cell may take %v and a part %v", c, p)
	}
	hang := func(ctx context.Context) (write, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	job := &river.Job[part]{JobRow: &rivertype.JobRow{ID: 1, Attempt: 1, MaxAttempts: maxAttempts}}
	late, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	var w Worker
	if err := do(late, &w, job, "a part", hang); err == nil || !strings.Contains(err.Error(), "more than a job may take") {
		t.Errorf("it ends with %v", err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if err := do(stopped, &w, job, "a part", hang); err == nil || !strings.Contains(err.Error(), "Snooze") {
		t.Errorf("stopped, it ends with %v", err)
	}
	if w.tally != (Tally{Failed: 1, Returned: 1}) || len(w.running()) != 0 {
		t.Errorf("%+v, at %v, want one failed and one returned", w.tally, w.running())
	}
}
