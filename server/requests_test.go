package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/prefer-bo/prefer/server/internal/gate"
)

var (
	requests = flag.Int("requests", 10_000, "how many requests TestRequests makes")
	seedFlag = flag.Uint64("requests-seed", 20261116, "the seed of TestRequests")
)

// world is a server with studies and people, and what they were told.
type world struct {
	*testServer
	*generator
	shown     map[string]bool // studies whose result raters see
	rules     map[string]string
	described map[string]map[string]any // operations by pattern
	ledgers   map[string]*ledger        // by study; none of one that came from a file
	counts    map[string]map[int]int    // by party and status
	broken    int
}

// ledger is what was acknowledged about a study.
type ledger struct {
	answers map[string]string // whose
	undone  map[string]bool
	taken   map[string]bool // the same word again is the same
	joined  int
	left    int
	queued  int
}

// studiesOf are the studies of a world: one for a team, one that shows its result, one of a list, and one in which each has their own taste.
var studiesOf = map[string]string{
	"coffee": coffee,
	"shown":  strings.NewReplacer(`"coffee"`, `"shown"`, `"seed"`, `"show_result":true,"seed"`).Replace(coffee),
	"list":   strings.Replace(pictures, `"coffee"`, `"list"`, 1),
	"each":   strings.NewReplacer(`"coffee"`, `"each"`, `"seed"`, `"show_result":true,"people":"per_rater","seed"`).Replace(coffee),
}

// mark is a rater's name, which nobody else may read. Its parts are no words that requests are made of.
func mark(study, rater string) string { return "mark-" + rater + "-" + study }

// begin recreates a study and invites its people.
func (w *world) begin(study string) {
	w.t.Helper()
	if status, _, text := w.do("DELETE", "/v1/studies/"+study, ""); status != 204 && status != 404 {
		w.t.Fatalf("%d %s", status, text)
	}
	w.want(201, "POST", "/v1/studies", studiesOf[study], nil)
	w.shown[study] = strings.Contains(studiesOf[study], `"show_result":true`)
	w.ledgers[study] = &ledger{answers: map[string]string{}, undone: map[string]bool{}, taken: map[string]bool{}}
	w.personas = slices.DeleteFunc(w.personas, func(p persona) bool { return p.study == study })
	for _, rater := range []string{"ann", "ben"} {
		w.personas = append(w.personas, persona{"rater", study, mark(study, rater), w.invite(study, mark(study, rater)).token})
	}
	ended := w.endings(study, mark(study, "guest"))
	ended["forgotten rater"] = w.invite(study, "gone").token
	if _, err := w.store.Forget(w.t.Context(), study, "gone"); err != nil {
		w.t.Fatal(err)
	}
	w.personas = append(w.personas, persona{"rater", study, mark(study, "guest"), ended["guest"]})
	delete(ended, "guest")
	for _, party := range slices.Sorted(maps.Keys(ended)) {
		w.personas = append(w.personas, persona{party, study, "", ended[party]})
	}
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	w := &world{shown: map[string]bool{}, rules: maps.Clone(pageRules), described: map[string]map[string]any{}, ledgers: map[string]*ledger{}, counts: map[string]map[int]int{},
		testServer: newTestServer(t, func(c *Config) {
			withOwner(c)
			c.Now = inStages
			c.ScrapeToken, c.Media, c.Budget = scrape, t.TempDir(), 20*time.Millisecond
		}),
		generator: &generator{Rand: rand.New(rand.NewPCG(seed, 1)), studies: slices.Sorted(maps.Keys(studiesOf)), told: map[string][]string{}}}
	w.generator.calls, w.doc = w.testServer.calls()
	for _, c := range w.generator.calls {
		w.described[c.method+" "+c.path] = c.operation
		w.rules[c.method+" "+c.path] = c.who
	}
	for _, pattern := range w.server.mux.patterns {
		if w.described[pattern] == nil && pattern != "/" {
			w.pages = append(w.pages, pattern)
		}
	}
	boss := persona{"owner", "", "", owner}
	w.personas = []persona{boss, boss, boss, boss, boss, boss, boss, boss, {"nobody", "", "", ""}, {"wrong", "", "", strings.Repeat("x", 22)}, {"scrape", "", "", scrape}}
	for _, study := range w.studies {
		w.begin(study)
	}
	return w
}

