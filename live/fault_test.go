package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// shaky is a store that cannot be reached while it is away.
type shaky struct {
	store.Store
	away atomic.Bool
}

func (s *shaky) Follow(ctx context.Context, study *prefer.Study) (int, bool, error) {
	if s.away.Load() {
		return 0, false, fmt.Errorf("shaky: %w", store.ErrUnavailable)
	}
	return s.Store.Follow(ctx, study)
}

// TestUnreachable: a study whose store cannot be reached is not said to be gone, and what happened meanwhile is heard
// afterwards; one that was deleted is gone.
func TestUnreachable(t *testing.T) {
	memory := store.NewMemory()
	st := &shaky{Store: memory}
	s, err := New(Config{Store: st, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	if err := s.Create(t.Context(), "coffee", coffee, Settings{}); err != nil {
		t.Fatal(err)
	}
	now, changes, leave, err := s.Watch(t.Context(), "coffee", "")
	if err != nil || now != (Change{Seq: 1, Kind: "now"}) {
		t.Fatal(now, err)
	}
	defer leave()
	st.away.Store(true)
	elsewhere, err := memory.Study(t.Context(), "coffee")
	if err == nil {
		_, err = elsewhere.Ask(t.Context(), prefer.Request{Rater: "ann"})
	}
	if err != nil {
		t.Fatal(err)
	}
	s.pollStore(t.Context())
	if _, err := s.Ask(t.Context(), "coffee", Ask{Rater: "bob"}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("while the store is away an ask says %v", err)
	}
	select {
	case c := <-changes:
		t.Errorf("while the store is away %+v is heard", c)
	default:
	}
	st.away.Store(false)
	s.pollStore(t.Context())
	if c := <-changes; c != (Change{Seq: 2, Kind: "elsewhere"}) {
		t.Errorf("afterwards %+v is heard", c)
	}
	if err := memory.Delete(t.Context(), "coffee"); err != nil {
		t.Fatal(err)
	}
	s.pollStore(t.Context())
	if c := <-changes; c != (Change{Seq: 0, Kind: "gone"}) {
		t.Errorf("at the end %+v is heard", c)
	}
}

// freezer is a wire to a database. Nothing gets through while its lock is held.
type freezer struct{ sync.RWMutex }

// address returns that of the database, through the wire.
func (f *freezer) address(t *testing.T, database string) string {
	t.Helper()
	config, err := pgconn.ParseConfig(database)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			network, at := pgconn.NetworkAddress(config.Host, config.Port)
			server, err := net.Dial(network, at)
			if err != nil {
				client.Close()
				continue
			}
			go f.copy(client, server)
			go f.copy(server, client)
		}
	}()
	return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", url.UserPassword(config.User, config.Password), listener.Addr(), config.Database)
}

func (f *freezer) copy(to, from net.Conn) {
	defer to.Close()
	buf := make([]byte, 1<<16)
	for {
		n, err := from.Read(buf)
		f.RLock()
		_, failed := to.Write(buf[:n])
		f.RUnlock()
		if err != nil || failed != nil {
			return
		}
	}
}

// TestFrozenBackground: what is done in the background while the database is silent is given up, and done again
// afterwards.
func TestFrozenBackground(t *testing.T) {
	address := storetest.Database(t)
	var line freezer
	h := openTestStudies(t, address, func(c *Config) {
		st, err := sqlstore.Open(context.Background(), line.address(t, address), sqlstore.Options{Patience: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { st.Close() })
		c.Store = st
		c.Budget = 200 * time.Millisecond
	})
	if _, err := h.store.Create(t.Context(), "coffee", coffee); err != nil { // past the line
		t.Fatal(err)
	}
	var q Question
	await(t, "a question", func() (ok bool) { // a busy machine may take longer than the store is waited for
		var err error
		q, err = h.Ask(t.Context(), "coffee", Ask{Rater: "ann"})
		return err == nil
	})
	await(t, "that there is nothing to do", func() bool { return h.Counters.Prefetched.Load() > 0 })
	before := h.Counters.Prefetched.Load()
	line.Lock()
	r := h.open()
	r.afterQuestion("ann")
	r.afterAnswer("ann")
	through := make(chan struct{})
	h.background.Add("after them", func(context.Context) { close(through) })
	select {
	case <-through:
	case <-time.After(patience):
		t.Fatal("the background still waits for the database")
	}
	line.Unlock()
	await(t, "an answer", func() bool {
		_, err := h.Tell(t.Context(), "coffee", Tell{Question: q.Asked.ID, Answer: prefer.Answer{Choice: prefer.First, Key: "k"}})
		return err == nil
	})
	await(t, "a question", func() bool { _, err := h.Ask(t.Context(), "coffee", Ask{Rater: "ann"}); return err == nil })
	await(t, "questions chosen ahead", func() bool { return h.Counters.Prefetched.Load() > before })
	await(t, "a verdict", func() bool {
		var at int
		err := h.With(t.Context(), "coffee", func(r *Study) error { at = r.Status("ann").At; return nil })
		return err == nil && at == 1
	})
}
