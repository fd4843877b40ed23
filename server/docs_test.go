package server

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var console = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// TestDocs runs the commands of docs/guides/rest.md, and more of every operation, against a server and compares what they print. The commands run
// in a shell with the real curl; where there is none, a curl of a few lines of Go takes its place.
func TestDocs(t *testing.T) {
	t.Run("guide", func(t *testing.T) { runDocument(t, "../docs/guides/rest.md", 15) })
	t.Run("examples", func(t *testing.T) { runDocument(t, "testdata/examples.md", 50) })
}

func runDocument(t *testing.T, name string, least int) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	h := newTestServer(t, nil)
	ran := 0
	for _, block := range console.FindAllSubmatch(text, -1) {
		for _, step := range strings.Split("\n"+string(block[1]), "\n$ ")[1:] {
			command, want, _ := strings.Cut(step, "\n")
			got := h.curl(command)
			ran++
			pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), `\[\.\.\]`, "(?s:.*)")
			if !regexp.MustCompile("^" + pattern + "$").MatchString(strings.TrimSpace(got)) {
				t.Errorf("$ %s\n%s\nwant\n%s", command, got, want)
			}
		}
	}
	if ran < least {
		t.Errorf("%s: only %d commands were run", name, ran)
	}
}

// curl runs a command line of the documentation against the server.
func (h *testServer) curl(command string) string {
	h.t.Helper()
	command = strings.ReplaceAll(command, "localhost:8080", h.web.URL)
	if path, err := exec.LookPath("curl"); err == nil && path != "" {
		var out, errs bytes.Buffer
		c := exec.Command("sh", "-c", command)
		c.Stdout, c.Stderr = &out, &errs
		if err := c.Run(); err != nil {
			h.t.Fatalf("%s: %v\n%s", command, err, errs.String())
		}
		return out.String()
	}
	return h.smallCurl(words(command))
}

// smallCurl understands the flags that the documentation uses.
func (h *testServer) smallCurl(args []string) string {
	h.t.Helper()
	method, path, body, status := "GET", "", "", false
	var header []string
	for i := 1; i < len(args); i++ {
		switch args[i] {
		case "-s":
		case "-X", "-H", "-o", "-w", "--json", "--data-binary":
			value := args[i+1]
			switch args[i] {
			case "-X":
				method = value
			case "-H":
				name, v, _ := strings.Cut(value, ": ")
				header = append(header, name, v)
			case "-w":
				status = true
			case "--json", "--data-binary":
				method, body = "POST", value
			}
			i++
		default:
			path = strings.TrimPrefix(args[i], h.web.URL)
		}
	}
	code, _, text := h.do(method, path, body, header...)
	if status {
		return string(rune('0'+code/100)) + string(rune('0'+code/10%10)) + string(rune('0'+code%10))
	}
	return string(text)
}

// words splits a command line at spaces outside of single quotes.
func words(line string) (out []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// TestSmallCurl: the stand-in prints what curl does, as far as the documentation goes.
func TestSmallCurl(t *testing.T) {
	h := newTestServer(t, nil)
	for _, command := range []string{
		`curl -s -o /dev/null -w '%{http_code}\n' localhost:8080/v1/studies --json '{"name": "x", "items": [{"id": "a"}, {"id": "b"}]}'`,
		`curl -s localhost:8080/v1/studies/x/ask -H 'X-Request-Id: 1' --json '{"k": 3}'`,
		`curl -s 'localhost:8080/v1/studies/x/tell?next=1' -H 'Idempotency-Key: 1' -H 'X-Request-Id: 1' --json '{}'`,
		`curl -s -o /dev/null -w '%{http_code}\n' -X DELETE localhost:8080/v1/studies/none`,
	} {
		got := h.smallCurl(words(strings.ReplaceAll(command, "localhost:8080", h.web.URL)))
		if strings.Contains(command, `"x", "items"`) {
			if got != "201" {
				t.Errorf("$ %s\n%s", command, got)
			}
			continue
		}
		if want := h.curl(command); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("$ %s\n%s\nwant\n%s", command, got, want)
		}
	}
}
