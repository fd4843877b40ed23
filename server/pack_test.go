package server

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/pack"
)

// TestPack: the owner gets a study as a file, as it is now and without its answers; what cannot go into one is refused, and so is all where there is no core.
func TestPack(t *testing.T) {
	h := newHouse(t, nil)
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
	bare := newHouse(t, func(c *Config) {
		c.Core = func(context.Context) (pack.Core, error) {
			return pack.Core{}, fmt.Errorf("server: %w", &pack.CoreError{Err: pack.ErrNoCore})
		}
	})
	bare.want(201, "POST", "/v1/studies", `{"name":"tea","params":[{"name":"sugar","low":0,"high":5}]}`, nil)
	if status, _, why := bare.do("GET", "/v1/studies/tea/pack", ""); status != 503 || !strings.Contains(string(why), "urn:prefer:no_core") {
		t.Errorf("without a core: %d %s", status, why)
	}
}