// fail reports a rule that was broken.
func (w *world) fail(r request, reply *httptest.ResponseRecorder, format string, args ...any) {
	w.t.Helper()
	w.broken++
	w.t.Errorf("%s: %s of %s %q %s %s %.500q is %d %.500s", fmt.Sprintf(format, args...), r.Method, r.by.party, r.by.rater, r.URL, r.Header, r.body, reply.Code, reply.Body)
}

// streamEnd ends a stream of events when its first has come.
type streamEnd struct {
	*httptest.ResponseRecorder
	stop func()
}

func (s streamEnd) Flush() { s.ResponseRecorder.Flush(); s.stop() }

// send has a request answered, and holds the reply against everything that is always true.
func (w *world) send(r request) {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.t.Context(), longest)
	defer stop()
	_, pattern := w.server.mux.Handler(gate.RewriteVerb(r.Clone(ctx)))
	study := ""
	if parts := strings.Split(gate.RewriteVerb(r.Clone(ctx)).URL.EscapedPath(), "/"); len(parts) > 3 && parts[2] == "studies" {
		study, _ = url.PathUnescape(parts[3])
	}
	if pattern == "DELETE /v1/studies/{study}" && r.by.party == "owner" {
		w.settle(study)
	}
	reply := httptest.NewRecorder()
	w.server.Handler().ServeHTTP(streamEnd{reply, stop}, r.WithContext(ctx))
	w.count(r.by.party, reply.Code)
	if r.by.rater != "" {
		w.silent(r, reply)
	}
	var text any
	told := json.Unmarshal(reply.Body.Bytes(), &text) == nil
	switch {
	case reply.Code >= 500 && !w.busy(reply), reply.Code < 200:
		w.fail(r, reply, "the server is to blame")
	case reply.Code >= 400 && r.Method != http.MethodHead:
		w.problem(r, reply, text)
	case reply.Code >= 300:
		w.guest(r, reply)
	case (r.unread || r.never) && w.described[pattern]["requestBody"] != nil:
		w.fail(r, reply, "a body that broke off, or is none, was taken")
	default:
		w.mayHave(r, reply, pattern, study)
		w.describes(r, reply, pattern, text)
		w.keep(r, pattern, study, text)
	}
	if told {
		w.hear(text)
	}
}

// guest holds that a link for everybody makes nobody somebody else.
func (w *world) guest(r request, reply *httptest.ResponseRecorder) {
	w.t.Helper()
	_, token, _ := strings.Cut(reply.Header().Get("Location"), "/r/")
	token, _, _ = strings.Cut(token, "?")
	if strings.Contains(r.URL.Path, token) {
		return // the same address, written otherwise
	}
	link, err := w.server.studies.Tokens.Link(w.t.Context(), token)
	if err == nil && strings.HasPrefix(link.Rater, "mark-") && strings.HasSuffix(link.Rater, "-"+link.Study) && link.Rater != r.by.rater {
		w.fail(r, reply, "a link for everybody makes them %s", link.Rater)
	}
}

// cutOff sends a request over a connection of its own, and ends that, or the sense of what is sent, before its body.
func (w *world) cutOff(r request) {
	w.t.Helper()
	conn, err := net.Dial("tcp", w.web.Listener.Addr().String())
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close()
	how := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(r.body)+1+w.IntN(1000), r.body)
	if w.IntN(2) == 0 {
		how = fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%s", len(r.body), r.body, []string{"", "zz\r\n", "ffffffffffffffffff\r\n", "5\r\nab", "-1\r\n"}[w.IntN(5)])
	}
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%s", r.Method, r.URL.RequestURI(), r.by.token, how)
	_ = conn.(*net.TCPConn).CloseWrite() // the server may have closed it
	resp, err := http.ReadResponse(bufio.NewReader(conn), r.Request)
	if err != nil {
		return // closed without a word
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	w.count("broken transfer", resp.StatusCode)
	if resp.StatusCode >= 500 || resp.StatusCode < 300 {
		w.broken++
		w.t.Errorf("%s %s of %s, cut off as %.300q: %d %s", r.Method, r.URL, r.by.party, how, resp.StatusCode, text)
	}
}

