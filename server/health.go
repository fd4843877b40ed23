package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/store"
)

// maxHealth is how long a store may take to show that it keeps what it is given.
const maxHealth = 2 * time.Second

// maxAge is how long its word counts: anybody may ask, and every answer costs a write.
const maxAge = 500 * time.Millisecond

// health knows whether the server can do its work.
type health struct {
	ending atomic.Bool
	maxAge time.Duration

	mu  sync.Mutex // held while the store is tried: who asks meanwhile gets the same word
	at  time.Time
	err error
}

// isProbe reports whether an address is what balancers ask, every few seconds, from an address they may share with strangers.
func isProbe(path string) bool { return path == "/livez" || path == "/readyz" || path == "/healthz" }

// serveLive says that the process answers, whatever its store does: a server that was started again would not reach it either.
func (s *Server) serveLive(w http.ResponseWriter, _ *http.Request) { fine(w) }

// serveReady says whether requests can be served now: the store keeps what it is given, and the server is not about to end.
// Anybody may ask, as balancers do. If not, it is a 503, whose type says why.
func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) {
	if s.health.ending.Load() {
		problem.Write(w, problem.New(http.StatusServiceUnavailable, "closing", "the server is about to end"))
		return
	}
	if err := s.health.check(r.Context(), s.cfg.Store); err != nil {
		p := *problem.Of(r.Context(), s.log, err)
		p.Status, p.Title = http.StatusServiceUnavailable, http.StatusText(http.StatusServiceUnavailable)
		problem.Write(w, &p)
		return
	}
	fine(w)
}

func fine(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, "{\"status\":\"ok\"}\n")
}

// check has the store try to keep something, unless that was done a moment ago.
func (h *health) check(ctx context.Context, st *store.Store) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.at.IsZero() && time.Since(h.at) < h.maxAge {
		return h.err
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), maxHealth) // the word is for others, too
	defer stop()
	h.err = st.Ready(ctx)
	if errors.Is(h.err, context.DeadlineExceeded) {
		h.err = fmt.Errorf("%w: %w", store.ErrUnavailable, h.err)
	}
	h.at = time.Now()
	return h.err
}
