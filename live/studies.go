package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/histogram"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/live/internal/cache"
	"github.com/prefer-bo/prefer/live/internal/jobs"
	"github.com/prefer-bo/prefer/live/internal/notices"
	"github.com/prefer-bo/prefer/live/internal/work"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Config describes Studies. The zero value works: studies in memory.
type Config struct {
	// Store keeps the studies; the caller closes it, after Studies. Nil: they are kept in memory.
	Store store.Store

	// Budget is how long an ask may search, unless it says otherwise. Defaults to half a second; negative: as long as it takes.
	Budget time.Duration

	// Studies is the number of studies held open. Defaults to 256.
	Studies int

	// Memory is roughly how many bytes studies may take up: posteriors, and at most half of it logs of open studies. Defaults to 128 MB; negative: no bound.
	Memory int64

	// Workers is the number of background searches at a time. Defaults to the number of processors less one, at least one; negative: none.
	Workers int

	// OneThread says that all goroutines share one thread, as in a browser: a search that a rater waits for goes before background work.
	OneThread bool

	// Runner does long work: simulations and reports. Nil: this process does the Kinds, one part at a time, none while raters wait for a search.
	Runner job.Runner
	Kinds  job.Kinds

	// Media returns what a page needs to show the media of an item. Nil: questions name media and no more.
	Media func(study string, item space.Item) *Media

	// Logger defaults to slog.Default.
	Logger *slog.Logger

	// Now tells the time for response times and notes. Defaults to time.Now.
	Now func() time.Time
}

// Studies are the studies of one store, open as far as somebody uses them. All methods are safe for concurrent use.
type Studies struct {
	// Counters count what happened since the beginning.
	Counters *Counters

	// Jobs are the long work of the studies.
	Jobs *jobs.Jobs

	// Tokens are links, guests and upload tokens.
	Tokens *token.Registry

	cfg        Config
	store      store.Store
	log        *slog.Logger
	cache      cache.Cache[Study]
	processors *work.Processors
	merging    chan struct{} // held while a log that was uploaded is merged
	background *work.Queue
	notices    *notices.Hub
	closing    context.Context // ends with Close, with that as its cause
	stop       context.CancelCauseFunc
}

// Counters count what happened since New.
type Counters struct {
	Asks  histogram.Histogram // how long raters waited for a question
	Tells histogram.Histogram // how long an answer took to be kept

	// What /metrics calls each, in its order.
	Hits       atomic.Int64 `metric:"prefer_prefetch_hits_total" help:"Questions that had been chosen while the rater looked at the one before."`
	Misses     atomic.Int64 `metric:"prefer_prefetch_misses_total" help:"Questions that had to be searched for while the rater waited."`
	Prefetched atomic.Int64 `metric:"prefer_prefetched_total" help:"Questions chosen ahead of time."`
	Stocked    atomic.Int64 `metric:"prefer_stocked_total" help:"Questions chosen for a crowd."`
	StockHits  atomic.Int64 `metric:"prefer_stock_hits_total" help:"Questions of those that were asked."`
	StockWaits atomic.Int64 `metric:"prefer_stock_waits_total" help:"Times a rater of a crowd waited for such questions to be chosen."`
	TooLate    atomic.Int64 `metric:"prefer_too_late_total" help:"Times a rater was refused with a retry because no question was found in time."`
	Shared     atomic.Int64 `metric:"prefer_shared_total" help:"Questions that another process had chosen ahead of time."`
	OutOfTurn  atomic.Int64 `metric:"prefer_out_of_turn_total" help:"Questions chosen while another process was choosing one."`
	Partial    atomic.Int64 `metric:"prefer_partial_total" help:"Questions whose search was cut short by the budget."`
	Dropped    atomic.Int64 `metric:"prefer_background_dropped_total" help:"Background jobs that found the queue full."`
	Conflicts  atomic.Int64 `metric:"prefer_conflicts_total" help:"Changes repeated because another process came first."`
	JobsSent   atomic.Int64 `metric:"prefer_jobs_sent_total" help:"Simulations and reports that were asked for."`
	JobsDone   atomic.Int64 `metric:"prefer_jobs_done_total" help:"Of those this server looked after, done."`
	JobsFailed atomic.Int64 `metric:"prefer_jobs_failed_total" help:"Of those this server looked after, failed."`
}

