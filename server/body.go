package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prefer-bo/prefer/internal/strictjson"
)

// jsonFormat reads what it is sent to the letter, and writes JSON without escaping what only HTML minds.
var jsonFormat = huma.Format{Unmarshal: readJSON, Marshal: func(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}}

// readJSON reads a body. It is called twice: into any, which is held against the schema, and then into what the operation takes.
func readJSON(data []byte, v any) error {
	if _, first := v.(*any); first {
		if err := strictjson.Text(data); err != nil {
			return err
		}
		return json.Unmarshal(data, v)
	}
	if err := strictjson.Decode(data, v); err != nil {
		return err
	}
	return noNull(data)
}

var named = regexp.MustCompile(`^(\S+) is null:|^json: unknown field "([^"]+)"|^field in the wrong case: "([^"]+)"`)

// locate blames the field that readJSON names, where huma blames the body, and quotes all of it.
func locate(_ huma.Context, _ string, v any) (any, error) {
	if p, ok := v.(*huma.ErrorModel); ok {
		for _, e := range p.Errors {
			if m := named.FindStringSubmatch(e.Message); m != nil && e.Location == "body" {
				e.Location, e.Value = "body."+m[1]+m[2]+m[3], nil
			}
		}
	}
	return v, nil
}

// noNull refuses null, wherever it stands: what is not to be said is left out, and a name that a program forgot to fill in is not nobody's.
func noNull(data []byte) error {
	if !bytes.Contains(data, []byte("null")) {
		return nil
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if at := nullAt(v, ""); at != "" {
		return fmt.Errorf("%s is null: leave it out, or say what it is", at[1:])
	}
	return nil
}

// nullAt returns where a null is, with a dot before it, or nothing.
func nullAt(v any, at string) string {
	switch v := v.(type) {
	case nil:
		return at
	case map[string]any:
		for name, each := range v {
			if found := nullAt(each, at+"."+name); found != "" {
				return found
			}
		}
	case []any:
		for i, each := range v {
			if found := nullAt(each, fmt.Sprintf("%s[%d]", at, i)); found != "" {
				return found
			}
		}
	}
	return ""
}

// A body may bring nothing for stalled at most, and has to come at slowest bytes a second on the whole: a megabyte may take two minutes.
const (
	stalled = 5 * time.Second
	slowest = 8 << 10
)

// steady is a body that has to keep coming.
type steady struct {
	io.ReadCloser
	control *http.ResponseController
	stall   time.Duration // how long it may bring nothing
	start   time.Time
	read    int64
}

func (s *steady) Read(p []byte) (int, error) {
	s.bound()
	n, err := s.ReadCloser.Read(p)
	s.read += int64(n)
	return n, err
}

// bound has the next bytes come in time.
func (s *steady) bound() {
	_ = s.control.SetReadDeadline(s.due(time.Now())) // a writer without deadlines is a test's
}

// due returns when the next bytes must have come.
func (s *steady) due(now time.Time) time.Time {
	next, whole := now.Add(s.stall), s.start.Add(s.stall+time.Duration(s.read)*time.Second/slowest)
	return slices.MinFunc([]time.Time{next, whole}, time.Time.Compare)
}

// steadily has an operation read a body that has to keep coming, in place of one that has a fixed time.
func (s *Server) steadily(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	body := &steady{ReadCloser: r.Body, control: http.NewResponseController(w), stall: s.stall, start: time.Now()}
	r.Body = body
	body.bound() // net/http reads some of a body that is not wanted
	next(ctx)
}

type bodyKey struct{}

// streamed is steadily for an operation that reads the body itself, as it comes.
func (s *Server) streamed(ctx huma.Context, next func(huma.Context)) {
	s.steadily(ctx, func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		next(huma.WithValue(ctx, bodyKey{}, incoming{w, r}))
	})
}

// incoming is a request whose body its operation reads.
type incoming struct {
	w http.ResponseWriter
	r *http.Request
}

// body returns the body, of which no more than max bytes are read.
func (in incoming) body(max int64) io.Reader { return http.MaxBytesReader(in.w, in.r.Body, max) }
