package prefer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/space"
)

// Study is one search for one favourite. All methods are safe for concurrent use.
//
// A study is a fold over its events: New writes the first, Ask, Tell, Observe and Undo append more, and Open rebuilds the same study from them. Best, Belief
// and Verdict only look: they never change a later question.
type Study struct {
	cfg    Config        // never changed; what an owner may change is read from state.cfg
	asking chan struct{} // held by the one Ask that is choosing; a channel, so that waiting honours a context

	mu           sync.Mutex // guards what follows
	state        *state
	events       []Event
	ahead        map[string]ahead          // by rater
	late         map[string]chosenQuestion // by rater: could not be kept, because another process had appended something
	stock        stock
	chains       []chain.Sum                // of the first events, as far as somebody wanted to know
	questionFits learn.Cache                // that questions are chosen by
	beliefFits   learn.Cache                // that statements are made by
	picks        memory.Memo[Best]          // by pickKey
	known        memory.Memo[*crowd.Member] // of a group, by pickKey
	camps        memory.Memo[float64]       // odds of camps in it
}

// chosenQuestion is a question on its way to the log.
type chosenQuestion struct {
	Question
	view view         // it was chosen from
	hold space.Option // the side that was given, or nil
}

// ahead are the questions that would come next, one for each answer to the open one.
type ahead struct {
	seq  int // of the log they were chosen from
	next map[string]Question
}

// stock are questions for the next rater of a crowd who asks.
type stock struct {
	filling chan struct{}      // held by the one who fills it
	noise   map[string]float64 // of the raters, relative to the study's
	left    []stocked          // newest log first, then best first
}

// stocked is a question in stock. Its From is the log it was chosen from.
type stocked struct {
	*asked
	answers int // in that log
}

// New starts a study.
func New(ctx context.Context, cfg Config) (*Study, error) {
	if err := errors.Join(cfg.checkMethod(), coding.Affordable(cfg.Space)); err != nil {
		return nil, err
	}
	s := newStudy(cfg.fresh().withDefaults())
	if err := s.append(ctx, Event{Kind: kindCreated, Created: &createdEvent{Config: s.cfg, Kernels: gp.Kernels()}}); err != nil {
		return nil, err
	}
	return s, nil
}

// OpenOptions is what a study that is opened again takes from the process it is opened in. The zero value will do for looking at a log.
type OpenOptions struct {
	// Journal keeps further events. Nil keeps them in memory only.
	Journal Journal

	// Now tells the time for the log. Defaults to time.Now. No decision depends on it.
	Now func() time.Time

	// Snapshot is what Host.Snapshot returned for the same study: a quicker start.
	Snapshot []byte

	// Chooser is the method of a study that was created with Config.Chooser. Without it such a study can be looked at and told, but not asked.
	Chooser acquisition.Method
}

// Open rebuilds a study from its events, which a Journal kept or Events returned. The space, seed and
// everything else that describes the study come from the log.
func Open(ctx context.Context, events []Event, o OpenOptions) (*Study, error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, fmt.Errorf("prefer: Open needs at least the \"created\" event: %w", ErrEvents)
	}
	st, err := replayed(events)
	if err != nil {
		return nil, err
	}
	cfg := st.cfg
	cfg.Journal, cfg.Now, cfg.Chooser = o.Journal, o.Now, o.Chooser
	if err := cfg.checkMethod(); cfg.Chooser != nil && err != nil {
		return nil, err
	}
	s := newStudy(cfg.withDefaults())
	s.state, s.events = st, slices.Clone(events)
	s.settle()
	s.resume(o.Snapshot)
	return s, nil
}

func newStudy(cfg Config) *Study {
	s := &Study{cfg: cfg, asking: make(chan struct{}, 1), state: newState(), ahead: map[string]ahead{}, late: map[string]chosenQuestion{}}
	s.stock.filling = make(chan struct{}, 1)
	cfg.People = Shared // of one rater alone these models say the same, and People may change
	cfg = cfg.withDefaults()
	s.questionFits.Workers, s.beliefFits.Workers = cfg.Search.Workers, cfg.Search.Workers
	s.questionFits.Model, s.questionFits.Alternatives, s.questionFits.Kinship = cfg.Model, cfg.alternatives(), cfg.Kinship
	if cfg.Belief == beliefAveraged {
		s.questionFits.Many = &s.beliefFits
	}
	s.beliefFits.Averaged, s.beliefFits.Kinship = cfg.BeliefModels, cfg.Kinship
	return s
}

// Config returns the study's configuration as it is now, defaults spelled out.
func (s *Study) Config() Config {
	s.mu.Lock()
	cfg, now := s.cfg, s.state.cfg
	s.mu.Unlock()
	cfg.People, cfg.Budget, cfg.Shortlist, cfg.Prompt = now.People, now.Budget, now.Shortlist, now.Prompt
	return cfg.withDefaults()
}

// Events returns the log after an event's number, 0 for all of it. A log only grows, so the slice is no copy but shared with the study: read only.
func (s *Study) Events(after int) []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.events[min(max(after, 0), len(s.events)):])
}

// Seq returns the number of the last event.
func (s *Study) Seq() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.seq
}

// append numbers events, checks them, keeps them in the journal, all or none, and only then applies them. The caller holds mu, or is the only one to know s.
func (s *Study) append(ctx context.Context, events ...Event) error {
	if err := ended(ctx); err != nil {
		return err
	}
	for i := range events {
		if err := checkRater(events[i].rater()); err != nil {
			return err
		}
		events[i].Seq, events[i].Time = s.state.seq+1+i, s.cfg.Now().UTC()
	}
	if len(events) > 1 { // what comes later is checked against what comes before
		if err := checkReplay(s.events, events); err != nil {
			return err
		}
	}
	commit, err := s.state.prepare(events[0])
	if err != nil {
		return err
	}
	if s.cfg.Journal != nil {
		if err := s.cfg.Journal.Append(ctx, s.state.seq, events...); err != nil {
			if events[0].Kind == kindCreated {
				return err // there is no study yet to say anything about
			}
			return fmt.Errorf("prefer: %s was not kept: %w", events[0].Kind, err)
		}
	}
	commit()
	for _, e := range events[1:] {
		if err := s.state.apply(e); err != nil {
			return err // never: checkReplay has shown that it replays
		}
	}
	s.events = append(s.events, events...)
	s.settle()
	return nil
}

// people returns whose utility the study learns now.
func (s *Study) people() People {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.cfg.People
}

// settle has the fits keep as many as the study needs now. The caller holds mu, or is the only one to know s.
func (s *Study) settle() {
	questions, beliefs := keptFits(s.state.cfg.People)
	s.questionFits.KeepAtMost(questions)
	s.beliefFits.KeepAtMost(beliefs)
}

// keptFits is how many fits of each kind a study keeps.
func keptFits(p People) (questions, beliefs int) {
	if p == PerRater {
		return learn.KeptPerRater, learn.KeptPerRater
	}
	return learn.KeptFits, learn.KeptBeliefs
}

// chain returns the checksum of the first n > 0 events as Line writes them. Each is computed once. The caller holds mu.
func (s *Study) chain(n int) (chain.Sum, error) {
	for k := len(s.chains); k < n; k++ {
		line, err := s.events[k].Line()
		if err != nil {
			return chain.Sum{}, err
		}
		var before chain.Sum
		if k > 0 {
			before = s.chains[k-1]
		}
		s.chains = append(s.chains, before.Next(line))
	}
	return s.chains[n-1], nil
}