// New returns the studies of a store. It begins to work in the background at once; Close ends that.
func New(cfg Config) (*Studies, error) {
	if cfg.Studies < 0 {
		return nil, fmt.Errorf("live: Config.Studies = %d, want how many studies are held open, or 0 for 256", cfg.Studies)
	}
	if cfg.Store == nil {
		cfg.Store = store.NewMemory()
	}
	cfg.Budget = cmp.Or(cfg.Budget, 500*time.Millisecond)
	cfg.Studies = cmp.Or(cfg.Studies, 256)
	if cfg.Memory != 0 {
		memory.Process.SetLimit(cfg.Memory)
	}
	cfg.Memory = cmp.Or(cfg.Memory, memory.Default)
	cfg.Workers = cmp.Or(cfg.Workers, max(1, runtime.GOMAXPROCS(0)-1))
	cfg.Logger = cmp.Or(cfg.Logger, slog.Default())
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	count := map[bool]int{true: 2, false: runtime.NumCPU()}[cfg.OneThread]
	ctx, stop := context.WithCancelCause(context.Background())
	s := &Studies{cfg: cfg, store: cfg.Store, log: cfg.Logger, closing: ctx, stop: stop, Counters: new(Counters), notices: notices.New(), processors: work.NewProcessors(count), merging: make(chan struct{}, 1)}
	s.cache.Size, s.cache.Memory, s.cache.Wait, s.cache.Open, s.cache.Keep, s.cache.Weight = cfg.Studies, cfg.Memory/2, maxWait, s.load, s.keepSnapshot, (*Study).weight
	s.background = work.NewQueue(ctx, max(0, cfg.Workers), &s.Counters.Dropped, s.log)
	s.Jobs = jobs.New(jobs.Config{Store: cfg.Store, Runner: cfg.Runner, Kinds: cfg.Kinds, Before: s.afterSearches, Exists: s.Exists,
		Sent: &s.Counters.JobsSent, Done: &s.Counters.JobsDone, Failed: &s.Counters.JobsFailed, Logger: s.log, Now: cfg.Now})
	s.Tokens = &token.Registry{Store: cfg.Store, Now: cfg.Now, Change: func(ctx context.Context, study string, do func() error) error {
		return s.Change(ctx, study, notices.Links, "", func(*Study) error { return do() })
	}, People: func(ctx context.Context, study string) (map[string]time.Time, error) {
		return In(ctx, s, study, func(r *Study) (map[string]time.Time, error) { return r.people(), nil })
	}}
	s.background.Go(func() { s.Jobs.Collect(ctx) })
	s.background.Go(func() { s.watchStore(ctx) })
	return s, nil
}

// Exists returns why there is no such study, or nil.
func (s *Studies) Exists(ctx context.Context, name string) error {
	return s.With(ctx, name, func(*Study) error { return nil })
}

// afterSearches returns when no rater waits for a search. It holds no processor: for minutes that would keep verdicts from being computed.
func (s *Studies) afterSearches(ctx context.Context) error {
	if !s.processors.Take(ctx, true) {
		return context.Cause(ctx)
	}
	s.processors.Give()
	return nil
}

// CancelSearches ends all searches before Close; waiting requests are refused with Closing.
func (s *Studies) CancelSearches() {
	s.notices.Close()
	s.stop(refuse(Closing, "the server is shutting down; try again in a moment"))
}

// Close ends Watch, searches and background work and keeps snapshots of open studies. What has not ended when ctx does is logged and abandoned.
func (s *Studies) Close(ctx context.Context) error {
	s.CancelSearches()
	done := make(chan struct{})
	go func() { defer close(done); s.background.Wait(); s.Jobs.Close() }()
	select {
	case <-done:
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		s.log.Warn("closing takes too long: left behind unfinished, nothing that was acknowledged is lost", "left", s.background.Running())
		return fmt.Errorf("live: closing: %w", err)
	}
	return s.cache.Shrink(ctx, 0)
}

// OpenCount returns how many studies are open.
func (s *Studies) OpenCount() int { return s.cache.Len() }

// List returns what is in the store, sorted by name.
func (s *Studies) List(ctx context.Context) ([]store.Info, error) { return s.store.List(ctx) }

