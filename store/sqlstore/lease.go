package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// leases are the studies that this process is choosing a question for.
type leases struct {
	held    sync.Map      // by study, a channel that the one who holds it has filled
	session *sql.DB       // of one connection, which advisory locks belong to; nil: there are no other processes to mind
	wait    time.Duration // for a connection
}

func newLeases(config *pgx.ConnConfig, wait time.Duration) *leases {
	l := &leases{wait: wait}
	if config != nil {
		config = config.Copy()
		// A server that can (PostgreSQL 14) ends the session after a minute without a statement, and with it the leases of a process that is frozen.
		config.AfterConnect = func(ctx context.Context, c *pgconn.PgConn) error {
			_, err := c.Exec(ctx, "SELECT set_config(name, '60000', false) FROM pg_settings WHERE name = 'idle_session_timeout'").ReadAll()
			return err
		}
		l.session = stdlib.OpenDB(*config, stdlib.OptionShouldPing(func(context.Context, stdlib.ShouldPingParams) bool { return false }))
		l.session.SetMaxOpenConns(1)
	}
	return l
}

// maxSession is how long one statement about a lease may take: it waits for nothing but the network.
const maxSession = 2 * time.Second

// Lease waits until no other process, nor another caller in this one, holds the study, and holds it until
// release is called. It saves work and promises nothing: a process that waited in vain, or whose connection
// was lost, may go on without it, since the log takes every event only where its writer thought it would go.
//
// On PostgreSQL the leases of a process are advisory locks of one session, which end with the process, or a minute after it
// was frozen. On SQLite they hold within the process.
func (s *Store) Lease(ctx context.Context, study *prefer.Study) (release func(), err error) {
	j, err := s.journalOf(study, "Lease")
	if err != nil {
		return nil, err
	}
	l := s.leases
	slot, _ := l.held.LoadOrStore(j.id, make(chan struct{}, 1))
	select {
	case slot.(chan struct{}) <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("store: study %q is leased: %w", j.name, context.Cause(ctx))
	}
	free := func() { <-slot.(chan struct{}) }
	if l.session == nil {
		return free, nil
	}
	for wait := 2 * time.Millisecond; ; wait = min(2*wait, 32*time.Millisecond) {
		got, err := l.lock(ctx, j.id)
		if err == nil && got {
			break
		}
		if err == nil {
			err = pause(ctx, wait)
		}
		if err != nil {
			free()
			return nil, fmt.Errorf("store: study %q was not leased: %w", j.name, err)
		}
	}
	return func() {
		go func() { // giving it back does not wait for the network
			_, _ = l.query(unlock, j.id) // the lease of a session that was lost went with it
			free()
		}()
	}, nil
}

const (
	tryLock = "SELECT pg_try_advisory_lock($1, $2)"
	unlock  = "SELECT pg_advisory_unlock($1, $2)"
)

// lock tries to get the lock of a study. A context that ends would take the session with it, and all leases: it only ends
// the wait, and a lock that comes too late is given back.
func (l *leases) lock(ctx context.Context, id int64) (got bool, err error) {
	type reply struct {
		got bool
		err error
	}
	replies := make(chan reply)
	go func() {
		got, err := l.query(tryLock, id)
		if err != nil && !pgconn.Timeout(err) { // the server may have ended a session that was idle
			got, err = l.query(tryLock, id)
		}
		select {
		case replies <- reply{got, err}:
		case <-ctx.Done():
			if got {
				_, _ = l.query(unlock, id)
			}
		}
	}()
	select {
	case r := <-replies:
		return r.got, r.err
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// query runs a statement about a study on the session. A session whose statement got no reply is closed, and the next statement opens another.
func (l *leases) query(statement string, id int64) (yes bool, err error) {
	connecting, stop := context.WithTimeout(context.Background(), l.wait)
	defer stop()
	c, err := l.session.Conn(connecting)
	if err != nil {
		return false, err
	}
	defer c.Close()
	brief, stop := context.WithTimeout(context.Background(), maxSession)
	defer stop()
	// Two studies whose numbers share the lower 32 bits wait for each other, no more.
	err = c.QueryRowContext(brief, statement, int32(applicationID), int32(id)).Scan(&yes)
	return yes, err
}

type notice struct {
	store.Change
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
	changes map[string]store.Change // by study: the last one, not yet told
}

func newNotifier(s *Store, config *pgx.ConnConfig) *notifier {
	ctx, stop := context.WithCancel(context.Background())
	n := &notifier{store: s, config: config, self: rand.Text(), wake: make(chan struct{}, 1), stop: stop, changes: map[string]store.Change{}}
	n.done.Go(func() { n.run(ctx) })
	return n
}

func (n *notifier) add(c store.Change) { n.wakeAfter(func() { n.changes[c.Study] = c }) }

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
		n.changes = map[string]store.Change{}
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
func (s *Store) Listen(ctx context.Context, heard func(store.Change)) bool {
	if s.notifier == nil {
		return false
	}
	for ctx.Err() == nil {
		s.listen(ctx, heard)
		_ = pause(ctx, time.Second)
	}
	return true
}

func (s *Store) listen(ctx context.Context, heard func(store.Change)) {
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
	heard(store.Change{})
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
