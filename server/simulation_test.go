package server

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/simulate"
)

// tea is a list that a simulated person is soon done with.
const tea = `{"name":"tea","prompt":"Which cup?","items":[{"id":"assam"},{"id":"darjeeling"},{"id":"keemun"},{"id":"oolong"}],"method":"random","seed":3}`

// few is a simulation of two people.
const few = `{"raters":2,"max_questions":5,"noise":["prior","20%"]}`

// finish waits until a job is over.
func (h *testServer) finish(study, key string) Job {
	h.t.Helper()
	var e Job
	await(h.t, "the end of "+key, func() bool {
		e = Job{}
		h.want(200, "GET", "/v1/studies/"+study+"/jobs/"+key, "", &e)
		return e.Workers == nil
	})
	return e
}

// simulated is what "prefer simulate" would say about a study.
func (h *testServer) simulated(study string, c simulate.Config, seconds float64) *live.Simulation {
	h.t.Helper()
	s, err := h.store.Study(context.Background(), study)
	if err != nil {
		h.t.Fatal(err)
	}
	c.Study = s.Config()
	if items := s.Items(false); items != nil {
		c.Study.Space.Items = items
	}
	result, err := simulate.Run(context.Background(), c)
	if err != nil {
		h.t.Fatal(err)
	}
	return live.NewSimulation(result, seconds)
}

// TestSimulation: what comes of it is what a simulation gives; asking again is the same job, and nothing is
// done twice; asking for more people lets it grow.
func TestSimulation(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", tea, nil)
	status, head, text := h.do("POST", "/v1/studies/tea/simulations", few)
	var e Job
	if err := json.Unmarshal(text, &e); err != nil || status != 202 {
		t.Fatalf("%d %s", status, text)
	}
	if e.Kind != "simulation" || e.Parts != 4 || head.Get("Location") != "/v1/studies/tea/jobs/"+e.ID {
		t.Fatalf("%+v at %s", e, head.Get("Location"))
	}
	done := h.finish("tea", e.ID)
	noise := []simulate.Noise{simulate.Prior, {ErrorRate: 0.2}}
	want := h.simulated("tea", simulate.Config{Raters: 2, MaxQuestions: 5, Noise: noise}, 5)
	if done.State != "done" || done.Done != 4 || done.Failure != "" {
		t.Fatalf("it ended as %+v", done)
	}
	if d := cmp.Diff(want, done.Result); d != "" {
		t.Errorf("the simulation is not the simulation:\n%s", d)
	}
	if len(done.Result.Levels) != 2 || !strings.Contains(done.Result.Levels[1].Sentence, "at 5 s per answer") || done.Result.Caveat != simulate.Caveat {
		t.Errorf("it says %+v", done.Result)
	}
	var again Job
	h.want(202, "POST", "/v1/studies/tea/simulations", strings.Replace(few, "{", `{"seconds_per_answer":10,`, 1), &again)
	if again.ID != e.ID || again.State != "done" || !again.Created.Equal(e.Created) || !strings.Contains(again.Result.Levels[0].Sentence, "at 10 s per answer") {
		t.Errorf("asked again it is %+v", again)
	}
	if sent := h.server.studies.Counters.JobsSent.Load(); sent != 1 {
		t.Errorf("%d jobs were sent, want 1", sent)
	}
	h.want(202, "POST", "/v1/studies/tea/simulations", strings.Replace(few, `"raters":2`, `"raters":3`, 1), &again)
	if again.ID != e.ID || again.Parts != 6 {
		t.Errorf("with one more it is %+v", again)
	}
	if d := cmp.Diff(h.simulated("tea", simulate.Config{Raters: 3, MaxQuestions: 5, Noise: noise}, 5), h.finish("tea", e.ID).Result); d != "" {
		t.Errorf("grown it is not the simulation:\n%s", d)
	}
	h.want(202, "POST", "/v1/studies/tea/simulations", strings.Replace(few, "{", `{"seed":1,`, 1), &again)
	if again.ID == e.ID {
		t.Error("other people are the same job")
	}
	h.finish("tea", again.ID)
	_, _, text = h.do("GET", "/metrics", "")
	for _, line := range []string{"prefer_jobs_sent_total 3\n", "prefer_jobs_done_total 3\n", "prefer_jobs_failed_total 0\n", "prefer_jobs_waiting 0\n"} {
		if !contains(text, line) {
			t.Errorf("no %q in the metrics", line)
		}
	}
}

