package server

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/simulate"
)

// newSlowRunner returns a runner each of whose parts waits for a word.
func newSlowRunner(t *testing.T, word <-chan struct{}) *job.Local {
	kinds := job.Studies{}.Kinds()
	do := kinds[job.Simulation]
	kinds[job.Simulation] = func(ctx context.Context, body json.RawMessage, part int) ([]byte, error) {
		select {
		case <-word:
			return do(ctx, body, part)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	d := job.NewLocal(kinds, func(context.Context) error { return nil })
	t.Cleanup(d.Close)
	return d
}

// TestJobElsewhere: two servers on one store, each with a runner of its own: the one that is done first notifies the other,
// which stops.
func TestJobElsewhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	slow := newSlowRunner(t, nil)
	one, two := openTestServer(t, path, func(c *Config) { c.Runner = slow }), openTestServer(t, path, nil)
	one.want(201, "POST", "/v1/studies", tea, nil)
	var e Job
	one.want(202, "POST", "/v1/studies/tea/simulations", few, &e)
	if done := two.finish("tea", e.ID); done.State != "done" || done.Done != 4 {
		t.Errorf("at the other it ended as %+v", done)
	}
	if done := one.finish("tea", e.ID); done.State != "done" {
		t.Errorf("here it ended as %+v", done)
	}
	if _, err := slow.Progress(t.Context(), e.ID); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("the slow runner is still at it: %v", err)
	}
}

// TestJobsFollowed: what came of a job is taken in though nobody asks.
func TestJobsFollowed(t *testing.T) {
	h := busyTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", tea, nil)
	var e Job
	h.want(202, "POST", "/v1/studies/tea/simulations", few, &e)
	await(t, "a result in the note", func() bool {
		note, ok, err := h.store.FindNote(t.Context(), "tea", "errand/"+e.ID)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		var kept struct {
			Over   bool
			Result *simulate.Result
		}
		if err := json.Unmarshal([]byte(note.Body), &kept); err != nil {
			t.Fatal(err)
		}
		return kept.Over && kept.Result != nil
	})
	await(t, "nothing to look after", func() bool { return h.server.studies.Jobs.Waiting() == 0 })
}

// brokenRunner fails at everything.
type brokenRunner struct{ job.Runner }

func (brokenRunner) Submit(context.Context, job.Job) error {
	return errors.New("host db.internal is down")
}
func (brokenRunner) Progress(context.Context, string) (job.Progress, error) {
	return job.Progress{}, errors.New("host db.internal is down")
}

// TestRunnerBroken: a runner that cannot be reached is a problem that says so and no more, and the study goes on.
func TestRunnerBroken(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.Runner = brokenRunner{} })
	h.want(201, "POST", "/v1/studies", tea, nil)
	h.refused(503, "runner_unavailable", "", "POST", "/v1/studies/tea/simulations", few)
	h.refused(503, "runner_unavailable", "", "GET", "/v1/studies/tea/jobs", "")
	_, _, text := h.do("GET", "/v1/studies/tea/jobs", "")
	if contains(text, "db.internal") {
		t.Errorf("it tells where the runner is: %s", text)
	}
	h.want(200, "POST", "/v1/studies/tea/ask", `{}`, nil)
	if _, _, html := h.do("GET", "/s/tea/owner", ""); !contains(html, "jobs are not available now") {
		t.Error("the page does not say it")
	}
}

// lonelyRunner has no workers.
type lonelyRunner struct{ job.Runner }

func (d lonelyRunner) Progress(ctx context.Context, key string) (job.Progress, error) {
	p, err := d.Runner.Progress(ctx, key)
	p.Waiting, p.Running, p.Workers = p.Waiting+p.Running, 0, 0
	return p, err
}
