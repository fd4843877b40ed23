package job_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/internal/job"
)

// TestLocalForgets: of jobs that are over only the latest are remembered, and none that is not over is
// forgotten.
func TestLocalForgets(t *testing.T) {
	ctx := context.Background()
	hold := make(chan struct{})
	l := job.NewLocal(job.Kinds{
		"quick": func(context.Context, json.RawMessage, int) ([]byte, error) { return []byte{}, nil },
		"slow":  func(context.Context, json.RawMessage, int) ([]byte, error) { <-hold; return []byte{}, nil },
	}, 2)
	defer l.Close()
	slow := job.Job{Kind: "slow", Body: json.RawMessage("0"), Parts: 1}
	if err := l.Submit(ctx, slow); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for i := range 100 {
		e := job.Job{Kind: "quick", Body: fmt.Appendf(nil, "%d", i), Parts: 1}
		if err := l.Submit(ctx, e); err != nil {
			t.Fatal(err)
		}
		for p, err := l.Progress(ctx, e.Key()); err != nil || !p.Over(); p, err = l.Progress(ctx, e.Key()) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		keys = append(keys, e.Key())
	}
	for i, key := range keys {
		if _, err := l.Progress(ctx, key); (err == nil) != (i >= 36) || err != nil && !errors.Is(err, job.ErrUnknown) {
			t.Errorf("job %d of 100: %v", i, err)
		}
	}
	if p, err := l.Progress(ctx, slow.Key()); err != nil || p.Over() {
		t.Errorf("the one that is not over: %+v, %v", p, err)
	}
	close(hold)
}

// TestLocalClose: a runner that is closed stops what runs, which has not failed, and takes nothing more.
func TestLocalClose(t *testing.T) {
	ctx := context.Background()
	begun := make(chan struct{})
	l := job.NewLocal(job.Kinds{"long": func(ctx context.Context, _ json.RawMessage, _ int) ([]byte, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	}}, 1)
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
