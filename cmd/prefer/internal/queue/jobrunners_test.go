package queue_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
)

// TestRunners holds every runner to the same: Local with one part at a time and with several, and a queue with a worker.
func TestRunners(t *testing.T) {
	for name, open := range map[string]func(*testing.T, job.Kinds) job.Runner{
		"local": openLocal, "queue": openQueue,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits, mostly
			for name, test := range map[string]func(t *testing.T, open func(*testing.T, job.Kinds) job.Runner){
				"results": testResults, "grow": testGrow, "failure": testFailure, "drop": testDrop, "bad": testBad,
				"unknown": testUnknown, "busy": testBusy,
			} {
				t.Run(name, func(t *testing.T) { test(t, open) })
			}
		})
	}
}

func openLocal(t *testing.T, kinds job.Kinds) job.Runner {
	l := job.NewLocal(kinds, func(context.Context) error { return nil })
	t.Cleanup(l.Close)
	return l
}

func openQueue(t *testing.T, kinds job.Kinds) job.Runner {
	q, err := queue.Open(t.Context(), storetest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		_, err := (&queue.Worker{Queue: q, Jobs: 2, Kinds: kinds, Lease: 3 * time.Second}).Run(ctx)
		ended <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	for {
		s, err := q.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if workers, _ := s.Alive(); workers > 0 {
			return q.Runner()
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// counter counts how often each part was done.
type counter struct {
	mu    sync.Mutex
	times map[string]int
}

func (c *counter) count(body json.RawMessage, part int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.times == nil {
		c.times = map[string]int{}
	}
	k := fmt.Sprintf("%s %d", body, part)
	c.times[k]++
	return c.times[k]
}

func echo(c *counter) job.Kinds {
	return job.Kinds{"echo": func(_ context.Context, body json.RawMessage, part int) ([]byte, error) {
		c.count(body, part)
		return fmt.Appendf(nil, "%s %d", body, part), nil
	}}
}

// until looks at a job until it is as it should be.
func until(t *testing.T, d job.Runner, key, what string, ok func(job.Progress) bool) job.Progress {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	for {
		p, err := d.Progress(ctx, key)
		if err != nil {
			t.Fatalf("while waiting until it is %s: %v", what, err)
		}
		if p.Waiting+p.Running+p.Done+p.Failed != p.Parts {
			t.Fatalf("%+v does not add up", p)
		}
		if ok(p) {
			return p
		}
		select {
		case <-ctx.Done():
			t.Fatalf("still %+v after a minute, want it %s", p, what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func over(p job.Progress) bool { return p.Over() }

func submit(t *testing.T, d job.Runner, e job.Job) string {
	t.Helper()
	if err := d.Submit(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	return e.Key()
}

func checkResults(t *testing.T, d job.Runner, key string, want ...string) {
	t.Helper()
	got, err := d.Results(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d results, want %d", len(got), len(want))
	}
	for i, w := range want {
		if string(got[i]) != w || w == "" && got[i] != nil {
			t.Errorf("result %d is %q, want %q", i, got[i], w)
		}
	}
}

// testResults: every part is done once with its own number and the very bytes of the body, two jobs do
// not mix, and sending one again does nothing again.
func testResults(t *testing.T, open func(*testing.T, job.Kinds) job.Runner) {
	var c counter
	d := open(t, echo(&c))
	a := job.Job{Kind: "echo", Body: json.RawMessage(`{"b": 1,  "a":"ü\u00fc"}`), Parts: 3}
	b := job.Job{Kind: "echo", Body: json.RawMessage(`{"b":1,"a":"ü\u00fc"}`), Parts: 1}
	submit(t, d, a)
	submit(t, d, b)
	for range 2 {
		p := until(t, d, a.Key(), "over", over)
		if p.State() != "done" || p.Done != 3 || p.Failure != "" || p.Workers < 1 {
			t.Errorf("it ends as %+v (%s)", p, p.State())
		}
		checkResults(t, d, a.Key(), string(a.Body)+" 0", string(a.Body)+" 1", string(a.Body)+" 2")
		submit(t, d, a)
	}
	until(t, d, b.Key(), "over", over)
	checkResults(t, d, b.Key(), string(b.Body)+" 0")
	for k, n := range c.times {
		if n != 1 {
			t.Errorf("%s was done %d times", k, n)
		}
	}
}

// testGrow: more parts are added to those there are, fewer take none away.
func testGrow(t *testing.T, open func(*testing.T, job.Kinds) job.Runner) {
	var c counter
	d := open(t, echo(&c))
	e := job.Job{Kind: "echo", Body: json.RawMessage("7"), Parts: 1}
	until(t, d, submit(t, d, e), "over", over)
	e.Parts = 3
	until(t, d, submit(t, d, e), "over", over)
	checkResults(t, d, e.Key(), "7 0", "7 1", "7 2")
	e.Parts = 2
	if p := until(t, d, submit(t, d, e), "over", over); p.Parts != 3 || p.Done != 3 {
		t.Errorf("after fewer were asked for it is %+v", p)
	}
	if c.times["7 0"] != 1 {
		t.Errorf("the first part was done %d times", c.times["7 0"])
	}
}

// testFailure: a part that fails, or panics, for good leaves the others alone, says why, and gets another
// attempt when the job is sent again.
func testFailure(t *testing.T, open func(*testing.T, job.Kinds) job.Runner) {
	var mu sync.Mutex
	broken := true
	d := open(t, job.Kinds{"odd": func(_ context.Context, _ json.RawMessage, part int) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case broken && part == 1:
			return nil, errors.New("the kettle is empty")
		case broken && part == 3:
			panic("the kettle is on fire")
		}
		return []byte("tea"), nil
	}})
	e := job.Job{Kind: "odd", Body: json.RawMessage("{}"), Parts: 4}
	p := until(t, d, submit(t, d, e), "over", over)
	if p.State() != "failed" || p.Failed != 2 || p.Done != 2 || p.Failure == "" {
		t.Errorf("it ends as %+v (%s)", p, p.State())
	}
	checkResults(t, d, e.Key(), "tea", "", "tea", "")
	mu.Lock()
	broken = false
	mu.Unlock()
	if p := until(t, d, submit(t, d, e), "over", over); p.State() != "done" || p.Failure != "" {
		t.Errorf("sent again it ends as %+v (%s)", p, p.State())
	}
	checkResults(t, d, e.Key(), "tea", "tea", "tea", "tea")
}

// testDrop: dropping stops what runs, forgets everything, twice without an error, and the job can be sent
// as if it were new.
func testDrop(t *testing.T, open func(*testing.T, job.Kinds) job.Runner) {
	var mu sync.Mutex
	first := true
	begun, stopped := make(chan struct{}), make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	d := open(t, job.Kinds{"long": func(ctx context.Context, _ json.RawMessage, part int) ([]byte, error) {
		mu.Lock()
		wait := first
		mu.Unlock()
		if !wait {
			return []byte("done"), nil
		}
		begin() // later than Look says that it runs
		<-ctx.Done()
		mu.Lock()
		defer mu.Unlock()
		if first {
			first = false
			close(stopped)
		}
		return nil, context.Cause(ctx)
	}})
	e := job.Job{Kind: "long", Body: json.RawMessage("[]"), Parts: 20}
	key := submit(t, d, e)
	until(t, d, key, "running", func(p job.Progress) bool { return p.Running > 0 && p.State() == "running" })
	<-begun
	for range 2 {
		if err := d.Drop(context.Background(), key); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Progress(context.Background(), key); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("dropped, it is looked at with %v", err)
	}
	select {
	case <-stopped:
	case <-time.After(time.Minute):
		t.Fatal("the part that was running is not stopped")
	}
	if p := until(t, d, submit(t, d, e), "over", over); p.Done != 20 {
		t.Errorf("sent again it ends as %+v", p)
	}
}

// testBad: what makes no sense is refused.
func testBad(t *testing.T, open func(*testing.T, job.Kinds) job.Runner) {
	d := open(t, echo(new(counter)))
	for _, e := range []job.Job{
		{Kind: "", Body: json.RawMessage("1"), Parts: 1}, {Kind: "echo", Body: json.RawMessage("1"), Parts: 0},
		{Kind: "echo", Body: json.RawMessage("{"), Parts: 1}, {Kind: "echo", Body: json.RawMessage("1"), Parts: job.MaxParts + 1},
	} {
		if err := d.Submit(context.Background(), e); err == nil {
			t.Errorf("%+v is taken", e)
		}
	}
}

// testUnknown: a job that is not there has no progress and no results.
func testUnknown(t *testing.T, open func(*testing.T, job.Kinds) job.Runner) {
	d := open(t, echo(new(counter)))
	if _, err := d.Progress(context.Background(), "echo-1"); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("looked at with %v", err)
	}
	if _, err := d.Results(context.Background(), "echo-1"); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("its results: %v", err)
	}
}

// testBusy: many who send the same jobs at once get each done once.
func testBusy(t *testing.T, open func(*testing.T, job.Kinds) job.Runner) {
	var c counter
	d := open(t, echo(&c))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 4 {
				e := job.Job{Kind: "echo", Body: fmt.Appendf(nil, "%d", i), Parts: 2}
				if err := d.Submit(context.Background(), e); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for i := range 4 {
		until(t, d, job.Job{Kind: "echo", Body: fmt.Appendf(nil, "%d", i)}.Key(), "over", over)
	}
	for k, n := range c.times {
		if n != 1 {
			t.Errorf("%s was done %d times", k, n)
		}
	}
	if len(c.times) != 8 {
		t.Errorf("%d parts were done, want 8", len(c.times))
	}
}
