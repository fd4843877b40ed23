package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent is a client of "prefer mcp", a process of its own.
type agent struct {
	t       *testing.T
	session *mcp.ClientSession
}

func newAgent(t *testing.T, study string) agent {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: exec.Command("prefer", "mcp", study)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return agent{t, session}
}

// call calls a tool and returns what it says; wrong is what it refuses with.
func (a agent) call(tool string, args map[string]any, out any) (wrong string) {
	a.t.Helper()
	result, err := a.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return "protocol: " + err.Error()
	}
	if result.IsError {
		return result.Content[0].(*mcp.TextContent).Text
	}
	text, err := json.Marshal(result.StructuredContent)
	if err == nil && out != nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		a.t.Error(err)
	}
	return ""
}

// asked is what ask says.
type asked struct {
	Done             bool
	Question, Prompt string
	Sentence         string
	First, Second    struct {
		Option map[string]any
		Text   string
	}
}

// must calls a tool that must do.
func (a agent) must(tool string, args map[string]any, out any) {
	a.t.Helper()
	if wrong := a.call(tool, args, out); wrong != "" {
		a.t.Errorf("%s %v: %s", tool, args, wrong)
	}
}

func agentStudy(t *testing.T, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tea.db")
	if out, err := exec.Command("prefer", append([]string{"init", file, "--seed", "3"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// TestMCP: an agent asks, tells and looks by the protocol's own client, and is told what it did wrong.
func TestMCP(t *testing.T) {
	a := newAgent(t, agentStudy(t, "--param", "sugar=0..5", "--budget", "3"))
	var q, again asked
	a.must("ask", map[string]any{"rater": "bot"}, &q)
	a.must("ask", map[string]any{"rater": "bot"}, &again)
	if q.Question == "" || q.Question != again.Question || q.Prompt == "" || q.First.Option["sugar"] == q.Second.Option["sugar"] || q.Done {
		t.Errorf("asked %+v, and then %+v", q, again)
	}
	for _, c := range []struct {
		tool string
		args map[string]any
		says string
	}{
		{"tell", map[string]any{"question": q.Question, "choice": "perhaps"}, `choice: choice is "perhaps", want first, second`},
		{"tell", map[string]any{"question": "q99", "choice": "first"}, `there is no question "q99"`},
		{"tell", map[string]any{"question": q.Question, "choice": "first", "rater": "eve"}, "belongs to another rater"},
		{"tell", map[string]any{"question": q.Question, "choice": 5}, "choice"},
		{"tell", map[string]any{"question": q.Question, "choice": "first", "strength": 3}, "strength"},
		{"tell", map[string]any{"question": q.Question, "choice": "first", "response_ms": -1}, "response_ms: -1, want"},
		{"tell", map[string]any{"choice": "first"}, "question"},
		{"ask", map[string]any{"rater": "a#b"}, `no "#"`},
		{"ask", map[string]any{"rater": "bot2", "fixed": map[string]any{"salt": 1}}, "salt"},
		{"ask", map[string]any{"rater": "bot2", "fixed": map[string]any{"sugar": []int{1}}}, "want values by the names of parameters"},
		{"ask", map[string]any{"who": "bot"}, "who"},
		{"guess", nil, "guess"},
	} {
		if wrong := a.call(c.tool, c.args, nil); !strings.Contains(wrong, c.says) {
			t.Errorf("%s %v says %q, want %q", c.tool, c.args, wrong, c.says)
		}
	}
	var told, twice struct {
		Answer string
		Done   bool
	}
	a.must("tell", map[string]any{"question": q.Question, "choice": "first", "rater": "bot", "note": "sweeter", "response_ms": 12.5}, &told)
	a.must("tell", map[string]any{"question": q.Question, "choice": "first", "rater": "bot"}, &twice)
	if told.Answer != "a1" || twice.Answer != "a1" {
		t.Errorf("told as %+v, and then as %+v", told, twice)
	}
	if wrong := a.call("tell", map[string]any{"question": q.Question, "choice": "second", "rater": "bot"}, nil); !strings.Contains(wrong, "already has another answer") {
		t.Errorf("another answer says %q", wrong)
	}
	for range 2 {
		a.must("ask", map[string]any{"rater": "bot"}, &q)
		a.must("tell", map[string]any{"question": q.Question, "choice": "second", "rater": "bot"}, &told)
	}
	q = asked{}
	a.must("ask", map[string]any{"rater": "bot"}, &q)
	if !q.Done || q.Question != "" || q.Sentence == "" {
		t.Errorf("at the end of the budget ask says %+v", q)
	}
	a.must("ask", map[string]any{"rater": "bot", "more": true}, &q)
	if q.Question == "" {
		t.Errorf("asked for more, it says %+v", q)
	}
	var best struct {
		Option            map[string]float64
		Confidence        float64
		Verdict, Sentence string
		Utility, SD       float64
		Ranking           []any
	}
	a.must("best", nil, &best)
	if best.Verdict == "" || !(best.Confidence > 0 && best.Confidence <= 1) || best.Sentence == "" || best.Ranking != nil || best.Option["sugar"] < 0 || best.Option["sugar"] > 5 {
		t.Errorf("the best is %+v", best)
	}
	var status struct {
		Study, Verdict string
		Answers, Given int
		Open, Choices  []string
		Space          struct{ Params []struct{ Name string } }
	}
	a.must("status", map[string]any{"rater": "bot"}, &status)
	if status.Study != "tea" || status.Answers != 3 || status.Given != 3 || len(status.Open) != 1 || len(status.Choices) != 5 || status.Space.Params[0].Name != "sugar" || status.Verdict != "budget_reached" {
		t.Errorf("the status is %+v", status)
	}
}

// TestMCPTogether: agents in processes of their own share a study, and nothing is lost.
func TestMCPTogether(t *testing.T) {
	file := agentStudy(t, "--items", textItems(t))
	var all sync.WaitGroup
	const agents, answers = 3, 3
	for i := range agents {
		a, rater := newAgent(t, file), fmt.Sprint("bot", i)
		all.Go(func() {
			for range answers {
				var q asked
				a.must("ask", map[string]any{"rater": rater}, &q)
				choice := "second"
				if q.First.Text > q.Second.Text {
					choice = "first"
				}
				if q.First.Text == "" || q.First.Option["item"] == q.Second.Option["item"] {
					t.Errorf("asked %+v", q)
				}
				a.must("tell", map[string]any{"question": q.Question, "choice": choice, "rater": rater}, nil)
			}
		})
	}
	all.Wait()
	var status struct{ Answers, Raters int }
	var best struct {
		Ranking []struct{ Option map[string]string }
	}
	a := newAgent(t, file)
	a.must("status", nil, &status)
	a.must("best", nil, &best)
	if status.Answers != agents*answers || status.Raters != agents || len(best.Ranking) != 4 {
		t.Errorf("%+v, and the ranking is %+v", status, best)
	}
}

// TestOneVerdict: on one log agents and commands are told the same: without a rater the study's verdict, and of a rater who has not had a say that the
// others have found a favourite. A rater nobody knows is refused by commands.
func TestOneVerdict(t *testing.T) {
	file := agentStudy(t, "--items", textItems(t))
	if out, err := exec.Command("prefer", "judge", file, "--with", `cat > /dev/null; if [ "$PREFER_FIRST_TEXT" \> "$PREFER_SECOND_TEXT" ]; then echo first; else echo second; fi`).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	a := newAgent(t, file)
	a.must("ask", map[string]any{"rater": "bot", "more": true}, nil)
	for rater, want := range map[string]string{"": "done: ", "judge": "done: ", "bot": "keep going: the others have found a favourite"} {
		var best, status struct {
			Verdict, Sentence string
			Left              [2]int
		}
		a.must("status", map[string]any{"rater": rater}, &status)
		a.must("best", map[string]any{"rater": rater}, &best)
		var verdict struct {
			Kind, Sentence string
			Left           [2]int
		}
		text, err := exec.Command("prefer", "verdict", file, "--json", "--rater", rater).Output()
		if err == nil {
			err = json.Unmarshal(text, &verdict)
		}
		if err != nil || !strings.HasPrefix(verdict.Sentence, want) || status.Sentence != verdict.Sentence || best.Sentence != verdict.Sentence ||
			status.Verdict != verdict.Kind || best.Verdict != verdict.Kind || status.Left != verdict.Left {
			t.Errorf("rater %q: the command says %+v, %v; the agent's status is %+v and its best %+v; want %q", rater, verdict, err, status, best, want)
		}
	}
	for _, command := range []string{"verdict", "best"} {
		out, err := exec.Command("prefer", command, file, "--rater", "ghost").CombinedOutput()
		if err == nil || !strings.Contains(string(out), `rater "ghost" was never asked and has not answered; the raters of this study: bot, judge`) {
			t.Errorf("%s of a ghost: %v, %s", command, err, out)
		}
	}
}

func textItems(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "items.csv")
	if err := os.WriteFile(file, []byte("id,text\na,aa\nb,bb\nc,cc\nd,dd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestMCPGoesOn: lines that are not messages are answered with the errors of JSON-RPC, and the session goes on.
func TestMCPGoesOn(t *testing.T) {
	command := exec.Command("prefer", "mcp", agentStudy(t, "--param", "sugar=0..5"))
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err == nil {
		_, err = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
nothing
{"jsonrpc":

[1,2,3]
{"id":{}}
{"jsonrpc":"2.0","id":7,"method":"ping"}
`)
	}
	if err != nil {
		t.Fatal(err)
	}
	codes, answers := map[int]int{}, bufio.NewScanner(out)
	for ponged := false; !ponged && answers.Scan(); {
		var answer struct {
			ID    *int
			Error *struct{ Code int }
		}
		if err := json.Unmarshal(answers.Bytes(), &answer); err != nil {
			t.Errorf("%q: %v", answers.Text(), err)
		}
		if answer.Error != nil {
			codes[answer.Error.Code]++
		}
		if ponged = answer.ID != nil && *answer.ID == 7; ponged && (answer.Error != nil || codes[-32700] != 2 || codes[-32600] != 2) {
			t.Errorf("errors by code %v, and to the ping %s", codes, answers.Text())
		}
		codes[0]++
	}
	if err := errors.Join(in.Close(), command.Wait()); err != nil || codes[0] != 6 {
		t.Errorf("%d answers, %v", codes[0], err)
	}
}

// TestMCPRubbish: whatever comes in place of messages ends the program or is answered, and changes nothing.
func TestMCPRubbish(t *testing.T) {
	file := agentStudy(t, "--param", "sugar=0..5")
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n"
	for _, in := range []string{"", "\n\n", "rubbish\n", "{", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}` + "\n", "[1,2,3]\n", "\x00\xff\xfe\n",
		hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tell","arguments":"x"}}` + "\n", hello + "nothing\n", hello + strings.Repeat("[", 100_000) + "\n"} {
		ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
		command := exec.CommandContext(ctx, "prefer", "mcp", file)
		command.Stdin = strings.NewReader(in)
		var out, errs bytes.Buffer
		command.Stdout, command.Stderr = &out, &errs
		_ = command.Run() // with an error or not
		if ctx.Err() != nil {
			t.Errorf("%.40q: it goes on", in)
		}
		stop()
		for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			if line != "" && !json.Valid([]byte(line)) {
				t.Errorf("%.40q: the protocol's stream has %q", in, line)
			}
		}
		if strings.Contains(errs.String(), "panic") || strings.Contains(errs.String(), "goroutine") {
			t.Errorf("%.40q: %s", in, errs.String())
		}
	}
	if out, err := exec.Command("prefer", "list", file, "--json").Output(); err != nil || !strings.Contains(string(out), `"events": 1`) {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := exec.Command("prefer", "mcp", filepath.Join(t.TempDir(), "nowhere.db")).CombinedOutput(); err == nil || !strings.Contains(string(out), "make the study first") {
		t.Errorf("a study that is not there: %v, %s", err, out)
	}
}