// Create makes a study and the settings it is served with, or neither.
func (s *Studies) Create(ctx context.Context, name string, cfg prefer.Config, settings Settings) error {
	if err := settings.Validate(ctx, cfg); err != nil {
		return err
	}
	cfg.Budget = cmp.Or(cfg.Budget, settings.Page.Goal) // so that a report, which reads the log alone, says the same as the page
	if _, err := s.store.Create(ctx, name, cfg); err != nil {
		return err
	}
	if err := settings.Keep(ctx, s.store, name); err != nil {
		return errors.Join(err, s.store.Delete(context.WithoutCancel(ctx), name))
	}
	return nil
}

// Run gives settings to a study of the store that has none, because its log was kept elsewhere.
func (s *Studies) Run(ctx context.Context, name string, settings Settings) error {
	return s.With(ctx, name, func(r *Study) error {
		if err := settings.Validate(ctx, r.Config); err != nil {
			return err
		}
		s.Reopen(name)
		return settings.Keep(ctx, s.store, name)
	})
}

// Delete removes a study with everything about it, and stops its jobs.
func (s *Studies) Delete(ctx context.Context, name string) error {
	if err := store.CheckName(name); err != nil {
		return err
	}
	forgetJobs, err := s.Jobs.Deleting(ctx, name)
	if err == nil {
		err = s.store.Delete(ctx, name)
	}
	if err != nil {
		return err
	}
	forgetJobs()
	if r := s.cache.Peek(name); r != nil {
		r.end(fmt.Errorf("live: study %q was deleted: %w", name, store.ErrNoStudy))
	}
	s.Reopen(name)
	s.notices.Notify(name, 0, "deleted")
	return nil
}

// Change runs do, which appends to a study, notifies watchers of the kind of event, and after answers and exclusions has a new verdict computed.
func (s *Studies) Change(ctx context.Context, name string, kind prefer.EventKind, rater string, do func(*Study) error) error {
	return s.With(ctx, name, func(r *Study) error {
		if err := do(r); err != nil {
			return err
		}
		s.notices.Notify(name, r.Seq(), string(kind))
		switch kind {
		case "answered", "observed", "undone", "excluded":
			r.afterAnswer(rater)
		}
		return nil
	})
}

// Error is a request that a study cannot meet, with the reason in words, and Code its kind. Other errors are those of packages prefer and store.
type (
	Error = token.Error
	Code  = token.Code
)

// The kinds of refusals.
const (
	Invalid          = token.Invalid // a field makes no sense
	Paused      Code = "paused"      // the owner lets nobody answer for now
	OwnerOnly   Code = "owner_only"  // a rater may not say so
	NoDuels     Code = "no_duels"    // raters of this study report no duels of their own
	AskFirst    Code = "ask_first"   // a question is to be answered before
	Ended       Code = "ended"       // the rater has given all answers
	OtherRater  Code = "other_rater" // it belongs to somebody else
	NoQuestion  Code = "no_question" // there is no such question
	NoAnswer    Code = "no_answer"   // there is no such answer
	TooQuick    Code = "too_quick"   // nobody can have looked in that time
	NoResults   Code = "no_results"  // raters do not see the results of this study
	NoJob            = jobs.NoJob
	NoReport         = jobs.NoReport
	TooManyJobs      = jobs.TooManyJobs
	NoRunner         = jobs.NoRunner
	TooMany          = notices.TooMany // watch already
	Closing          = notices.Closing // the server is
	TooLate     Code = "too_late"      // nothing was found in time, for too many ask at once

	NoLink        = token.NoLink
	LinkWithdrawn = token.LinkWithdrawn
	LinkExpired   = token.LinkExpired
	LinkRenewed   = token.LinkRenewed
	NameTaken     = token.NameTaken
	Forgotten     = token.Forgotten

	OtherConfig  Code = "other_configuration" // a log is not of this study
	RaterDiffers Code = "rater_differs"       // the study has another log of the rater
)

// refuse returns an error about no field in particular, invalid that of a field.
var refuse, invalid = token.Refuse, token.RefuseField

func notFound(code, format string, args ...any) error {
	return &prefer.Error{Code: code, Detail: fmt.Sprintf(format, args...), Err: prefer.ErrNotFound}
}
