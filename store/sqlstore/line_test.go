package sqlstore

import (
	"cmp"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Line is a wire between a program and its database. It can be cut, frozen, slowed down, refuse new connections and lead to another database.
type Line struct {
	t        testing.TB
	listener net.Listener
	from     url.URL // of the database behind it
	wait     sync.WaitGroup

	mu      sync.Mutex
	to      string // network and address, as dial takes them
	conns   map[*lineConn]bool
	frozen  bool
	refuses bool
	delay   time.Duration
	changed chan struct{} // closed when one of these has changed

	trap atomic.Pointer[trap]
}

// trap does something at a message to the database.
type trap struct {
	left  atomic.Int64
	after bool // when the database has replied to the message, which the client has not heard yet

	mu  sync.Mutex
	do  func()
	off bool
}

// fire does it, unless the trap was taken away.
func (t *trap) fire() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.off {
		t.do()
	}
}

type lineConn struct {
	client, server net.Conn
	gone           chan struct{}
	close          func()
	replied        atomic.Pointer[trap]
}

// NewLine returns a line to the database at an address, for the time of the test.
func NewLine(t testing.TB, address string) *Line {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &Line{t: t, listener: listener, from: *u, to: address, conns: map[*lineConn]bool{}, changed: make(chan struct{})}
	l.wait.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			l.wait.Go(func() { l.serve(client) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		l.Cut()
		l.wait.Wait()
	})
	return l
}

// Address returns that of the database, through the line.
func (l *Line) Address() string {
	u := l.from
	u.Host = l.listener.Addr().String()
	q := u.Query()
	q.Del("host")
	q.Set("sslmode", "disable")
	u.RawQuery = q.Encode()
	return u.String()
}

// Cut ends all connections, at both ends.
func (l *Line) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.close()
	}
}

// Freeze keeps everything from getting through, in either direction: connections stay open, new ones are accepted, and
// nothing is heard, not even that the other end has hung up.
func (l *Line) Freeze() { l.change(func() { l.frozen = true }) }

// Thaw delivers what was held up, and lets everything through.
func (l *Line) Thaw() { l.change(func() { l.frozen = false }) }

// Refuse hangs up on new connections, or no longer.
func (l *Line) Refuse(yes bool) { l.change(func() { l.refuses = yes }) }

// Delay holds up every message, in either direction, for as long.
func (l *Line) Delay(d time.Duration) { l.change(func() { l.delay = d }) }

// Move has new connections lead to another database.
func (l *Line) Move(address string) { l.change(func() { l.to = address }) }

// Trap calls do at a message from now to the database, the first being number 0: before the database gets it, or after it
// has replied and before the client hears of that. Another trap takes its place.
func (l *Line) Trap(message int, after bool, do func()) {
	t := &trap{after: after, do: do}
	t.left.Store(int64(message))
	l.trap.Store(t)
}

// Disarm takes the trap away, and reports whether it had sprung. One that has and waits for a reply does nothing any more.
func (l *Line) Disarm() bool {
	t := l.trap.Swap(nil)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.off = true
	return t.left.Load() < 0
}

func (l *Line) Connections() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}

func (l *Line) change(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *Line) serve(client net.Conn) {
	l.mu.Lock()
	to, refuses := l.to, l.refuses
	l.mu.Unlock()
	server, err := dial(to)
	if refuses || err != nil {
		client.Close()
		if server != nil {
			server.Close()
		}
		return
	}
	c := &lineConn{client: client, server: server, gone: make(chan struct{})}
	c.close = sync.OnceFunc(func() { close(c.gone); client.Close(); server.Close() })
	l.mu.Lock()
	l.conns[c] = true
	l.mu.Unlock()
	var back sync.WaitGroup
	back.Go(func() { l.copy(c, client, server, c.reply) })
	l.copy(c, server, client, func() { l.spring(c) })
	back.Wait()
	l.mu.Lock()
	delete(l.conns, c)
	l.mu.Unlock()
}

// copy carries messages one way until an end hangs up; each calls.
func (l *Line) copy(c *lineConn, to, from net.Conn, each func()) {
	defer c.close()
	buf := make([]byte, 1<<16)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			each()
			if !l.pass(c) {
				return
			}
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			l.pass(c) // that an end hung up does not get through a frozen line either
			return
		}
	}
}

func (l *Line) spring(c *lineConn) {
	t := l.trap.Load()
	if t == nil || t.left.Add(-1) != -1 {
		return
	}
	if t.after {
		c.replied.Store(t)
	} else {
		t.fire()
	}
}

func (c *lineConn) reply() {
	if t := c.replied.Swap(nil); t != nil {
		t.fire()
	}
}

func (l *Line) pass(c *lineConn) bool {
	slow := false
	for {
		l.mu.Lock()
		frozen, delay, changed := l.frozen, l.delay, l.changed
		l.mu.Unlock()
		var wait <-chan time.Time
		switch {
		case frozen:
		case delay > 0 && !slow:
			wait, slow = time.After(delay), true
			changed = nil
		default:
			return true
		}
		select {
		case <-changed:
		case <-wait:
		case <-c.gone:
			return false
		}
	}
}

func dial(address string) (net.Conn, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if folder := u.Query().Get("host"); folder != "" {
		return net.Dial("unix", folder+"/.s.PGSQL.5432")
	}
	host, port := u.Hostname(), u.Port()
	port = cmp.Or(port, "5432")
	return net.Dial("tcp", net.JoinHostPort(host, port))
}
