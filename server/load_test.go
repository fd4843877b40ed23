package server

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	loadRaters  = flag.Int("load", 0, "raters of TestLoad; 0: it does not run")
	loadFor     = flag.Duration("for", time.Minute, "how long TestLoad runs")
	loadThink   = flag.Duration("think", 3*time.Second, "mean time a rater of TestLoad looks at a question")
	loadStudies = flag.Int("studies", 20, "studies that the raters of TestLoad share")
)

// tape records how long requests took.
type tape struct {
	mu     sync.Mutex
	times  map[string][]time.Duration
	errors map[string]int
}

func (p *tape) add(name string, d time.Duration, status int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.times[name] = append(p.times[name], d)
	if err != nil || status != http.StatusOK {
		p.errors[fmt.Sprintf("%s: %d %v", name, status, err)]++
	}
}

// TestLoad drives many raters against a server on the loopback and prints what they had to wait:
//
//	go test ./server -run Load -load 200 -for 2m
//
// Each asks, looks for a while (exponential, mean -think), tells, and asks again.
func TestLoad(t *testing.T) {
	if *loadRaters == 0 {
		t.Skip("a load of minutes; run with -load 200")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 2)) // as "prefer serve" does
	h := busyHouse(t, func(c *Config) { withOwner(c); c.Rate = 0; c.Budget = 0 })
	transport := &http.Transport{MaxIdleConnsPerHost: *loadRaters}
	client := &http.Client{Transport: transport}
	for i := range *loadStudies {
		h.want(201, "POST", "/v1/studies", fmt.Sprintf(`{"name":"s%d","seed":%d,"params":[{"name":"a","type":"float","low":0,"high":1},{"name":"b","type":"float","low":0,"high":1},{"name":"c","type":"float","low":0,"high":1}]}`, i, i), nil)
	}
	record := &tape{times: map[string][]time.Duration{}, errors: map[string]int{}}
	end := time.Now().Add(*loadFor)
	var wait sync.WaitGroup
	for i := range *loadRaters {
		study := fmt.Sprintf("s%d", i%*loadStudies)
		rater := h.invite(study, fmt.Sprint("r", i))
		wait.Go(func() { rate(rater, client, study, uint64(i), end, record) })
	}
	wait.Wait()
	transport.CloseIdleConnections()
	total := 0
	for _, name := range []string{"ask", "tell"} {
		d := record.times[name]
		total += len(d)
		slices.Sort(d)
		at := func(q float64) time.Duration {
			return d[min(len(d)-1, int(q*float64(len(d))))].Round(10 * time.Microsecond)
		}
		t.Logf("%-4s %6d requests, p50 %v, p95 %v, p99 %v, longest %v", name, len(d), at(0.5), at(0.95), at(0.99), at(1))
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d raters in %d studies, %.1f requests/s, errors %v, %d MB from the system, %d MB on the heap", *loadRaters, *loadStudies,
		float64(total)/loadFor.Seconds(), record.errors, m.Sys>>20, m.HeapAlloc>>20)
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

// rate is one rater's sitting.
func rate(h *house, client *http.Client, study string, seed uint64, end time.Time, record *tape) {
	luck := rand.New(rand.NewPCG(seed, 8))
	send := func(name, body string, out any) bool {
		start := time.Now()
		req, err := http.NewRequest("POST", h.web.URL+"/v1/studies/"+study+"/"+name, strings.NewReader(body))
		if err != nil {
			return false
		}
		req.Header.Set("Authorization", "Bearer "+h.token)
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			record.add(name, time.Since(start), 0, err)
			return false
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		record.add(name, time.Since(start), resp.StatusCode, err)
		return err == nil && resp.StatusCode == 200 && json.Unmarshal(text, out) == nil
	}
	time.Sleep(time.Duration(luck.Float64() * float64(*loadThink))) // not all at once
	for time.Now().Before(end) {
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
		if !send("tell", fmt.Sprintf(`{"question_id":%q,"choice":%q}`, q.ID, choice), &out) {
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
