package chaos

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// answer is one that a rater gave, whether it was acknowledged or not.
type answer struct {
	study, rater, key string
	question          string    // empty: a duel nobody asked for
	choice            string    // of what they were shown: first, second, tie, both_bad, skip
	shown             [2]string // the options, in JSON
	next              bool      // the reply has the next question, too, which takes longer than the answer

	id     string    // as it was acknowledged, empty if it was not
	sent   time.Time // the attempt that was acknowledged
	regret regret
}

// regret is an answer taken back.
type regret struct {
	wanted, kept bool      // asked for, acknowledged
	sent         time.Time // the attempt that was acknowledged
}

// wait is how long a rater waited, from the first attempt to the acknowledgement.
type wait struct {
	what string
	from time.Time
	took time.Duration
}

// ledger is what raters saw.
type ledger struct {
	mu       sync.Mutex
	studies  map[string]time.Time // that were made: the attempt that was acknowledged
	answers  []*answer            // those of a rater in the order in which they gave them
	waits    []wait
	attempts int
	failed   map[string]int // attempts, by why
	faults   []fault
	broken   []string // promises
}

func newLedger() *ledger { return &ledger{studies: map[string]time.Time{}, failed: map[string]int{}} }

// made notes a study.
func (l *ledger) made(study string, sent time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.studies[study] = sent
}

// gave notes an answer before it is sent.
func (l *ledger) gave(a answer) *answer {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answers = append(l.answers, &a)
	return &a
}

// kept notes that an answer was acknowledged.
func (l *ledger) kept(a *answer, id string, sent time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a.id, a.sent = id, sent
}

// regrets notes that an answer is to be taken back.
func (l *ledger) regrets(a *answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a.regret.wanted = true
}

// undone notes that this was acknowledged.
func (l *ledger) undone(a *answer, sent time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a.regret.kept, a.regret.sent = true, sent
}

// heard counts the answers of each rater that were acknowledged.
func (l *ledger) heard() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := map[string]int{}
	for _, a := range l.answers {
		if a.id != "" {
			n[a.rater]++
		}
	}
	return n
}

// acknowledged counts answers and regrets.
func (l *ledger) acknowledged() (answers, regrets int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range l.answers {
		if a.id != "" {
			answers++
		}
		if a.regret.kept {
			regrets++
		}
	}
	return answers, regrets
}

func (l *ledger) took(what string, from time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waits = append(l.waits, wait{what, from, time.Since(from)})
}

// attempt counts a request; why is empty if it was acknowledged.
func (l *ledger) attempt(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.attempts++
	if why != "" {
		l.failed[why]++
	}
}

func (l *ledger) fault(f fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, f)
}

// violated notes a promise that was not kept.
func (l *ledger) violated(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = append(l.broken, fmt.Sprintf(format, args...))
}

// complaint returns a promise that was not kept, empty if there is none.
func (l *ledger) complaint() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.broken[:min(1, len(l.broken))], "")
}

// disturbed reports whether a wait overlaps a fault, or the second after it.
func (l *ledger) disturbed(w wait) bool {
	return slices.ContainsFunc(l.faults, func(f fault) bool {
		return w.from.Add(w.took).After(f.from) && w.from.Before(f.back.Add(time.Second))
	})
}

// percentiles returns the waits of a kind at the given fractions, and how many there are.
func percentiles(waits []wait, what string, at ...float64) (out []time.Duration, n int) {
	var took []time.Duration
	for _, w := range waits {
		if w.what == what {
			took = append(took, w.took)
		}
	}
	slices.Sort(took)
	for _, p := range at {
		if len(took) == 0 {
			return nil, 0
		}
		out = append(out, took[min(len(took)-1, int(p*float64(len(took))))])
	}
	return out, len(took)
}

// reason says in a few words why there was no reply.
func reason(err error) string {
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection lost"
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded):
		return "no reply in time"
	}
	return err.Error()
}

// kind returns the kind of a problem.
func kind(reply []byte) string {
	var p struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(reply, &p) != nil || p.Type == "" {
		return "503 without a problem"
	}
	return "503 " + strings.TrimPrefix(p.Type, "urn:prefer:")
}

// loadAverage returns that of the machine over a minute, where the system tells.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

func TestPercentiles(t *testing.T) {
	var waits []wait
	for i := range 1000 {
		waits = append(waits, wait{what: "ask", took: time.Duration(i*7919%1000) * time.Millisecond}) // 0 to 999, in disorder
	}
	waits = append(waits, wait{what: "tell", took: time.Hour})
	got, n := percentiles(waits, "ask", 0, 0.5, 0.99, 1)
	if want := []time.Duration{0, 500 * time.Millisecond, 990 * time.Millisecond, 999 * time.Millisecond}; n != 1000 || !slices.Equal(got, want) {
		t.Errorf("%v of %d, want %v", got, n, want)
	}
	if got, n := percentiles(waits, "undo", 0.5); n != 0 || got != nil {
		t.Errorf("%v of %d that never were", got, n)
	}
}

// TestDisturbed: a wait belongs to a fault if any of it fell into it, or into the second after it.
func TestDisturbed(t *testing.T) {
	zero := time.Unix(0, 0)
	at := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	l := newLedger()
	l.fault(fault{"server killed", at(10), at(12)})
	for _, c := range []struct {
		from, to float64
		want     bool
	}{{0, 9, false}, {9, 10.5, true}, {0, 20, true}, {11, 11.5, true}, {12.9, 14, true}, {13.1, 14, false}} {
		if got := l.disturbed(wait{from: at(c.from), took: at(c.to).Sub(at(c.from))}); got != c.want {
			t.Errorf("from %v to %v: %t, want %t", c.from, c.to, got, c.want)
		}
	}
}

func TestReason(t *testing.T) {
	for want, err := range map[string]error{
		"connection refused": &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "connection lost": fmt.Errorf("Post: %w", io.EOF),
		"no reply in time": &net.DNSError{IsTimeout: true}, "strange": errors.New("strange"),
	} {
		if got := reason(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
	for want, reply := range map[string]string{"503 busy": `{"type":"urn:prefer:busy"}`, "503 without a problem": "<html>"} {
		if got := kind([]byte(reply)); got != want {
			t.Errorf("%s is %q, want %q", reply, got, want)
		}
	}
}