// count counts a reply.
func (w *world) count(party string, code int) {
	if w.counts[party] == nil {
		w.counts[party] = map[int]int{}
	}
	w.counts[party][code]++
}

// busy reports whether a reply says that now is not the time, as replies may on a busy machine.
func (w *world) busy(reply *httptest.ResponseRecorder) bool {
	return reply.Code == http.StatusServiceUnavailable && reply.Header().Get("Retry-After") != "" && reply.Header().Get("Content-Type") == "application/problem+json"
}

// silent holds that a rater reads nobody else's name, unless they wrote it, or have that one's link.
func (w *world) silent(r request, reply *httptest.ResponseRecorder) {
	w.t.Helper()
	said := r.body + r.URL.String() + r.URL.Path + fmt.Sprint(r.Header)
	for _, p := range w.personas {
		if p.rater != "" && p.rater != r.by.rater && bytes.Contains(reply.Body.Bytes(), []byte(p.rater)) && !strings.Contains(said, p.rater) && !strings.Contains(said, p.token) {
			w.fail(r, reply, "a rater reads of %s", p.rater)
		}
	}
}

// valid holds a value against a schema of the description.
func (w *world) valid(r request, reply *httptest.ResponseRecorder, schema, value any) {
	w.t.Helper()
	if wrong := w.fits("", schema, value); wrong != "" {
		w.fail(r, reply, "the reply is not what the description says (%s)", wrong)
	}
}

