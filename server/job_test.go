package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/store"
)

// TestJobDropped: what was deleted is nowhere any more, whether the job, its study, or one of twins.
func TestJobDropped(t *testing.T) {
	word := make(chan struct{})
	runner := newSlowRunner(t, word)
	h := newTestServer(t, func(c *Config) { c.Runner = runner })
	var e, twin Job
	for _, name := range []string{"tea", "twin"} {
		h.want(201, "POST", "/v1/studies", strings.Replace(tea, "tea", name, 1), nil)
	}
	unknown := func(when string) {
		t.Helper()
		if _, err := runner.Progress(t.Context(), e.ID); !errors.Is(err, job.ErrUnknown) {
			t.Errorf("%s the runner says %v", when, err)
		}
	}
	h.want(202, "POST", "/v1/studies/tea/simulations", "", &e)
	h.want(202, "POST", "/v1/studies/tea/simulations", `{"max_questions":60}`, &twin)
	if e.ID != twin.ID || e.Parts != 24 {
		t.Errorf("without a word it is %+v, want 24 people and 60 questions", e)
	}
	h.want(204, "DELETE", "/v1/studies/tea/jobs/"+e.ID, "", nil)
	unknown("when it is dropped")
	h.refused(404, "no_job", "", "GET", "/v1/studies/tea/jobs/"+e.ID, "")
	h.want(202, "POST", "/v1/studies/tea/simulations", few, &e)
	h.want(202, "POST", "/v1/studies/twin/simulations", strings.Replace(few, `"raters":2`, `"raters":1`, 1), &twin)
	if e.ID != twin.ID || twin.Parts != 2 {
		t.Fatalf("twins are %+v and %+v", e, twin)
	}
	close(word)
	one := h.finish("twin", twin.ID)
	if d := cmp.Diff(h.simulated("twin", simulate.Config{Raters: 1, MaxQuestions: 5, Noise: []simulate.Noise{simulate.Prior, {ErrorRate: 0.2}}}, 5), one.Result); d != "" {
		t.Errorf("a twin that wants less:\n%s", d)
	}
	if two := h.finish("tea", e.ID); two.Done != 4 || two.Result.Levels[0].Finished != 2 {
		t.Errorf("and the other is %+v", two)
	}
	h.want(202, "POST", "/v1/studies/tea/simulations", strings.Replace(few, "{", `{"seed":9,`, 1), &e)
	h.want(204, "DELETE", "/v1/studies/tea", "", nil)
	unknown("when its study is deleted")
	if n := h.server.studies.Jobs.Waiting(); n != 0 {
		t.Errorf("%d are still looked after", n)
	}
}

// maxJobs is how many a study has.
const maxJobs = 20

// TestJobRoom: a study has so many jobs, and the oldest that is over makes room.
func TestJobRoom(t *testing.T) {
	now := time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
	word := make(chan struct{})
	h := newTestServer(t, func(c *Config) {
		c.Runner, c.Now = newSlowRunner(t, word), func() time.Time { now = now.Add(time.Second); return now }
	})
	h.want(201, "POST", "/v1/studies", tea, nil)
	ask := func(seed int) string { return fmt.Sprintf(`{"raters":1,"max_questions":1,"seed":%d}`, seed) }
	var ids []string
	for seed := range maxJobs {
		var e Job
		h.want(202, "POST", "/v1/studies/tea/simulations", ask(seed), &e)
		ids = append(ids, e.ID)
	}
	h.refused(409, "too_many_jobs", "", "POST", "/v1/studies/tea/simulations", ask(maxJobs))
	word <- struct{}{} // the oldest is done
	h.finish("tea", ids[0])
	var e Job
	h.want(202, "POST", "/v1/studies/tea/simulations", ask(maxJobs), &e)
	var list struct{ Jobs []Job }
	h.want(200, "GET", "/v1/studies/tea/jobs", "", &list)
	var got, want []string
	for i := range list.Jobs {
		got, want = append(got, list.Jobs[i].ID), append(want, append(ids, e.ID)[maxJobs-i])
	}
	if len(got) != maxJobs || !reflect.DeepEqual(got, want) {
		t.Errorf("the list is\n%v, want\n%v", got, want)
	}
	close(word)
}

// TestJobFails: a failure is kept with what was done, and asking again is another attempt.
func TestJobFails(t *testing.T) {
	fail := true
	var mu sync.Mutex
	kinds := job.Studies{}.Kinds()
	do := kinds[job.Simulation]
	kinds[job.Simulation] = func(ctx context.Context, body json.RawMessage, part int) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if fail && part == 1 {
			return nil, errors.New("job: out of paper")
		}
		return do(ctx, body, part)
	}
	runner := job.NewLocal(kinds, func(context.Context) error { return nil })
	t.Cleanup(runner.Close)
	h := newTestServer(t, func(c *Config) { c.Runner = runner })
	h.want(201, "POST", "/v1/studies", tea, nil)
	var e Job
	h.want(202, "POST", "/v1/studies/tea/simulations", few, &e)
	if e = h.finish("tea", e.ID); e.State != "failed" || e.Failure != "out of paper" || e.Done != 3 || e.Result.Levels[0].Finished != 2 || e.Result.Levels[1].Finished != 1 {
		t.Errorf("it ended as %+v", e)
	}
	mu.Lock()
	fail = false
	mu.Unlock()
	h.want(202, "POST", "/v1/studies/tea/simulations", few, nil)
	if e = h.finish("tea", e.ID); e.State != "done" || e.Failure != "" || e.Done != 4 {
		t.Errorf("the second attempt ended as %+v", e)
	}
	if n := h.server.studies.Counters.JobsFailed.Load(); n != 1 {
		t.Errorf("%d failures were counted", n)
	}
}

// TestJobNote: a note that cannot be read is damage, not a surprise.
func TestJobNote(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", tea, nil)
	for _, body := range []string{"{", `{"kind":"simulation","body":{},"parts":0,"over":true}`, `{"body":{},"parts":1}`, `[]`} {
		if err := h.store.KeepNote(t.Context(), store.Note{Study: "tea", Name: "errand/simulation-1", Body: body}); err != nil {
			t.Fatal(err)
		}
		h.refused(500, "store_damaged", "", "GET", "/v1/studies/tea/jobs/simulation-1", "")
		h.refused(500, "store_damaged", "", "GET", "/v1/studies/tea/jobs", "")
	}
}
