package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer"
)

// leases are the studies that this process is choosing a question for.
type leases struct {
	mu   sync.Mutex
	held map[int64]chan struct{} // by study; closed when given back

	session chan *pgx.Conn // holds the one session, nil while there is none; nil: there are no other processes to mind
	config  *pgx.ConnConfig
}

func newLeases(config *pgx.ConnConfig) *leases {
	l := &leases{held: map[int64]chan struct{}{}, config: config}
	if config != nil {
		l.session = make(chan *pgx.Conn, 1)
		l.session <- nil
	}
	return l
}

// maxSession is how long one statement about a lease may take: it waits for nothing but the network.
const maxSession = 2 * time.Second

// Lease waits until no other process, nor another caller in this one, holds the study, and holds it until
// release is called. It saves work and promises nothing: a process that waited in vain, or whose connection
// was lost, may go on without it, since the log takes every event only where its writer thought it would go.
//
// On PostgreSQL the leases of a process are advisory locks of one session, which end with the process. On
// SQLite they hold within the process.
func (s *Store) Lease(ctx context.Context, study *prefer.Study) (release func(), err error) {
	j, err := s.journalOf(study, "Lease")
	if err != nil {
		return nil, err
	}
	l, mine := s.leases, make(chan struct{})
	for {
		l.mu.Lock()
		other := l.held[j.id]
		if other == nil {
			l.held[j.id] = mine
			l.mu.Unlock()
			break
		}
		l.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, fmt.Errorf("store: study %q is leased: %w", j.name, context.Cause(ctx))
		}
	}
	free := func() {
		l.mu.Lock()
		delete(l.held, j.id)
		l.mu.Unlock()
		close(mine)
	}
	if l.session == nil {
		return free, nil
	}
	for wait := 2 * time.Millisecond; ; wait = min(2*wait, 32*time.Millisecond) {
		got, err := l.query(ctx, "SELECT pg_try_advisory_lock($1, $2)", j.id)
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
		// The lease of a session that was lost went with it: then there is nothing to give back.
		_, _ = l.query(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1, $2)", j.id)
		free()
	}, nil
}

// query runs a statement on the session, which it opens if need be and gives up if it fails. A context that ends
// would take the session with it, and all leases: it only ends the wait for its turn.
func (l *leases) query(ctx context.Context, statement string, id int64) (yes bool, err error) {
	var c *pgx.Conn
	select {
	case c = <-l.session:
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	defer func() { l.session <- c }()
	brief, stop := context.WithTimeout(context.WithoutCancel(ctx), maxSession)
	defer stop()
	if c == nil {
		if c, err = pgx.ConnectConfig(brief, l.config); err != nil {
			c = nil
			return false, err
		}
	}
	// Two studies whose numbers share the lower 32 bits wait for each other, no more.
	if err = c.QueryRow(brief, statement, int32(applicationID), int32(id)).Scan(&yes); err != nil {
		_ = c.Close(brief) // it is given up either way
		c = nil
	}
	return yes, err
}

// close ends the session, and with it its leases.
func (l *leases) close() error {
	if l.session == nil {
		return nil
	}
	c := <-l.session
	defer func() { l.session <- nil }()
	if c == nil {
		return nil
	}
	brief, stop := context.WithTimeout(context.Background(), maxSession)
	defer stop()
	return c.Close(brief)
}
