//go:build unix

package server

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var (
	loadRaters  = flag.Int("load", 0, "raters of TestLoad; 0: it does not run")
	loadFor     = flag.Duration("for", time.Minute, "how long TestLoad runs")
	loadThink   = flag.Duration("think", 5*time.Second, "mean time a rater of TestLoad looks at a question")
	loadStudies = flag.Int("studies", 20, "studies that the raters of TestLoad share")
	loadBusy    = flag.Int("busy", 0, "processes beside TestLoad that compute all the time")
)

// tape records how long requests took, refusals that say when to come back included: of those the time until one was served.
type tape struct {
	mu      sync.Mutex
	times   map[string][]time.Duration
	waits   map[string][]time.Duration // from the first try on
	refused map[string]int             // 503 and Retry-After
	errors  map[string]int
	parts   map[string][]time.Duration // of Server-Timing, by request and part
}

func (p *tape) add(name string, took, waited time.Duration, status int, again bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.times[name] = append(p.times[name], took)
	switch {
	case again:
		p.refused[name]++
	case err != nil || status != http.StatusOK:
		p.errors[fmt.Sprintf("%s: %d %v", name, status, err)]++
	default:
		p.waits[name] = append(p.waits[name], waited)
	}
}

// split adds what a reply says about where its time went.
func (p *tape) split(name, timing string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, part := range strings.Split(timing, ", ") {
		of, ms, _ := strings.Cut(part, ";dur=")
		if took, err := strconv.ParseFloat(ms, 64); err == nil {
			p.parts[name+" "+of] = append(p.parts[name+" "+of], time.Duration(took*float64(time.Millisecond)))
		}
	}
}

// quantiles writes those of durations.
func quantiles(d []time.Duration) string {
	if len(d) == 0 {
		return "none"
	}
	slices.Sort(d)
	at := func(q float64) time.Duration {
		return d[min(len(d)-1, int(q*float64(len(d))))].Round(10 * time.Microsecond)
	}
	return fmt.Sprintf("p50 %v, p95 %v, p99 %v, longest %v", at(0.5), at(0.95), at(0.99), at(1))
}

// processor returns how long this process has had a processor, raters included.
func processor(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// keepBusy has so many processes compute until the test ends, or its process does.
func keepBusy(t *testing.T, n int) {
	for range n {
		c := exec.Command("sh", "-c", `while kill -0 $PPID; do i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; done`)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	}
}

// TestLoad drives many raters against a server on the loopback and prints what they had to wait:
//
//	go test ./server -run TestLoad -load 200            # on a machine that has nothing else to do
//	go test ./server -run TestLoad -load 200 -busy 17   # on one that has
//
// Each asks, looks for a while (exponential, mean -think), tells, and asks again. A refused rater retries.
func TestLoad(t *testing.T) {
	if *loadRaters == 0 {
		t.Skip("a load of minutes; run with -load 200")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 2)) // as "prefer serve" does
	h := busyTestServer(t, func(c *Config) { withOwner(c); c.Rate = 0; c.Budget = 0 })
	transport := &http.Transport{MaxIdleConnsPerHost: *loadRaters}
	client := &http.Client{Transport: transport}
	for i := range *loadStudies {
		h.want(201, "POST", "/v1/studies", fmt.Sprintf(`{"name":"s%d","seed":%d,"show_result":true,"params":[{"name":"a","type":"float","low":0,"high":1},{"name":"b","type":"float","low":0,"high":1},{"name":"c","type":"float","low":0,"high":1}]}`, i, i), nil)
	}
	keepBusy(t, *loadBusy)
	record := &tape{times: map[string][]time.Duration{}, waits: map[string][]time.Duration{}, refused: map[string]int{}, errors: map[string]int{}, parts: map[string][]time.Duration{}}
	var raters []*testServer
	for i := range *loadRaters {
		raters = append(raters, h.invite(fmt.Sprintf("s%d", i%*loadStudies), fmt.Sprint("r", i)))
	}
	before := processor(t)
	end := time.Now().Add(*loadFor)
	var wait sync.WaitGroup
	for i, r := range raters {
		wait.Go(func() { answerUntil(r, client, fmt.Sprintf("s%d", i%*loadStudies), uint64(i), end, record) })
	}
	wait.Wait()
	spent := processor(t) - before
	transport.CloseIdleConnections()
	total := 0
	for _, name := range []string{"ask", "tell"} {
		total += len(record.times[name])
		t.Logf("%-4s %6d requests, %s; %d of them told to come back (%.1f %%); until served %s", name, len(record.times[name]), quantiles(record.times[name]),
			record.refused[name], 100*float64(record.refused[name])/float64(max(1, len(record.times[name]))), quantiles(record.waits[name]))
	}
	for _, part := range slices.Sorted(maps.Keys(record.parts)) {
		t.Logf("%-11s of %d: %s", part, len(record.parts[part]), quantiles(record.parts[part]))
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d raters in %d studies beside %d busy processes, %.1f requests/s, %.1f ms of processor for an answer, errors %v, %d MB from the system, %d MB on the heap", *loadRaters, *loadStudies, *loadBusy,
		float64(total)/loadFor.Seconds(), spent.Seconds()*1000/float64(max(1, len(record.waits["tell"]))), record.errors, m.Sys>>20, m.HeapAlloc>>20)
	c := h.server.studies.Counters
	asked := c.StockHits.Load() + c.Hits.Load() + c.Misses.Load()
	t.Logf("questions: %.0f %% from the stock, %.0f %% chosen ahead, %.0f %% searched for", 100*float64(c.StockHits.Load())/float64(asked), 100*float64(c.Hits.Load())/float64(asked), 100*float64(c.Misses.Load())/float64(asked))
	_, _, text := h.do("GET", "/metrics", "")
	for _, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, "_total ") && !strings.HasPrefix(line, "#") {
			t.Log(line)
		}
	}
	if len(record.errors) > 0 {
		t.Errorf("errors: %v", record.errors)
	}
}

