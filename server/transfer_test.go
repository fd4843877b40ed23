package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestTransfer: a body that breaks off is the client's fault: a 400 in words, counted as one, wherever bodies are read; and nothing is changed.
func TestTransfer(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	id := h.ask("ann").ID
	tell := fmt.Sprintf(`{"question_id":%q,"choice":"first"}`, id)
	for _, path := range []string{"/v1/studies/coffee/tell", "/v1/studies", "/v1/studies/coffee/import", "/v1/studies/coffee/items", "/s/coffee/pause", "/start/params"} {
		for what, rest := range map[string]string{
			"a chunk that is none": "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + tell + "\r\n0\r\n\r\n",
			"a chunk cut short":    "Transfer-Encoding: chunked\r\n\r\n100\r\n" + tell,
			"a body cut short":     fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(tell)+10, tell),
		} {
			c, err := net.Dial("tcp", h.web.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s", path, rest)
			if err := c.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Errorf("%s to %s: %v", what, path, err)
				continue
			}
			text, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != 400 || !strings.Contains(string(text), "urn:prefer:transfer") || !resp.Close {
				t.Errorf("%s to %s: %d %s", what, path, resp.StatusCode, text)
			}
			c.Close()
		}
	}
	if _, _, text := h.do("GET", "/metrics", ""); strings.Contains(string(text), `status="5`) || !strings.Contains(string(text), `status="400"`) {
		t.Errorf("counted as %s", text)
	}
	if q := h.ask("ann"); q.ID != id {
		t.Errorf("%s was answered by a body that broke off", id)
	}
}
