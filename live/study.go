package live

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live/internal/settings"
	"github.com/prefer-bo/prefer/live/internal/work"
)

// Study is an open study, with what this process knows about it in addition to its log.
type Study struct {
	Name     string
	Study    *prefer.Study
	Config   prefer.Config
	Settings Settings
	Created  time.Time

	// Hash names the configuration that the study was made with (prefer.Config.Hash), worked out when first wanted.
	Hash func() (string, error)

	made      Settings     // as the study was made with, before Settings were changed
	unchanged atomic.Int64 // the last event known not to have changed the study since it was opened

	studies   *Studies        // that it is open in
	gone      context.Context // ends when the study is deleted, with that as its cause
	end       context.CancelCauseFunc
	searching chan struct{} // held by the one request that is searching for a question; a channel, so that waiting honours a context

	kept  atomic.Int64                       // answers at the last snapshot
	posed sync.Map                           // shownQuestion by prefer.QuestionID: questions that this process put and has no answer to
	ahead atomic.Pointer[context.CancelFunc] // ends the search for what may come next

	mu       sync.Mutex // guards what follows
	index    index
	verdicts map[string]standing       // the last ones, by rater and contexts; "" where all share one utility and there are none
	renewal  *renewal                  // of the stock, or nil
	lost     []Lost                    // options that could not be shown, as far as this process knows
	refused  map[prefer.QuestionID]int // answers that were too quick, as far as this process knows
}

func (r *Study) host() *prefer.Host {
	h := r.Study.Host()
	h.Shown = func(id prefer.QuestionID) prefer.Answer {
		as, _ := r.placed(id)
		return prefer.Answer{Swapped: as.swapped, RandomSides: true}
	}
	return h
}

// maxWait is how long a request waits for the store, which has timeouts of its own for a database that restarts.
const maxWait = 20 * time.Second

// detached returns a context that ignores the request's cancellation but ends after maxWait, so that a write that has begun completes.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), maxWait)
}

// Times are how long the parts of a request took.
type Times = work.Times

// WithTimes returns a context under which a request keeps its times.
func WithTimes(ctx context.Context) (context.Context, *Times) { return work.WithTimes(ctx) }

// With runs do on a study as the store has it. When another process appends meanwhile, the study catches up and do runs again.
func (s *Studies) With(ctx context.Context, name string, do func(*Study) error) error {
	for try := 1; ; try++ {
		r, err := s.current(ctx, name)
		if err != nil {
			return err
		}
		err = do(r)
		if !errors.Is(err, prefer.ErrConflict) {
			return err
		}
		s.Counters.Conflicts.Add(1)
		if try == 20 { // others always went first
			return err
		}
		select {
		case <-time.After(time.Duration(rand.Int64N(int64(time.Millisecond << min(try, 5))))):
		case <-ctx.Done():
			return fmt.Errorf("live: study %q: %w, while waiting because of: %w", name, context.Cause(ctx), err)
		}
	}
}

// In returns what do finds in a study, as With runs it.
func In[T any](ctx context.Context, s *Studies, name string, do func(*Study) (T, error)) (out T, err error) {
	err = s.With(ctx, name, func(r *Study) (err error) {
		out, err = do(r)
		return err
	})
	return out, err
}

// current returns a study that ends where its log does.
func (s *Studies) current(ctx context.Context, name string) (*Study, error) {
	ctx, stop := context.WithTimeout(ctx, maxWait)
	defer stop()
	defer work.Timing(ctx).Since("store", time.Now())
	r, err := s.cache.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	moved, ok, err := s.store.Follow(ctx, r.Study)
	if err != nil {
		return nil, err
	}
	if !ok || r.outdated() { // opened again, it is as the store has it
		moved = 1
		s.cache.Drop(name, r)
		if r, err = s.cache.Get(ctx, name); err != nil {
			return nil, err
		}
	}
	if moved > 0 { // another process has changed it
		s.notices.Notify(name, r.Seq(), "elsewhere")
	}
	return r, nil
}

// Reopen has the next request for a study open it again.
func (s *Studies) Reopen(name string) {
	if r := s.cache.Peek(name); r != nil {
		s.cache.Drop(name, r)
	}
}

func (s *Studies) load(ctx context.Context, name string) (*Study, error) {
	study, err := s.store.Study(ctx, name)
	if err != nil {
		return nil, err
	}
	made, now, err := settings.In(ctx, s.store, name, study)
	if err != nil {
		return nil, err
	}
	r := &Study{studies: s, Name: name, Study: study, Config: study.Config(), Settings: now, made: made, verdicts: map[string]standing{}, refused: map[prefer.QuestionID]int{}, searching: make(chan struct{}, 1)}
	r.unchanged.Store(int64(study.Seq()))
	r.gone, r.end = context.WithCancelCause(context.Background())
	r.index = newIndex(r.Config)
	first := study.Events(0)[0]
	r.Created, r.Hash = first.Time, sync.OnceValues(first.Created.Config.Hash)
	r.look(func(x *index) { r.kept.Store(int64(x.standing)) })
	return r, nil
}

// both returns a context that ends when either of two does, with its cause.
func both(ctx, other context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	return out, func() { stop(); cancel(nil) }
}

// outdated reports whether the study was changed since it was opened: the next request opens it again, so that Config never changes in use.
func (r *Study) outdated() bool {
	seen := int(r.unchanged.Load())
	for _, e := range r.Study.Events(seen) {
		if e.Changed != nil {
			return true
		}
		seen = e.Seq
	}
	r.unchanged.Store(int64(seen))
	return false
}

func (r *Study) notify(kind string) { r.studies.notices.Notify(r.Name, r.Seq(), kind) }

// Size returns how many answers stand, skips and checks not counted, and how many items the study has.
func (r *Study) Size() (answers, items int) {
	r.look(func(x *index) {
		items = len(x.listed)
		for who, each := range x.taught {
			if !x.out[who.person] {
				answers += each.answers
			}
		}
	})
	return answers, items
}

// HasMedia reports whether an item of the study has this file.
func (r *Study) HasMedia(name string) bool {
	return inIndex(r, func(x *index) bool { return x.media[name] })
}

// MayLook refuses raters the results of a study that does not show them.
func (r *Study) MayLook(owner bool) error {
	if !owner && !r.Settings.ShowResult {
		return refuse(NoResults, "this study does not show its results to raters")
	}
	return nil
}

// mayChange refuses raters questions, answers and undo while the study is paused.
func (r *Study) mayChange(owner bool) error {
	if r.Settings.Page.Paused && !owner {
		return refuse(Paused, "the study is paused; come back later, your answers are kept")
	}
	return nil
}

// What the log of an open study takes up, as BenchmarkStudyMemory measured it. Posteriors are counted where they are kept (package memory).
const (
	perAnswer = 4 << 10
	perStudy  = 64 << 10
)

// weight estimates how many bytes of memory the log of a study takes up.
func (r *Study) weight() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return perStudy + int64(r.index.standing)*perAnswer
}

// keepSnapshot keeps what makes opening the study again quick.
func (s *Studies) keepSnapshot(ctx context.Context, r *Study) error {
	detachedCtx, stop := detached(ctx)
	defer stop()
	err := s.store.KeepSnapshot(detachedCtx, r.Study)
	if err != nil {
		s.log.Warn("no snapshot was kept", "study", r.Name, "error", err)
	}
	return err
}
