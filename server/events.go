package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prefer-bo/prefer/store"
)

type eventsInput struct {
	Study string `path:"study"`
	Last  string `header:"Last-Event-ID" maxLength:"20" doc:"The last change a client heard of before it was cut off."`
}

// Pace of an event stream.
const (
	heartbeat    = 15 * time.Second // a comment keeps the line open
	writeTime    = 10 * time.Second // a client that takes longer to read is gone
	glance       = time.Second      // how often somebody who listens hears what another process did, where the store cannot tell
	seldomGlance = 15 * time.Second // where it can
	maxListeners = 2000
)

func (s *Server) registerEvents() {
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/events", "events", "Hear when the study changes (server-sent events)", forRater, func(op *huma.Operation) {
		op.Responses = map[string]*huma.Response{"200": {Description: "event: changed, data: {\"seq\": number of the last event, \"kind\": what happened}",
			Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	}), s.events)
}

func (s *Server) events(ctx context.Context, in *eventsInput) (*huma.StreamResponse, error) {
	var now change
	err := s.with(ctx, in.Study, func(r *running) error {
		now = change{r.end(), "now"}
		return nil
	})
	if err != nil {
		return nil, s.explain(ctx, err, "")
	}
	last := -1
	if in.Last != "" {
		if last, err = strconv.Atoi(in.Last); err != nil {
			return nil, invalid("header.Last-Event-ID", in.Last, "Last-Event-ID is no number")
		}
	}
	if s.bell.count() >= maxListeners {
		return nil, refuse(http.StatusTooManyRequests, "too_many", fmt.Sprintf("%d clients listen already", maxListeners))
	}
	l, ok := s.bell.listen(in.Study)
	if !ok {
		return nil, refuse(http.StatusServiceUnavailable, "closing", "the server is stopping")
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer s.bell.leave(in.Study, l)
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Accel-Buffering", "no") // proxies would wait for more
		stream(ctx, w, l, now, last)
	}}, nil
}

// stream writes changes until the client leaves or the bell is closed. The first is where the log ends now,
// unless the client knows.
func stream(ctx context.Context, w http.ResponseWriter, l *listener, now change, last int) {
	control := http.NewResponseController(w)
	send := func(text string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // a writer without deadlines is a test's
		if _, err := fmt.Fprint(w, text); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	tell := func(c change) bool {
		data, err := json.Marshal(c)
		return err == nil && send(fmt.Sprintf("id: %d\nevent: changed\ndata: %s\n\n", c.Seq, data))
	}
	if !send("retry: 1000\n\n") || last != now.Seq && !tell(now) {
		return
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case c, ok := <-l.changes:
			if !ok || !tell(c) {
				return
			}
		case <-beat.C:
			if !send(": still here\n\n") {
				return
			}
		}
	}
}

// listenElsewhere rings for what other processes do: at once where the store can tell, else by looking now and
// then whether a study has changed that somebody listens to.
func (s *Server) listenElsewhere(ctx context.Context) {
	tick := time.NewTicker(glance)
	defer tick.Stop()
	look := make(chan struct{}, 1)
	s.behind.done.Go(func() {
		s.cfg.Store.Listen(ctx, func(c store.Change) {
			if c.Study != "" {
				s.bell.ring(c.Study, c.Seq, c.Kind)
				return
			}
			tick.Reset(seldomGlance)
			select { // something may have been missed
			case look <- struct{}{}:
			default:
			}
		})
	})
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-look:
		}
		s.lookElsewhere(ctx)
	}
}

// lookElsewhere rings for what is new in the studies that somebody listens to. A store that cannot be reached is looked
// at another time.
func (s *Server) lookElsewhere(ctx context.Context) {
	for _, name := range s.bell.studies() {
		switch _, err := s.current(ctx, name); { // it rings if there is something new
		case errors.Is(err, store.ErrNoStudy):
			s.bell.ring(name, 0, "gone")
		case err != nil:
			return
		}
	}
}
