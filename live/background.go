package live

import (
	"context"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer/internal/cooperate"
)

// background does work while raters look: next questions, verdicts, snapshots. Tasks wait once each; if the queue is full they are dropped.
type background struct {
	ctx      context.Context
	counters *Counters
	log      *slog.Logger
	tasks    chan task
	done     sync.WaitGroup

	mu      sync.Mutex
	waiting map[string]bool
	running map[string]int
	stopped bool
}

type task struct {
	name string
	do   func(context.Context)
}

// queueLength is how many tasks may wait.
const queueLength = 512

func newBackground(ctx context.Context, workers int, counters *Counters, log *slog.Logger) *background {
	b := &background{ctx: ctx, counters: counters, log: log, tasks: make(chan task, queueLength), waiting: map[string]bool{}, running: map[string]int{}}
	for range workers {
		b.done.Go(b.work)
	}
	return b
}

func (b *background) work() {
	for {
		select {
		case <-b.ctx.Done():
			return
		case t := <-b.tasks:
			b.mu.Lock()
			delete(b.waiting, t.name)
			b.mu.Unlock()
			if b.ctx.Err() == nil {
				b.run(t)
			}
		}
	}
}

// run does a task. One that panics is not worth the process: whoever wants its result meets the same in a request.
func (b *background) run(t task) {
	b.mu.Lock()
	b.running[t.name]++
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		if b.running[t.name]--; b.running[t.name] == 0 {
			delete(b.running, t.name)
		}
		b.mu.Unlock()
		if p := recover(); p != nil {
			b.log.Error("a background task panicked", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	cooperate.Yield()
	t.do(b.ctx)
}

// begin does a task beside the queue, at once; false at the end of it all. The caller sees to it that there are few.
func (b *background) begin(name string, do func(context.Context)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return false
	}
	b.done.Go(func() { b.run(task{name, do}) })
	return true
}

// add queues a task unless one of that name waits already.
func (b *background) add(name string, do func(context.Context)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting[name] {
		return
	}
	select {
	case b.tasks <- task{name, do}:
		b.waiting[name] = true
	default:
		b.counters.Dropped.Add(1)
	}
}

// wait returns when nothing runs any more, after the context has ended.
func (b *background) wait() {
	b.mu.Lock()
	b.stopped = true // who is in begin has counted its task, and nobody begins one any more
	b.mu.Unlock()
	b.done.Wait()
}

// left returns the names of what is running.
func (b *background) left() (names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name := range b.running {
		names = append(names, strings.ReplaceAll(name, "\x00", " "))
	}
	slices.Sort(names)
	return names
}

// within reports whether do returned before ctx ended. Otherwise it is left behind, and the process may end without it.
func within(ctx context.Context, do func()) bool {
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}

// afterQuestion chooses in the background what comes next, for every answer of the rater; not while others answer, whose answers would outdate it.
func (s *Studies) afterQuestion(r *Study, rater string) {
	s.background.add("ahead "+r.Name+"\x00"+rater, func(ctx context.Context) {
		ctx, stop := both(ctx, r.gone)
		defer stop()
		if s.cfg.OneThread {
			defer r.lookAhead(stop)()
		}
		if r.situation(rater, s.cfg.Now()).others > 0 || !s.processors.take(ctx, true) {
			return
		}
		defer s.processors.give()
		n, err := r.host().Prefetch(ctx, rater)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("nothing chosen ahead", "study", r.Name, "error", err)
			return
		}
		s.Counters.Prefetched.Add(int64(n))
		if n == 0 {
			return
		}
		if err := s.store.KeepAhead(ctx, r.Study, rater); err != nil && ctx.Err() == nil {
			s.log.Warn("what was chosen ahead is not shared", "study", r.Name, "error", err)
		}
	})
}

// lookAhead notes how to end the search for what may come next, and returns how to forget that.
func (r *Study) lookAhead(stop context.CancelFunc) (done func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ahead = stop
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.ahead = nil
	}
}

// afterAnswer does in the background what follows from an answer: the verdict, and now and then a snapshot.
func (s *Studies) afterAnswer(r *Study, rater string) {
	var then followUp
	r.look(func(x *index) { then = r.followUp(x, rater) })
	s.follow(r, then)
}

// followUp is what an answer of a rater asks of the background.
type followUp struct {
	rater, verdict string // whose verdict, and its key
	answers        int    // that stand
}

// followUp returns what an answer of a rater asks of the background. The lock is held.
func (r *Study) followUp(x *index, rater string) followUp {
	return followUp{rater, key(r.Utility(rater), x.context(rater).String()), x.standing}
}

// follow does in the background what an answer asks for.
func (s *Studies) follow(r *Study, f followUp) {
	s.background.add("verdict "+r.Name+"\x00"+f.verdict, func(ctx context.Context) {
		ctx, stop := both(ctx, r.gone)
		defer stop()
		others := r.situation(f.rater, s.cfg.Now()).others
		crowded := others >= crowd && !s.processors.mayJudge()
		if crowded || !r.stale(f.rater, others) || !s.processors.take(ctx, true) {
			return
		}
		defer s.processors.give()
		defer s.processors.judged(time.Now())
		if _, err := r.Verdict(ctx, f.rater); err != nil && ctx.Err() == nil {
			s.log.Warn("no verdict", "study", r.Name, "error", err)
			return
		}
		s.changes.tell(r.Name, r.Seq(), "verdict")
	})
	if kept := r.kept.Load(); f.answers >= int(kept)+snapshotEvery && r.kept.CompareAndSwap(kept, int64(f.answers)) {
		s.background.add("snapshot "+r.Name, func(ctx context.Context) {
			_ = s.keepSnapshot(ctx, r)            // it has said what went wrong
			_ = s.cache.shrink(ctx, s.cache.size) // it has said what went wrong, and nothing is lost
		})
	}
}

// snapshotEvery is the number of answers after which a snapshot is kept.
const snapshotEvery = 10

// keepSnapshot keeps what makes opening the study again quick.
func (s *Studies) keepSnapshot(ctx context.Context, r *Study) error {
	lasting, stop := lasting(ctx)
	defer stop()
	err := s.store.KeepSnapshot(lasting, r.Study)
	if err != nil {
		s.log.Warn("no snapshot was kept", "study", r.Name, "error", err)
	}
	return err
}
