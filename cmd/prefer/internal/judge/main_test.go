package judge

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// tea is a study of two parameters whose questions are quick to choose.
var tea = prefer.Config{Space: space.Box(space.Float("leaves", 0, 1), space.Float("minutes", 0, 10)), Prompt: "Which cup?", Seed: 7,
	Modelling: prefer.Modelling{Search: acquisition.Search{Candidates: 64, Starts: 2, Finalists: 1, Evals: 30}}}

// room opens a room on the store at an address, with the study tea unless it is there.
func room(t testing.TB, address string, cfg prefer.Config) *live.Studies {
	t.Helper()
	st, err := sqlstore.Open(t.Context(), address, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	studies, err := live.New(live.Config{Store: st, Budget: -1, Workers: -1, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := studies.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := studies.With(t.Context(), "tea", func(*live.Study) error { return nil }); err != nil {
		if err := studies.Create(t.Context(), "tea", cfg, live.Settings{}); err != nil {
			t.Fatal(err)
		}
	}
	return studies
}

func file(t testing.TB) string { return filepath.Join(t.TempDir(), "tea.db") }

// history returns the answers of the study tea.
func history(t testing.TB, studies *live.Studies) (out []prefer.Entry) {
	t.Helper()
	if err := studies.With(t.Context(), "tea", func(s *live.Study) error { out = s.Study.History(); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// likes answers by a taste that is best at 0.3 and 4 minutes.
func likes(o Option) float64 {
	x, y := o.Params.Float("leaves")-0.3, (o.Params.Float("minutes")-4)/10
	return -x*x - y*y
}

func honest(_ context.Context, q Question) (Reply, error) {
	if likes(q.First) > likes(q.Second) {
		return Reply{Choice: prefer.First}, nil
	}
	return Reply{Choice: prefer.Second}, nil
}

// once fails when a question is judged twice, or two calls are beyond what is allowed at a time.
type once struct {
	mu      sync.Mutex
	seen    map[string]bool
	now, at int
}

func (o *once) watch(t *testing.T, most int, call Call) Call {
	o.seen = map[string]bool{}
	return func(ctx context.Context, q Question) (Reply, error) {
		o.mu.Lock()
		key := fmt.Sprint(q.ID, " ", q.Attempt)
		if o.seen[key] {
			t.Errorf("%s is judged twice", key)
		}
		o.seen[key] = true
		o.now++
		o.at = max(o.at, o.now)
		if o.now > most {
			t.Errorf("%d calls at a time, want at most %d", o.now, most)
		}
		o.mu.Unlock()
		defer func() { o.mu.Lock(); o.now--; o.mu.Unlock() }()
		time.Sleep(time.Millisecond) // so that calls are at hand together
		return call(ctx, q)
	}
}

// several reports whether calls were at hand together.
func (o *once) several() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.at > 1
}

// start runs judges as the command line does where c says nothing; -1 retries or repeats are none.
func start(ctx context.Context, c Config) (Result, error) {
	c.Parallel, c.Budget, c.GiveUp = cmp.Or(c.Parallel, 8), cmp.Or(c.Budget, 200), cmp.Or(c.GiveUp, 12)
	c.Timeout, c.Backoff = cmp.Or(c.Timeout, time.Minute), cmp.Or(c.Backoff, 500*time.Millisecond)
	c.Retries, c.Repeats = max(0, cmp.Or(c.Retries, 2)), max(0, cmp.Or(c.Repeats, 0.1))
	return Run(ctx, c)
}
