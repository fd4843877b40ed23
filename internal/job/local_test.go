package job_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/prefer-bo/prefer/internal/job"
)

// atOnce lets parts begin at once.
func atOnce(context.Context) error { return nil }

// TestLocalClose: a runner that is closed stops what runs, which has not failed, and takes nothing more.
func TestLocalClose(t *testing.T) {
	ctx := context.Background()
	begun := make(chan struct{})
	l := job.NewLocal(job.Kinds{"long": func(ctx context.Context, _ json.RawMessage, _ int) ([]byte, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	}}, atOnce)
	e := job.Job{Kind: "long", Body: json.RawMessage("0"), Parts: 1}
	if err := l.Submit(ctx, e); err != nil {
		t.Fatal(err)
	}
	<-begun
	l.Close()
	if p, err := l.Progress(ctx, e.Key()); err != nil || p.State() != "waiting" || p.Over() {
		t.Errorf("what was cut short is %+v (%v), want it to wait", p, err)
	}
	e.Body = json.RawMessage("1")
	if err := l.Submit(ctx, e); err == nil {
		t.Error("a closed runner takes a job")
	}
}
