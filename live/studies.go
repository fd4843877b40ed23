package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/live/token"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Config describes a room of open studies. The zero value works: studies in memory.
type Config struct {
	// Store keeps the studies; whoever opened it closes it, after the room. Nil: they are kept in memory.
	Store store.Store

	// Budget is how long an ask may search, unless it says otherwise. Defaults to half a second; negative: as long as it takes.
	Budget time.Duration

	// Studies is the number of studies held open. Defaults to 256.
	Studies int

	// Memory is roughly how many bytes studies may take up: posteriors, and at most half of it logs of open studies. Defaults to 256 MB; negative: no bound.
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
	Jobs *Jobs

	// Tokens are links, guests and upload tokens.
	Tokens *token.Registry

	cfg        Config
	store      store.Store
	log        *slog.Logger
	cache      *cache
	processors *processors
	merging    chan struct{} // held by who merges a log that was uploaded
	background *background
	changes    *changes
	closing    context.Context // ends when the room closes, with that as its cause
	stop       context.CancelCauseFunc
}

// New returns a room in which studies can be opened. It begins to work in the background at once; Close ends that.
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
	s := &Studies{cfg: cfg, store: cfg.Store, log: cfg.Logger, closing: ctx, stop: stop, Counters: new(Counters), changes: newChanges(), processors: &processors{all: count, free: count}, merging: make(chan struct{}, 1)}
	s.cache = newCache(cfg.Studies, cfg.Memory/2, s.load, s.keepSnapshot)
	s.background = newBackground(ctx, max(0, cfg.Workers), s.Counters, s.log)
	s.Jobs = newJobs(s)
	s.Tokens = &token.Registry{Store: cfg.Store, Now: cfg.Now, Change: func(ctx context.Context, study string, do func() error) error {
		return s.Change(ctx, study, linksChanged, "", func(*Study) error { return do() })
	}, People: func(ctx context.Context, study string) (people map[string]time.Time, err error) {
		err = s.With(ctx, study, func(r *Study) error { people = r.people(); return nil })
		return people, err
	}}
	s.background.done.Go(func() { s.Jobs.lookAfter(ctx) })
	s.background.done.Go(func() { s.watchStore(ctx) })
	return s, nil
}

// Hurry ends all searches before Close; requests that wait are refused with Closing.
func (s *Studies) Hurry() {
	s.EndWatch()
	s.stop(refuse(Closing, "the server is closing; come back in a moment"))
}

// Close ends Watch, searches and background work and keeps snapshots of open studies. What has not ended when ctx does is logged and abandoned.
func (s *Studies) Close(ctx context.Context) error {
	s.Hurry()
	var left []string
	if !within(ctx, func() { s.background.wait(); s.Jobs.close() }) {
		left = s.background.left()
	}
	if err := ctx.Err(); err != nil {
		s.log.Warn("closing takes too long: left behind unfinished, nothing that was acknowledged is lost", "left", left)
		return fmt.Errorf("live: closing: %w", err)
	}
	return s.cache.shrink(ctx, 0)
}

// OpenCount returns how many studies are open.
func (s *Studies) OpenCount() int { return s.cache.count() }

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
	if err := s.keepSettings(ctx, name, settings); err != nil {
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
		return s.keepSettings(ctx, name, settings)
	})
}

// Delete removes a study with everything about it, and stops its jobs.
func (s *Studies) Delete(ctx context.Context, name string) error {
	if err := store.CheckName(name); err != nil {
		return err
	}
	jobs, err := s.Jobs.notes(ctx, name)
	if err == nil {
		err = s.store.Delete(ctx, name)
	}
	if err != nil {
		return err
	}
	for _, n := range jobs {
		if err := s.Jobs.forget(ctx, name, n.key); err != nil {
			s.log.Warn("a job of a deleted study is left", "study", name, "job", n.key, "error", err)
		}
	}
	if r := s.cache.peek(name); r != nil {
		r.end(fmt.Errorf("live: study %q was deleted: %w", name, store.ErrNoStudy))
	}
	s.Reopen(name)
	s.changes.tell(name, 0, "deleted")
	return nil
}

// Change runs do, which appends to a study, notifies watchers of the kind of event, and after answers and exclusions has a new verdict computed.
func (s *Studies) Change(ctx context.Context, name string, kind prefer.EventKind, rater string, do func(*Study) error) error {
	return s.With(ctx, name, func(r *Study) error {
		if err := do(r); err != nil {
			return err
		}
		s.changes.tell(name, r.Seq(), string(kind))
		switch kind {
		case "answered", "observed", "undone", "excluded":
			s.afterAnswer(r, rater)
		}
		return nil
	})
}

// Error is a request that a study cannot meet, with the reason in words, and Code its kind. Other errors are those of packages prefer and contract.
type (
	Error = token.Error
	Code  = token.Code
)

// The kinds of refusals.
const (
	Invalid          = token.Invalid   // a field makes no sense
	Paused      Code = "paused"        // the owner lets nobody answer for now
	OwnerOnly   Code = "owner_only"    // a rater may not say so
	NoDuels     Code = "no_duels"      // raters of this study report no duels of their own
	AskFirst    Code = "ask_first"     // a question is to be answered before
	Ended       Code = "ended"         // she has given her answers
	OtherRater  Code = "other_rater"   // it belongs to somebody else
	NoQuestion  Code = "no_question"   // there is no such question
	NoAnswer    Code = "no_answer"     // there is no such answer
	TooQuick    Code = "too_quick"     // nobody can have looked in that time
	NoResults   Code = "no_results"    // raters do not see the results of this study
	NoJob       Code = "no_job"        // there is no such job
	NoReport    Code = "no_report"     // there is no page, or not yet
	TooManyJobs Code = "too_many_jobs" // others must be over first
	NoRunner    Code = "runner_unavailable"
	TooMany     Code = "too_many" // watch already
	Closing     Code = "closing"  // the room is
	TooLate     Code = "too_late" // nothing was found in time, for too many ask at once

	NoLink        = token.NoLink
	LinkWithdrawn = token.LinkWithdrawn
	LinkExpired   = token.LinkExpired
	LinkRenewed   = token.LinkRenewed
	NameTaken     = token.NameTaken
	Forgotten     = token.Forgotten

	OtherConfig  Code = "other_configuration" // a log is not of this study
	RaterDiffers Code = "rater_differs"       // the study has another log of the rater
)

// refuse returns an error about no field in particular.
func refuse(code Code, format string, args ...any) error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// invalid returns the error of one field that makes no sense.
func invalid(field string, value any, format string, args ...any) error {
	return &Error{Code: Invalid, Field: field, Value: value, Detail: fmt.Sprintf(format, args...)}
}

// notFound returns the error of something that the log does not have.
func notFound(code, format string, args ...any) error {
	return &prefer.Error{Code: code, Detail: fmt.Sprintf(format, args...), Err: prefer.ErrNotFound}
}
