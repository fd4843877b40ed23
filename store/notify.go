package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prefer-bo/prefer/store/contract"
)

// Change is what happened to a study: where its log ends now, and the kind of the last event.
type Change = contract.Change

type notice struct {
	Change
	From string `json:"from"`
}

// channel is what the processes on one PostgreSQL database listen to.
const channel = "prefer_changes"

// notifier tells other processes what this one has appended. It does so after COMMIT and not in the same transaction: PostgreSQL holds a lock of the whole
// database from NOTIFY to the end of COMMIT, which would make all appends wait for each other's fsync. A process that dies between the two leaves a change that
// others see when they next look.
type notifier struct {
	store  *Store
	config *pgx.ConnConfig // for who listens
	self   string
	wake   chan struct{}
	stop   context.CancelFunc
	done   sync.WaitGroup

	mu      sync.Mutex
	changes map[string]Change // by study: the last one, not yet told
}

func newNotifier(s *Store, config *pgx.ConnConfig) *notifier {
	ctx, stop := context.WithCancel(context.Background())
	n := &notifier{store: s, config: config, self: rand.Text(), wake: make(chan struct{}, 1), stop: stop, changes: map[string]Change{}}
	n.done.Go(func() { n.run(ctx) })
	return n
}

// add has a change told soon.
func (n *notifier) add(c Change) { n.wakeAfter(func() { n.changes[c.Study] = c }) }

// wakeAfter has what do adds to the changes told.
func (n *notifier) wakeAfter(do func()) {
	n.mu.Lock()
	do()
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

func (n *notifier) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.wake:
		}
		n.mu.Lock()
		changes := n.changes
		n.changes = map[string]Change{}
		n.mu.Unlock()
		var texts []string
		for _, study := range slices.Sorted(maps.Keys(changes)) {
			if text, err := json.Marshal(notice{changes[study], n.self}); err == nil {
				texts = append(texts, string(text))
			}
		}
		// Nobody waits for it, so the disk need not have it.
		brief, stop := context.WithTimeout(ctx, maxSession)
		_, err := n.store.db.ExecContext(brief, "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, text) FROM unnest($2::text[]) AS text", channel, texts)
		stop()
		if err != nil && pause(ctx, time.Second) == nil { // once more, unless there are newer ones
			n.wakeAfter(func() {
				maps.Copy(changes, n.changes)
				n.changes = changes
			})
		}
	}
}

func (n *notifier) close() {
	n.stop()
	n.done.Wait()
}

// Listen calls heard with what other processes append to studies of this store, until ctx ends. When the connection was lost, and at the beginning, heard is
// called with no study: something may have happened unheard, so look. It returns at once, with false, if the store has no way to tell: on SQLite.
func (s *Store) Listen(ctx context.Context, heard func(Change)) bool {
	if s.notifier == nil {
		return false
	}
	for ctx.Err() == nil {
		s.listen(ctx, heard)
		_ = pause(ctx, time.Second)
	}
	return true
}

func (s *Store) listen(ctx context.Context, heard func(Change)) {
	c, err := pgx.ConnectConfig(ctx, s.notifier.config)
	if err != nil {
		return
	}
	defer func() {
		brief, stop := context.WithTimeout(context.WithoutCancel(ctx), maxSession)
		defer stop()
		_ = c.Close(brief)
	}()
	if _, err := c.Exec(ctx, "LISTEN "+channel); err != nil {
		return
	}
	heard(Change{})
	for {
		waiting, stop := context.WithTimeout(ctx, s.patience)
		n, err := c.WaitForNotification(waiting)
		stop()
		if err != nil && pgconn.Timeout(err) && ctx.Err() == nil {
			n = nil
			_, err = c.Exec(ctx, "SELECT") // nothing was said for a while: is there still somebody?
		}
		if err != nil {
			return
		}
		var got notice
		if n != nil && json.Unmarshal([]byte(n.Payload), &got) == nil && got.Study != "" && got.From != s.notifier.self {
			heard(got.Change)
		}
	}
}
