package live

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer"
)

// Study is a study that is open, with what the room knows about it beside its log.
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

	gone      context.Context // ends when the study is deleted, with that as its cause
	end       context.CancelCauseFunc
	searching chan struct{} // held by the one request that is searching for a question; a channel, so that waiting honours a context

	kept  atomic.Int64 // answers at the last snapshot
	posed sync.Map     // shownQuestion by prefer.QuestionID: questions that this process put and has no answer to

	mu       sync.Mutex // guards what follows
	index    index
	verdicts map[string]standing       // the last ones, by rater and contexts; "" where all share one utility and there are none
	renewal  *renewal                  // of the stock, or nil
	ahead    context.CancelFunc        // ends the search for what may come next, where all share one thread
	lost     []Lost                    // options that could not be shown, as far as this process knows
	refused  map[prefer.QuestionID]int // answers that were too quick, as far as this process knows
}

func (r *Study) host() *prefer.Host { return r.Study.Host() }

// load opens a study from the store.
func (s *Studies) load(ctx context.Context, name string) (*Study, error) {
	study, err := s.store.Study(ctx, name)
	if err != nil {
		return nil, err
	}
	made, settings, err := settingsIn(ctx, s.store, name, study)
	if err != nil {
		return nil, err
	}
	r := &Study{Name: name, Study: study, Config: study.Config(), Settings: settings, made: made, verdicts: map[string]standing{}, refused: map[prefer.QuestionID]int{}, searching: make(chan struct{}, 1)}
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

// MayLook refuses a rater what only a study that shows results lets her see.
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
	perAnswer = 3 << 10
	perStudy  = 64 << 10
)

// weight estimates how many bytes of memory the log of a study takes up.
func (r *Study) weight() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return perStudy + int64(r.index.standing)*perAnswer
}
