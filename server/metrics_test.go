package server

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"testing"
)

func contains(text []byte, part string) bool { return bytes.Contains(text, []byte(part)) }

func TestMetrics(t *testing.T) {
	h := newHouse(t, func(c *Config) { c.Build = Build{"v1.2.3", "833cca3"} })
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.play("ann", 3)
	h.refused(404, "no_study", "", "GET", "/v1/studies/tea", "")
	_, _, text := h.do("GET", "/metrics", "")
	pool := h.store.Pool() // nobody is there but this test
	for _, want := range []string{
		"prefer_ask_seconds_count 3\n", "prefer_tell_seconds_count 3\n", `prefer_ask_seconds_bucket{le="+Inf"} 3` + "\n", "prefer_open_studies 1\n",
		`prefer_requests_total{operation="POST /v1/studies/{study}/ask",status="200"} 3` + "\n", `prefer_requests_total{operation="GET /v1/studies/{study}",status="404"} 1` + "\n",
		`prefer_build_info{version="v1.2.3",commit="833cca3",go="` + runtime.Version() + `"} 1` + "\n",
		`prefer_request_seconds_count{operation="POST /v1/studies/{study}/ask"} 3` + "\n", "prefer_requests_running 1\n",
		fmt.Sprintf("prefer_store_connections_max %d\n", pool.MaxOpenConnections), fmt.Sprintf("prefer_store_connections{state=\"in_use\"} %d\n", pool.InUse),
		fmt.Sprintf("prefer_store_connections{state=\"idle\"} %d\n", pool.Idle), "prefer_store_connection_waits_total 0\n",
	} {
		if !contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestStoreTimes: every answer is a write of the database with a COMMIT, and nothing was read without a connection.
func TestStoreTimes(t *testing.T) {
	h := newHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	count := func() map[string]int {
		out := map[string]int{}
		_, _, text := h.do("GET", "/metrics", "")
		for _, m := range regexp.MustCompile(`prefer_store_seconds_count\{operation="(\w+)"\} (\d+)`).FindAllSubmatch(text, -1) {
			n, err := strconv.Atoi(string(m[2]))
			if err != nil {
				t.Fatal(err)
			}
			out[string(m[1])] = n
		}
		return out
	}
	before := count()
	h.play("ann", 3)
	after := count()
	if len(after) != 4 || after["write"]-before["write"] < 6 || after["commit"]-before["commit"] < 6 || after["connection"] < after["read"]+after["write"] {
		t.Errorf("three questions and answers made %v of %v", after, before)
	}
}

// TestDocumentedMetrics: docs/guides/deploy.md lists what there is, and nothing else, with its kind.
func TestDocumentedMetrics(t *testing.T) {
	text, err := os.ReadFile("../docs/guides/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented, exported []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(prefer_[a-z_]+)` \\| ([a-z]+) \\|").FindAllSubmatch(text, -1) {
		documented = append(documented, string(m[1])+" "+string(m[2]))
	}
	_, _, metrics := newHouse(t, nil).do("GET", "/metrics", "")
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (\S+ \S+)$`).FindAllSubmatch(metrics, -1) {
		exported = append(exported, string(m[1]))
	}
	slices.Sort(documented)
	slices.Sort(exported)
	if !slices.Equal(documented, exported) || len(exported) < 20 {
		t.Errorf("documented are\n%q\nexported are\n%q", documented, exported)
	}
}
