package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

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
