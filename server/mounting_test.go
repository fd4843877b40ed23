package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// What follows, up to the next mark, is in docs/guides/mounting.md.

type user struct {
	Name  string
	Admin bool
}

type userKey struct{}

// signedIn is a middleware of the host's: it finds out who has sent a request, by a session for example.
func signedIn(sessions map[string]user, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("session"); err == nil {
			if u, ok := sessions[c.Value]; ok {
				r = r.WithContext(context.WithValue(r.Context(), userKey{}, u))
			}
		}
		next.ServeHTTP(w, r)
	})
}

// identify tells prefer what the middleware knows.
func identify(r *http.Request) (server.Identity, error) {
	u, _ := r.Context().Value(userKey{}).(user) // nobody is signed in: the zero value, and so nobody
	return server.Identity{Owner: u.Admin, Rater: u.Name}, nil
}

// newSite returns the host's program, with prefer below /taste.
func newSite(st *sqlstore.Store, sessions map[string]user) (http.Handler, *server.Server, error) {
	srv, err := server.New(server.Config{
		Store:    st,
		Prefix:   "/taste",
		Hosts:    []string{"shop.example.org"}, // names other than localhost
		Identify: identify,
	})
	if err != nil {
		return nil, nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/taste/", srv.Handler())
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "the shop") })
	return signedIn(sessions, mux), srv, nil
}

// Up to here.

