package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/store"
	"github.com/rogpeppe/go-internal/testscript"
)

// served is a "prefer serve" in a process of its own.
type served struct {
	process *exec.Cmd
	address string
}

// startServe runs this test binary as prefer and waits until it says where it is.
func startServe(t *testing.T, args ...string) *served {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program)
	c.Args = append([]string{"prefer", "serve", "--addr", "127.0.0.1:0"}, args...) // TestMain goes by the name
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not say where it is: %v", err)
	}
	return &served{c, strings.TrimSpace(line)}
}

// post sends a request and reads the reply; false if the server is gone.
func (s *served) post(path, body string, out any) bool {
	resp, err := http.Post(s.address+path, "application/json", strings.NewReader(body))
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return err == nil && resp.StatusCode == 200 && json.Unmarshal(text, out) == nil
}

// TestServeKilled kills the server under load, again and again on the same file: every answer it acknowledged
// is there, once. SOAK=1 kills 100 times.
func TestServeKilled(t *testing.T) {
	rounds := 3
	if os.Getenv("SOAK") == "1" {
		rounds = 100
	}
	dir := t.TempDir()
	study := filepath.Join(dir, "coffee.json")
	err := os.WriteFile(study, []byte(`{"params":[{"name":"milk","type":"float","low":0,"high":1}],"initial":100000}`), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	luck := rand.New(rand.NewPCG(5, 6))
	var mu sync.Mutex
	acknowledged := map[string]string{} // by key
	for round := range rounds {
		s := startServe(t, study)
		var wait sync.WaitGroup
		first := make(chan struct{}, 1)
		for rater := range 4 {
			wait.Go(func() {
				for i := 0; ; i++ {
					var q struct {
						ID string `json:"question_id"`
					}
					var a struct {
						ID string `json:"answer_id"`
					}
					key := fmt.Sprintf("%d-%d-%d", round, rater, i)
					if !s.post("/v1/studies/coffee/ask", fmt.Sprintf(`{"rater":"r%d"}`, rater), &q) ||
						!s.post("/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id":%q,"choice":"tie","key":%q}`, q.ID, key), &a) {
						return
					}
					mu.Lock()
					acknowledged[key] = a.ID
					mu.Unlock()
					select {
					case first <- struct{}{}:
					default:
					}
				}
			})
		}
		<-first
		time.Sleep(time.Duration(luck.IntN(150)) * time.Millisecond)
		if err := s.process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = s.process.Wait() // it was killed
		wait.Wait()
		kept := map[string][]string{}
		for _, e := range logOf(t, filepath.Join(dir, "coffee.db")) {
			if e.Answered != nil {
				kept[e.Answered.Answer.Key] = append(kept[e.Answered.Answer.Key], string(e.Answered.ID))
			}
		}
		for key, id := range acknowledged {
			if len(kept[key]) != 1 || kept[key][0] != id {
				t.Fatalf("round %d: the answer with the key %s was acknowledged as %s and is in the log as %v", round, key, id, kept[key])
			}
		}
	}
	t.Logf("%d kills, %d acknowledged answers", rounds, len(acknowledged))
}

// event is as much of one as the test looks at.
type keptEvent struct {
	Answered *struct {
		ID     string
		Answer struct{ Key string }
	}
}

func logOf(t *testing.T, path string) []keptEvent {
	t.Helper()
	st, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.Check(context.Background()); err != nil {
		t.Fatal(err)
	}
	events, err := st.Events(context.Background(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	var out []keptEvent
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// httpCommand is "http METHOD FILE PATH [BODY]": sends a request to the address that "prefer serve" printed to
// FILE, waiting for it, and prints status and body. PATH may be a whole address.
func httpCommand(ts *testscript.TestScript, neg bool, args []string) {
	path := args[2]
	if !strings.Contains(path, "://") {
		path = strings.TrimSpace(awaitFile(ts, args[1])) + path
	}
	var body io.Reader
	if len(args) > 3 {
		body = strings.NewReader(args[3])
	}
	req, err := http.NewRequest(args[0], path, body)
	ts.Check(err)
	req.Header.Set("Content-Type", "application/json")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if neg {
		if err == nil {
			ts.Fatalf("%s is still answered", path)
		}
		return
	}
	ts.Check(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	ts.Check(err)
	fmt.Fprintf(ts.Stdout(), "%d %s\n", resp.StatusCode, bytes.TrimSpace(text))
}

// awaitFile returns a file when its first line is there.
func awaitFile(ts *testscript.TestScript, name string) string {
	for range 1000 {
		if data, err := os.ReadFile(ts.MkAbs(name)); err == nil && bytes.Contains(data, []byte("\n")) {
			return string(data)
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("%s has no line after 20 s", name)
	return ""
}
