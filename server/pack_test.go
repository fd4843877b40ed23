package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/live"
)

// TestPack: the owner gets a study as a file, as it is now and without its answers; what cannot go into one is refused, and so is all where there is no core.
func TestPack(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"tea green","params":[{"name":"sugar","low":0,"high":5}],"show_result":true,"page":{"template":{"kind":"svg","text":"<svg>{{sugar}}</svg>"}}}`, nil)
	h.want(200, "POST", "/v1/studies/tea%20green/ask", `{"rater":"nobody else’s"}`, nil)
	h.want(200, "PATCH", "/v1/studies/tea%20green", `{"prompt":"Which is greener?"}`, nil)
	status, header, file := h.do("GET", "/v1/studies/tea%20green/pack", "")
	text := string(file)
	if status != 200 || !strings.Contains(header.Get("Content-Disposition"), `filename*=UTF-8''tea%20green.html`) {
		t.Fatalf("%d with %v", status, header)
	}
	for _, want := range []string{"Which is greener?", "Y29yZQ==", `\"kind\":\"svg\"`, "connect-src &#39;none&#39;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the file has no %s", want)
		}
	}
	if strings.Contains(text, "nobody else") || strings.Contains(text, `\"asked\"`) {
		t.Error("the file has somebody’s question")
	}
	h.want(201, "POST", "/v1/studies", `{"name":"far","items":[{"id":"a","media":"https://example.org/a.png"},{"id":"b"}]}`, nil)
	if status, _, why := h.do("GET", "/v1/studies/far/pack", ""); status != 422 || !strings.Contains(string(why), "https://example.org/a.png") {
		t.Errorf("media elsewhere: %d %s", status, why)
	}
	h.want(404, "GET", "/v1/studies/none/pack", "", nil)
	bare := newTestServer(t, func(c *Config) {
		c.Core = func(context.Context) (pack.Core, error) {
			return pack.Core{}, fmt.Errorf("server: %w", &pack.CoreError{Err: pack.ErrNoCore})
		}
	})
	bare.want(201, "POST", "/v1/studies", `{"name":"tea","params":[{"name":"sugar","low":0,"high":5}]}`, nil)
	if status, _, why := bare.do("GET", "/v1/studies/tea/pack", ""); status != 503 || !strings.Contains(string(why), "urn:prefer:no_core") {
		t.Errorf("without a core: %d %s", status, why)
	}
}

// TestPackReturns: a study that was changed, and whose list grew, is taken home in a file, and what was answered there goes back into it; a study that is paused is not packed.
func TestPackReturns(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"tea","items":[{"id":"green"},{"id":"black"},{"id":"white"}],"seed":5}`, nil)
	h.want(200, "PATCH", "/v1/studies/tea", `{"prompt":"Which is finer?","budget":9}`, nil)
	h.want(201, "POST", "/v1/studies/tea/items", `{"items":[{"id":"oolong"}]}`, nil)
	_, _, file := h.do("GET", "/v1/studies/tea/pack?upload=true", "")
	_, rest, _ := strings.Cut(string(file), `id="file">`)
	text, _, _ := strings.Cut(rest, "</script>")
	var packed struct{ Study, Upload, Token string }
	var study pack.Study
	if err := errors.Join(json.Unmarshal([]byte(text), &packed), json.Unmarshal([]byte(packed.Study), &study)); err != nil {
		t.Fatal(err)
	}
	session, err := pack.Open(t.Context(), study, pack.Participant{Rater: "ann", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close(context.Background())
	call := func(path, body string, into any) {
		t.Helper()
		w := httptest.NewRecorder()
		session.ServeHTTP(w, httptest.NewRequest("POST", "/v1/studies/tea/"+path, strings.NewReader(body)))
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	told := live.Told{Next: &live.Question{}}
	call("ask", `{}`, told.Next)
	for range 2 {
		call("tell?next=1", fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, told.Next.ID), &told)
	}
	log, err := session.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var sent struct{ Answers, New int }
	h.as(packed.Token).want(200, "POST", strings.TrimPrefix(packed.Upload, h.web.URL), string(log), &sent, "Content-Type", "application/jsonl")
	if sent.New != 2 {
		t.Errorf("%d answers are new, want 2", sent.New)
	}
	h.want(200, "PATCH", "/v1/studies/tea", `{"page":{"paused":true}}`, nil)
	h.refused(409, "paused", "", "GET", "/v1/studies/tea/pack", "")
}