// answerUntil has one rater answer until a time.
func answerUntil(h *testServer, client *http.Client, study string, seed uint64, end time.Time, record *tape) {
	luck := rand.New(rand.NewPCG(seed, 8))
	try := func(name, body string, out any, first time.Time) (ok, again bool, after time.Duration) {
		start := time.Now()
		req, err := http.NewRequest("POST", h.web.URL+"/v1/studies/"+study+"/"+name, strings.NewReader(body))
		if err != nil {
			return false, false, 0
		}
		req.Header.Set("Authorization", "Bearer "+h.token)
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			record.add(name, time.Since(start), time.Since(first), 0, false, err)
			return false, false, 0
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		record.split(name, resp.Header.Get("Server-Timing"))
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // 0 if there is none
		again = resp.StatusCode == http.StatusServiceUnavailable && seconds > 0
		record.add(name, time.Since(start), time.Since(first), resp.StatusCode, again, err)
		return err == nil && resp.StatusCode == 200 && json.Unmarshal(text, out) == nil, again, time.Duration(seconds) * time.Second
	}
	send := func(name, body string, out any) bool {
		for first := time.Now(); ; {
			ok, again, after := try(name, body, out, first)
			if !again {
				return ok
			}
			time.Sleep(after + time.Duration(luck.Float64()*float64(after)))
		}
	}
	time.Sleep(time.Duration(luck.Float64() * float64(*loadThink))) // not all at once
	for n := 0; time.Now().Before(end); n++ {
		var q Question
		if !send("ask", `{}`, &q) {
			return
		}
		time.Sleep(time.Duration(luck.ExpFloat64() * float64(*loadThink)))
		choice := "first"
		if value(q, 0)+0.1*luck.NormFloat64() < value(q, 1) {
			choice = "second"
		}
		var out told
		if !send("tell", fmt.Sprintf(`{"question_id":%q,"choice":%q,"key":"%s-%d"}`, q.ID, choice, h.token[:8], n), &out) {
			return
		}
	}
}

// value is what the raters of TestLoad like: options near (0.3, 0.6, 0.5).
func value(q Question, side int) float64 {
	v := 0.0
	for name, best := range map[string]float64{"a": 0.3, "b": 0.6, "c": 0.5} {
		d := q.Options[side].Params.Float(name) - best
		v -= d * d
	}
	return v
}