// TestMountingDoc: the page on mounting has the code that is tried here.
func TestMountingDoc(t *testing.T) {
	code, err := os.ReadFile("mounting_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(code), "is in docs/guides/mounting.md.\n\n")
	want, _, found := strings.Cut(rest, "\n// Up to here.")
	doc, err := os.ReadFile(filepath.Join("..", "docs", "guides", "mounting.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !found || !strings.Contains(string(doc), "```go\n"+want+"```\n") {
		t.Errorf("docs/guides/mounting.md has other code than server/mounting_test.go:\n%s", want)
	}
}

// site is a host's program under test.
type site struct {
	t   *testing.T
	web *httptest.Server
}

// newTestSite starts one with the studies coffee and tea, and the users boss, ann and bob.
func newTestSite(t *testing.T) *site {
	t.Helper()
	loud := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(loud) })
	st, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	handler, srv, err := newSite(st, map[string]user{"b0": {"boss", true}, "a1": {"ann", false}, "b2": {"bob", false}})
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t, httptest.NewServer(handler)}
	t.Cleanup(func() {
		srv.EndStreams()
		s.web.Close()
		if err := errors.Join(srv.Close(context.Background()), st.Close()); err != nil {
			t.Error(err)
		}
	})
	for _, name := range []string{"coffee", "tea"} {
		if err := srv.Create(t.Context(), name, prefer.Config{Space: space.Box(space.Float("milk", 0, 1)), Method: "random"}, server.Settings{}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// send makes a request with a session.
func (s *site) send(session, method, path, body string, header ...string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.web.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if session != "" {
		req.AddCookie(&http.Cookie{Name: "session", Value: session})
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := s.web.Client().Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp
}

// want makes a request that must have a status, and reads the reply into out if that is not nil.
func (s *site) want(status int, session, method, path, body string, out any, header ...string) string {
	s.t.Helper()
	resp := s.send(session, method, path, body, header...)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if resp.StatusCode != status {
		s.t.Errorf("%q %s %s %s: %d, want %d\n%s", session, method, path, body, resp.StatusCode, status, text)
	} else if out != nil {
		if err := json.NewDecoder(bytes.NewReader(text)).Decode(out); err != nil {
			s.t.Fatal(err)
		}
	}
	return string(text)
}

type question struct {
	ID    string `json:"question_id"`
	Rater string `json:"rater"`
}

// TestIdentify: behind the host's own authentication a rater is who the host says, in the API, on the page and in the
// event stream, and nobody else; without a sign-in there is no access.
func TestIdentify(t *testing.T) {
	s := newTestSite(t)
	if text := s.want(200, "", "GET", "/", "", nil); text != "the shop\n" {
		t.Errorf("the host says %q", text)
	}
	for _, session := range []string{"", "stolen"} {
		for _, path := range []string{"/taste/", "/taste/s/coffee", "/taste/r/x", "/taste/v1/me", "/taste/v1/studies/coffee", "/taste/v1/studies/coffee/events", "/taste/m/coffee/x.png", "/taste/metrics"} {
			s.want(401, session, "GET", path, "", nil)
		}
		s.want(401, session, "POST", "/taste/v1/studies/coffee/ask", `{"rater":"ann"}`, nil, "Authorization", "Bearer a1")
		s.want(200, session, "GET", "/taste/healthz", "", nil)
	}
	var me struct{ Role, Rater string }
	if s.want(200, "a1", "GET", "/taste/v1/me", "", &me); me.Role != "rater" || me.Rater != "ann" {
		t.Errorf("ann is %+v", me)
	}
	var anns, bobs question
	s.want(200, "a1", "POST", "/taste/v1/studies/coffee/ask", "{}", &anns)
	s.want(200, "b2", "POST", "/taste/v1/studies/coffee/ask", "", &bobs)
	if anns.Rater != "ann" || bobs.Rater != "bob" || anns.ID == bobs.ID {
		t.Errorf("ann is asked %+v, bob %+v", anns, bobs)
	}

	// A rater cannot become another, whatever they send.
	s.want(403, "a1", "POST", "/taste/v1/studies/coffee/ask", `{"rater":"bob"}`, nil)
	s.want(422, "a1", "POST", "/taste/v1/studies/coffee/ask", `{"rater":"ann","owner":true}`, nil)
	s.want(403, "a1", "POST", "/taste/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, bobs.ID), nil)
	s.want(403, "a1", "POST", "/taste/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first","rater":"bob"}`, bobs.ID), nil)
	s.want(403, "a1", "GET", "/taste/v1/studies/coffee/raters", "", nil, "Cookie", "session=a1; prefer_owner=x; prefer_rater=y")
	s.want(403, "a1", "DELETE", "/taste/v1/studies/coffee", "", nil)
	s.want(403, "a1", "GET", "/taste/s/coffee/owner", "", nil)
	s.want(403, "a1", "GET", "/taste/", "", nil)
	var told struct {
		Answer string `json:"answer_id"`
	}
	s.want(200, "b2", "POST", "/taste/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, bobs.ID), &told)
	s.want(403, "a1", "DELETE", "/taste/v1/studies/coffee/answers/"+told.Answer, "", nil)
	s.want(404, "a1", "POST", "/taste/v1/studies/coffee/undo", "", nil)
	var history struct{ Answers []any }
	if s.want(200, "a1", "GET", "/taste/v1/studies/coffee/history", "", &history); len(history.Answers) != 0 {
		t.Errorf("ann sees the answers %v", history.Answers)
	}

	// Links and tokens of prefer's own are none.
	s.want(409, "b0", "POST", "/taste/v1/studies/coffee/links", `{"rater":"ann"}`, nil)
	s.want(404, "a1", "GET", "/taste/r/x", "", nil)

	// The page is theirs, and hears of the others.
	page := s.want(200, "a1", "GET", "/taste/s/coffee", "", nil)
	if !strings.Contains(page, `data-base="/taste/s/coffee"`) || strings.Contains(page, "data-token") || strings.Contains(page, "/owner") {
		t.Errorf("their page is\n%s", page)
	}
	events := s.send("a1", "GET", "/taste/v1/studies/coffee/events", "")
	defer events.Body.Close()
	lines := bufio.NewScanner(events.Body)
	heard := make(chan bool, 1)
	go func() {
		for lines.Scan() {
			if strings.Contains(lines.Text(), `"kind":"changed"`) {
				heard <- true
				return
			}
		}
		heard <- false
	}()
	s.want(200, "b2", "POST", "/taste/v1/studies/coffee/undo", "", nil)
	select {
	case ok := <-heard:
		if !ok {
			t.Error("the stream ended")
		}
	case <-time.After(5 * time.Minute):
		t.Error("the stream is silent")
	}

	// The owner may everything, and another site nothing with their session.
	s.want(200, "b0", "GET", "/taste/s/coffee/owner", "", nil)
	s.want(200, "b0", "GET", "/taste/metrics", "", nil)
	s.want(403, "b0", "POST", "/taste/v1/studies/coffee/ask", `{}`, nil, "Sec-Fetch-Site", "cross-site")
}

// TestIdentifyHosts: the names the server answers to hold behind a host's authentication, too.
func TestIdentifyHosts(t *testing.T) {
	s := newTestSite(t)
	for host, status := range map[string]int{"shop.example.org": 200, "evil.example.org": 421} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", s.web.URL+"/taste/v1/me", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		req.AddCookie(&http.Cookie{Name: "session", Value: "a1"})
		resp, err := s.web.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != status {
			t.Errorf("%s: %d, want %d", host, resp.StatusCode, status)
		}
	}
}

// TestIdentifyStudy: a rater of one study has no part in another, and what the host cannot say is nobody's fault.
func TestIdentifyStudy(t *testing.T) {
	st, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	who, trouble := server.Identity{Rater: "ann", Study: "tea"}, error(nil)
	srv, err := server.New(server.Config{Store: st, Logger: slog.New(slog.DiscardHandler), Identify: func(*http.Request) (server.Identity, error) { return who, trouble }})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(context.Background())
	for _, name := range []string{"coffee", "tea"} {
		if err := srv.Create(t.Context(), name, prefer.Config{Space: space.Box(space.Float("milk", 0, 1))}, server.Settings{}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(status int, path string) {
		t.Helper()
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		if w.Code != status {
			t.Errorf("%s: %d, want %d: %s", path, w.Code, status, w.Body)
		}
	}
	for path, status := range map[string]int{"/v1/studies/tea": 200, "/v1/studies/coffee": 403, "/s/tea": 200, "/s/coffee": 403, "/m/coffee/x.png": 403, "/m/tea/x.png": 404, "/v1/me": 200} {
		want(status, path)
	}
	who = server.Identity{Study: "tea"} // a study is not somebody
	want(401, "/v1/studies/tea")

	// A link from before the host said who somebody is, or from another server on the store, makes nobody a rater.
	linked, err := server.New(server.Config{Store: st, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer linked.Close(context.Background())
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "http://localhost/v1/studies/tea/links", strings.NewReader(`{"rater":"bob"}`))
	r.Header.Set("Content-Type", "application/json")
	linked.Handler().ServeHTTP(w, r)
	var link struct{ Token string }
	if err := json.Unmarshal(w.Body.Bytes(), &link); err != nil || link.Token == "" {
		t.Fatalf("no link: %s", w.Body)
	}
	for _, ann := range []bool{false, true} {
		status, is := 401, ""
		if who = (server.Identity{}); ann {
			who, status, is = server.Identity{Rater: "ann"}, 200, `"rater":"ann"`
		}
		for _, header := range [][2]string{{"Authorization", "Bearer " + link.Token}, {"Cookie", "prefer_rater=" + link.Token}} {
			w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/v1/me", nil)
			r.Header.Set(header[0], header[1])
			srv.Handler().ServeHTTP(w, r)
			if w.Code != status || !strings.Contains(w.Body.String(), is) {
				t.Errorf("with bob's token as %s: %d %s, want %d %s", header[0], w.Code, w.Body, status, is)
			}
		}
	}
	who, trouble = server.Identity{Owner: true}, fmt.Errorf("the directory is away: %w", store.ErrUnavailable)
	want(503, "/v1/me")
	trouble = errors.New("a bug")
	want(500, "/v1/me")
	if _, err := server.New(server.Config{Store: st, OwnerToken: "0123456789abcdef", Identify: identify}); err == nil {
		t.Error("two who say who somebody is are taken")
	}
}