// TestSimulationOfList: items that joined are in it, and what they look like does not make it another job.
func TestSimulationOfList(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"names","items":[{"id":"a","text":"Aurora"},{"id":"b","text":"Borealis"}],"method":"random"}`, nil)
	h.want(201, "POST", "/v1/studies/names/items", `{"items":[{"id":"c","text":"Corona"}]}`, nil)
	var e Job
	h.want(202, "POST", "/v1/studies/names/simulations", `{"raters":2,"max_questions":4}`, &e)
	if d := cmp.Diff(h.simulated("names", simulate.Config{Raters: 2, MaxQuestions: 4}, 5), h.finish("names", e.ID).Result); d != "" {
		t.Errorf("the simulation is not the simulation:\n%s", d)
	}
}

// TestSimulationRefused: what makes no sense is refused with the field to blame.
func TestSimulationRefused(t *testing.T) {
	h := newTestServer(t, withOwner)
	h.want(201, "POST", "/v1/studies", tea, nil)
	for _, c := range []struct{ body, field string }{
		{`{"raters":0}`, "body.raters"}, {`{"raters":1001}`, "body.raters"}, {`{"raters":2.5}`, "body.raters"}, {`{"max_questions":301}`, "body.max_questions"},
		{`{"noise":[]}`, "body.noise"}, {`{"noise":["prior","loud"]}`, "body.noise[1]"}, {`{"noise":["60%"]}`, "body.noise[0]"},
		{`{"seconds_per_answer":0}`, "body.seconds_per_answer"}, {`{"seed":-1}`, "body.seed"}, {`{"jobs":3}`, "body.jobs"},
		{`{"raters":1000,"max_questions":300}`, "body"},
	} {
		h.refused(422, "invalid", c.field, "POST", "/v1/studies/tea/simulations", c.body)
	}
	for _, c := range []struct{ body, field string }{{`{"rater":"ann"}`, "body.rater"}, {`{"title":7}`, "body.title"}, {`{"seq":3}`, "body.seq"}} {
		h.refused(422, "invalid", c.field, "POST", "/v1/studies/tea/reports", c.body)
	}
	for _, path := range []string{"/v1/studies/none/simulations", "/v1/studies/none/reports"} {
		h.refused(404, "no_study", "", "POST", path, `{}`)
	}
	h.refused(404, "no_study", "", "GET", "/v1/studies/none/jobs", "")
	for _, key := range []string{"x", "simulation-0", "report-0", "..%2fsettings", "%00"} {
		h.refused(404, "no_job", "", "GET", "/v1/studies/tea/jobs/"+key, "")
		h.refused(404, "no_job", "", "DELETE", "/v1/studies/tea/jobs/"+key, "")
		h.refused(404, "no_job", "", "GET", "/v1/studies/tea/jobs/"+key+"/page", "")
	}
	var e Job
	h.want(202, "POST", "/v1/studies/tea/simulations", few, &e)
	h.refused(404, "no_report", "", "GET", "/v1/studies/tea/jobs/"+e.ID+"/page", "")
	ann := h.invite("tea", "ann")
	for _, c := range [][3]string{{"POST", "simulations", `{}`}, {"POST", "reports", `{}`}, {"GET", "jobs", ""}, {"GET", "jobs/" + e.ID, ""},
		{"DELETE", "jobs/" + e.ID, ""}, {"GET", "jobs/" + e.ID + "/page", ""}} {
		ann.refused(403, "owner_only", "", c[0], "/v1/studies/tea/"+c[1], c[2])
	}
	if e = h.finish("tea", e.ID); e.State != "done" {
		t.Errorf("it ended as %+v", e)
	}
}

// TestSimulationRestart: a server that stops in the middle leaves a job that the next one, whose runner knows
// nothing of it, brings to the same end.
func TestSimulationRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	word := make(chan struct{}, 1)
	var e Job
	t.Run("first", func(t *testing.T) {
		h := openTestServer(t, path, func(c *Config) { c.Runner = newSlowRunner(t, word) })
		h.want(201, "POST", "/v1/studies", tea, nil)
		h.want(202, "POST", "/v1/studies/tea/simulations", few, &e)
		word <- struct{}{}
		await(t, "one of four people", func() bool {
			h.want(200, "GET", "/v1/studies/tea/jobs/"+e.ID, "", &e)
			return e.Done == 1
		})
		if e.State != "running" || *e.Workers != 1 || e.Result == nil || e.Result.Levels[0].Finished != 1 || e.Result.Levels[1].Finished != 0 ||
			e.Result.Levels[1].Sentence != "Nobody has finished yet." {
			t.Errorf("in the middle it is %+v", e)
		}
	})
	h := openTestServer(t, path, nil)
	want := h.simulated("tea", simulate.Config{Raters: 2, MaxQuestions: 5, Noise: []simulate.Noise{simulate.Prior, {ErrorRate: 0.2}}}, 5)
	if d := cmp.Diff(want, h.finish("tea", e.ID).Result); d != "" {
		t.Errorf("after the restart it is another one:\n%s", d)
	}
}
