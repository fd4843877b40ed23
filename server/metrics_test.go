package server

import (
	"bytes"
	"testing"
)

func contains(text []byte, part string) bool { return bytes.Contains(text, []byte(part)) }

func TestMetrics(t *testing.T) {
	h := newHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.play("ann", 3)
	h.refused(404, "no_study", "", "GET", "/v1/studies/tea", "")
	_, _, text := h.do("GET", "/metrics", "")
	for _, want := range []string{
		"prefer_ask_seconds_count 3\n", "prefer_tell_seconds_count 3\n", `prefer_ask_seconds_bucket{le="+Inf"} 3` + "\n", "prefer_open_studies 1\n",
		`prefer_requests_total{operation="POST /v1/studies/{study}/ask",status="200"} 3` + "\n", `prefer_requests_total{operation="GET /v1/studies/{study}",status="404"} 1` + "\n",
	} {
		if !contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
