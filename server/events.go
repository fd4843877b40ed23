package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/internal/gate"
	"github.com/prefer-bo/prefer/server/problem"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

type eventsInput struct {
	Study string `path:"study"`
	Last  string `header:"Last-Event-ID" maxLength:"20" doc:"The last change a client received before it was disconnected."`
}

// Pace of an event stream.
const (
	heartbeat = 15 * time.Second // a comment keeps the line open
	writeTime = 10 * time.Second // a client that takes longer to read is gone
)

func registerEvents(s *Server) {
	reply(s, operation(http.MethodGet, "/v1/studies/{study}/events", "events", "Stream changes of the study (server-sent events)", gate.Rater,
		replyAs("event: changed, data: {\"seq\": number of the last event, \"kind\": what happened}", "text/event-stream")), s.events)
}

// events streams the changes of a study to its owner or a rater, until they leave, their link ends or the server stops. Too many listeners are a 429.
func (s *Server) events(ctx context.Context, in *eventsInput) (*huma.StreamResponse, error) {
	last := -1
	if in.Last != "" {
		var err error
		if last, err = strconv.Atoi(in.Last); err != nil {
			return nil, problem.Field("header.Last-Event-ID", in.Last, "Last-Event-ID is not a number")
		}
	}
	now, changes, leave, err := s.studies.Watch(ctx, in.Study, gate.CallerOf(ctx).Rater)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer leave()
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Accel-Buffering", "no") // proxies would wait for more
		who := gate.CallerOf(ctx)
		s.gate.LogStream(ctx)
		stream(ctx, w, changes, now, last, who.Owner, func() bool { return s.gate.StillValid(ctx, who) })
	}}, nil
}

// stream writes changes, first where the log ends unless the client knows, then what came after that. may is asked when links have changed, and with each heartbeat. Raters read no kinds.
func stream(ctx context.Context, w http.ResponseWriter, changes <-chan live.Change, now live.Change, last int, owner bool, may func() bool) {
	control := http.NewResponseController(w)
	send := func(text string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // a writer without deadlines is a test's
		if _, err := fmt.Fprint(w, text); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	tell := func(c live.Change) bool {
		if !owner && c.Kind != now.Kind && c.Kind != "gone" {
			c.Kind = "changed"
		}
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
		case c, ok := <-changes:
			if ok && c.Seq <= now.Seq && c.Kind != "verdict" && !c.LinksChanged() { // the client was told, or knew
				continue
			}
			now.Seq = 0 // a study of the same name may begin again
			if !ok || c.LinksChanged() && !may() || !tell(c) {
				return
			}
		case <-beat.C:
			if !may() || !send(": still here\n\n") {
				return
			}
		}
	}
}