// fits says where a value is not what a schema describes, as far as replies are described.
func (w *world) fits(at string, schema, value any) string {
	s, _ := schema.(map[string]any)
	if ref, ok := s["$ref"].(string); ok {
		return w.fits(at, w.doc["components"].(map[string]any)["schemas"].(map[string]any)[strings.TrimPrefix(ref, "#/components/schemas/")], value)
	}
	if one, ok := s["oneOf"].([]any); ok {
		for _, each := range one {
			if w.fits(at, each, value) == "" {
				return ""
			}
		}
		return at + " is not an allowed value"
	}
	if enum, ok := s["enum"].([]any); ok && !slices.Contains(enum, value) {
		return fmt.Sprint(at, " is ", value, ", want one of ", enum)
	}
	kind := "null"
	switch value := value.(type) {
	case bool:
		kind = "boolean"
	case float64:
		kind = "number"
	case string:
		kind = "string"
	case []any:
		kind = "array"
		for i, each := range value {
			if wrong := w.fits(fmt.Sprint(at, "[", i, "]"), s["items"], each); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		kind = "object"
		properties, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		for _, name := range required {
			if _, ok := value[name.(string)]; !ok {
				return fmt.Sprint(at, ".", name, " is missing")
			}
		}
		for name, each := range value {
			of, known := properties[name]
			if !known && s["additionalProperties"] == false {
				return at + "." + name + " is not described"
			}
			if !known {
				of = s["additionalProperties"]
			}
			if wrong := w.fits(at+"."+name, of, each); wrong != "" {
				return wrong
			}
		}
	}
	want, ok := s["type"].([]any)
	if !ok && s["type"] != nil {
		want = []any{s["type"]}
	}
	if len(want) > 0 && !slices.Contains(want, any(kind)) && (kind != "number" || !slices.Contains(want, any("integer"))) {
		return fmt.Sprint(at, " is a ", kind, ", want ", want)
	}
	return ""
}

// problem holds that a refusal is one.
func (w *world) problem(r request, reply *httptest.ResponseRecorder, text any) {
	w.t.Helper()
	p, ok := text.(map[string]any)
	kind, _ := p["type"].(string)
	if !ok || reply.Header().Get("Content-Type") != "application/problem+json" || !strings.HasPrefix(kind, "urn:prefer:") || p["status"] != float64(reply.Code) || p["detail"] == "" {
		if !strings.HasPrefix(r.URL.Path, "/page/") { // net/http's own words
			w.fail(r, reply, "a refusal is not a problem")
		}
		return
	}
	w.valid(r, reply, map[string]any{"$ref": "#/components/schemas/ErrorModel"}, text)
}

// mayHave holds that who was served may be, by the rule that TestMatrix holds operations to.
func (w *world) mayHave(r request, reply *httptest.ResponseRecorder, pattern, study string) {
	w.t.Helper()
	party := r.by.party
	if party == "rater" && study != "" && study != r.by.study {
		party = "other study's rater"
	}
	rule := w.rules[pattern]
	if strings.HasSuffix(rule, "link") || rule == "secret" {
		return // everyone with the address may
	}
	if status, kind := verdictOf(rule, party, false, w.shown[study]); status != 2 {
		w.fail(r, reply, "%s is for %s, and %s was served in place of %d %s", pattern, rule, party, status, kind)
	}
	var named struct{ Rater string }
	_ = json.Unmarshal([]byte(r.body), &named) // it may be anything
	for _, name := range []string{named.Rater, r.URL.Query().Get("rater")} {
		if party == "rater" && name != "" && name != r.by.rater && w.described[pattern] != nil {
			w.fail(r, reply, "a rater speaks for %s", name)
		}
	}
}

// describes holds that a reply is what the description says.
func (w *world) describes(r request, reply *httptest.ResponseRecorder, pattern string, text any) {
	w.t.Helper()
	op := w.described[pattern]
	if op == nil || r.Method == http.MethodHead {
		return
	}
	known, _ := op["responses"].(map[string]any)[fmt.Sprint(reply.Code)].(map[string]any)
	content, _ := known["content"].(map[string]any)
	kind, _, _ := strings.Cut(reply.Header().Get("Content-Type"), ";")
	switch {
	case known == nil:
		w.fail(r, reply, "the description of %s has no %d", pattern, reply.Code)
	case len(content) == 0 && reply.Body.Len() > 0, len(content) > 0 && content[kind] == nil:
		w.fail(r, reply, "the description of %s has no reply of type %q", pattern, kind)
	case kind == "application/json" && text == nil:
		w.fail(r, reply, "the reply is not JSON")
	case kind == "application/json":
		w.valid(r, reply, content[kind].(map[string]any)["schema"], text)
	}
}

// keep writes down what was acknowledged.
func (w *world) keep(r request, pattern, study string, text any) {
	l := w.ledgers[study]
	said, _ := text.(map[string]any)
	answer, _ := said["answer_id"].(string)
	switch op := strings.Replace(pattern, "/v1/studies", "", 1); {
	case op == "POST " && said["name"] != nil:
		w.ledgers[said["name"].(string)] = &ledger{answers: map[string]string{}, undone: map[string]bool{}, taken: map[string]bool{}}
	case op == "PATCH /{study}":
		settings, _ := said["settings"].(map[string]any)
		w.shown[study] = settings["show_result"] == true
	case op == "DELETE /{study}", op == "POST /{study}/forget":
		delete(w.ledgers, study)
		if studiesOf[study] != "" {
			w.begin(study)
		}
	case l == nil:
	case op == "POST /{study}/tell":
		if who, again := l.answers[answer]; again && who != r.by.rater && r.by.party != "owner" {
			w.t.Errorf("the answer %s of %s is acknowledged to %s", answer, who, r.by.rater)
		} else if !again {
			l.answers[answer] = r.by.rater
		}
	case op == "POST /{study}/undo", op == "DELETE /{study}/answers/{answer}":
		l.undone[answer] = true
		if who := l.answers[answer]; r.by.party == "rater" && who != "" && who != r.by.rater {
			w.t.Errorf("%s took back the answer %s of %s", r.by.rater, answer, who)
		}
	case op == "POST /{study}/take":
		l.taken[fmt.Sprint(said["id"])] = true
	case op == "POST /{study}/items":
		l.joined++
	case op == "DELETE /{study}/items/{item}":
		l.left++
	case op == "POST /{study}/enqueue":
		l.queued++
	}
}

// settle holds the log of a study against what was acknowledged: every answer and nothing else, each by who gave it.
func (w *world) settle(study string) {
	w.t.Helper()
	l := w.ledgers[study]
	if l == nil {
		return
	}
	events, err := w.store.Events(w.t.Context(), study)
	if err != nil {
		w.t.Errorf("%s: %v", study, err)
		return
	}
	asked, kept, undone, taken := map[string]string{}, map[string]string{}, map[string]bool{}, map[string]bool{}
	joined, left, queued := 0, 0, 0
	for _, e := range events {
		switch {
		case e.Asked != nil:
			asked[string(e.Asked.ID)] = e.Asked.Rater
		case e.Answered != nil:
			kept[string(e.Answered.ID)] = asked[string(e.Answered.Question)]
		case e.Observed != nil:
			if !strings.HasPrefix(e.Observed.Duel.Answer.Key, "import ") {
				kept[string(e.Observed.ID)] = e.Observed.Duel.Rater
			}
		case e.Undone != nil:
			undone[string(e.Undone.Answer)] = true
		case e.Taken != nil:
			taken[e.Taken.ID] = true
		case e.Joined != nil:
			joined++
		case e.Left != nil:
			left++
		case e.Enqueued != nil:
			queued++
		}
	}
	for id, who := range l.answers {
		if by, ok := kept[id]; !ok || who != "" && by != who {
			w.broken++
			w.t.Errorf("%s: the answer %s of %q was acknowledged, and the log has it (%v) of %q", study, id, who, ok, by)
		}
	}
	if len(kept) != len(l.answers) || !maps.Equal(undone, l.undone) || !maps.Equal(taken, l.taken) || joined != l.joined || left != l.left || queued != l.queued {
		w.broken++
		w.t.Errorf("%s: the log has %d answers, %d taken back, %d taken, %d joined, %d left, %d enqueued; acknowledged were %d, %d, %d, %d, %d, %d", study,
			len(kept), len(undone), len(taken), joined, left, queued, len(l.answers), len(l.undone), len(l.taken), l.joined, l.left, l.queued)
	}
}

// table prints who got what.
func (w *world) table() string {
	var out strings.Builder
	tab := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "credential\trequests\t2xx\t3xx\t401\t403\t404\t422\tother 4xx\t5xx\t")
	sum := map[string]int{}
	for _, party := range append(slices.Sorted(maps.Keys(w.counts)), "all") {
		by := map[string]int{}
		for code, n := range w.counts[party] {
			column := fmt.Sprint(code)
			switch {
			case !slices.Contains([]int{401, 403, 404, 422}, code):
				column = fmt.Sprint(code / 100)
			}
			by[column] += n
			by["all"] += n
			sum[column] += n
			sum["all"] += n
		}
		if party == "all" {
			by = sum
		}
		fmt.Fprintf(tab, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", party, by["all"], by["2"], by["3"], by["401"], by["403"], by["404"], by["422"], by["4"], by["5"])
	}
	tab.Flush()
	return fmt.Sprintf("%s%d rules broken\n", out.String(), w.broken)
}

// TestRequests: whatever anybody sends with whatever credential, nothing but the sender is to blame, replies are what the
// description says, nobody gets what the rules do not give them nor reads of another, and what was acknowledged is in the store and nothing else.
// make soak sends 200,000 requests.
func TestRequests(t *testing.T) {
	n := *requests
	if testing.Short() {
		n = min(n, 2000)
	}
	w := newWorld(t, *seedFlag)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	goroutines, before := runtime.NumGoroutine(), uint64(0)
	for i := range n {
		if i%200 == 199 {
			study := w.studies[i/200%len(w.studies)]
			w.settle(study)
			w.begin(study)
		}
		if i == n/4 {
			before = heap()
		}
		if r := w.request(); i%100 == 0 && r.Method == "POST" && len(r.body) > 0 && r.URL.Path != "/" {
			w.cutOff(r)
		} else {
			w.send(r)
		}
		if w.broken > 20 {
			t.Fatal("that is enough")
		}
	}
	for study := range w.ledgers {
		w.settle(study)
	}
	t.Log("\n" + w.table())
	all := map[int]int{}
	for _, codes := range w.counts {
		for code, k := range codes {
			all[code/100] += k
		}
	}
	if all[2] < n/20 || all[4] < n/4 {
		t.Errorf("the requests are not what they should be: %v", all)
	}
	// Fits that nobody waits for any more end by themselves.
	await(t, "the end of what was begun", func() bool { return runtime.NumGoroutine() <= goroutines+2 })
	if after := heap(); after > before+32<<20 {
		t.Errorf("%d MB at the end, %d after a quarter", after>>20, before>>20)
	}
}
