package deploy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/internal/storetest"
)

const coffee = `{"name": "coffee", "initial": 100000, "params": [{"name": "milk", "type": "float", "low": 0, "high": 1}]}`

// TestProxyOne: what a browser and a program need of a proxy, in front of one server.
func TestProxyOne(t *testing.T) {
	onEach(t, func(t *testing.T, start func(*testing.T, ...string) *front) {
		at := free(t)
		_, enter := serve(t, at, database(t), t.TempDir())
		f := start(t, at)

		f.want(t, http.StatusOK, "GET", enter, "", "Authorization", "") // a button, for a chat's preview opens it, too
		resp, _ := f.want(t, http.StatusSeeOther, "POST", enter, "", "Authorization", "")
		cookies := resp.Cookies()
		if len(cookies) != 1 || !cookies[0].Secure || !cookies[0].HttpOnly {
			t.Fatalf("the owner's cookie is %v, want it kept to TLS", resp.Header["Set-Cookie"])
		}
		cookie := cookies[0].Name + "=" + cookies[0].Value
		resp, page := f.want(t, http.StatusOK, "GET", "/", "", "Authorization", "", "Cookie", cookie)
		if resp.ProtoMajor != 2 || !strings.Contains(page, "</html>") {
			t.Errorf("over %s a page of %d bytes, want all of it over HTTP/2: a browser opens six streams of events over HTTP/1.1 and no more", resp.Proto, len(page))
		}

		plain, err := f.client.Get("http://" + site + "/s/coffee?x=1")
		if err != nil {
			t.Fatal(err)
		}
		plain.Body.Close()
		if to, err := plain.Location(); err != nil || to.Scheme != "https" || to.Hostname() != site || to.RequestURI() != "/s/coffee?x=1" || plain.StatusCode/100 != 3 {
			t.Errorf("plain HTTP is sent to %v (%d, %v)", to, plain.StatusCode, err)
		}

		f.want(t, http.StatusCreated, "POST", "/v1/studies", coffee)
		f.want(t, http.StatusOK, "POST", "/v1/studies/coffee/ask", `{"rater": "anna"}`, "Authorization", "", "Cookie", cookie, "Origin", "https://"+site)
		f.want(t, http.StatusForbidden, "POST", "/v1/studies/coffee/ask", `{"rater": "anna"}`, "Authorization", "", "Cookie", cookie, "Origin", "https://elsewhere.example")

		f.want(t, http.StatusOK, "GET", "/v1/studies", "", "X-Large", strings.Repeat("x", 6<<10))
		if resp, _, err := f.do(t.Context(), "GET", "/v1/studies", "", "X-Large", strings.Repeat("x", 200<<10)); err == nil && resp.StatusCode/100 != 4 {
			t.Errorf("a header of 200 KB: %s, want a refusal", resp.Status)
		}

		begin := time.Now()
		kind, form := upload(t, 64<<20-4<<10)
		f.want(t, http.StatusCreated, "POST", "/v1/media?study=coffee", form, "Content-Type", kind)
		t.Logf("an upload of %d bytes took %v", len(form), time.Since(begin).Round(time.Millisecond))
		kind, form = upload(t, 66<<20)
		if resp, text, err := f.do(t.Context(), "POST", "/v1/media?study=coffee", form, "Content-Type", kind); err == nil && resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("an upload of 66 MiB: %s %.200s, want a refusal", resp.Status, text)
		}
		kind, form = upload(t, 72<<20)
		f.want(t, http.StatusUnprocessableEntity, "POST", "/start/files", form, "Content-Type", kind) // one file is no list, says prefer, which has read it
	})
}

// TestProxyStranger: all come from the proxy's address. A client that tries tokens there without a pause is refused, and keeps
// nobody from opening a link for the first time: neither a rater's own nor one for everybody, nor the owner's address.
func TestProxyStranger(t *testing.T) {
	onEach(t, func(t *testing.T, start func(*testing.T, ...string) *front) {
		at := free(t)
		_, enter := serve(t, at, database(t), t.TempDir())
		f := start(t, at)
		f.want(t, http.StatusCreated, "POST", "/v1/studies", coffee)
		invite := func(body string) string {
			var link struct{ URL string }
			_, text := f.want(t, http.StatusCreated, "POST", "/v1/studies/coffee/links", body)
			if err := json.Unmarshal([]byte(text), &link); err != nil {
				t.Fatal(err)
			}
			return link.URL
		}
		var links []string
		for i := range 40 {
			links = append(links, invite(fmt.Sprintf(`{"rater": "r%d"}`, i)))
		}
		everybody := invite(`{"everybody": true}`)
		var tried, refused atomic.Int64
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		locked := make(chan struct{}) // closed when the stranger is refused
		var stranger sync.WaitGroup
		stranger.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				resp, _, err := f.do(ctx, "GET", fmt.Sprintf("/r/%022d", i), "", "Authorization", "")
				if err != nil {
					continue // the end
				}
				tried.Add(1)
				if resp.StatusCode == http.StatusTooManyRequests && refused.Add(1) == 1 {
					close(locked)
				}
			}
		})
		select {
		case <-locked:
		case <-time.After(patience):
			t.Fatalf("%d wrong tokens, and none was refused", tried.Load())
		}
		opened := 0
		for i, link := range links {
			if resp, _, err := f.do(t.Context(), "GET", link, "", "Authorization", ""); err == nil && resp.StatusCode == http.StatusOK {
				opened++
			}
			resp, _ := f.want(t, http.StatusSeeOther, "GET", fmt.Sprintf("%s?PROLIFIC_PID=p%d", everybody, i), "", "Authorization", "")
			f.want(t, http.StatusOK, "GET", resp.Header.Get("Location"), "", "Authorization", "")
		}
		f.want(t, http.StatusOK, "GET", enter, "", "Authorization", "")
		before := refused.Load()
		stop()
		stranger.Wait()
		if opened != len(links) {
			t.Errorf("%d of %d first openings passed", opened, len(links))
		}
		t.Logf("%d of %d first openings passed, while %d of %d wrong tokens were refused", opened, len(links), before, tried.Load())
	})
}

// upload returns a form with one file, of so many bytes.
func upload(t *testing.T, size int) (kind, form string) {
	t.Helper()
	var b bytes.Buffer
	b.Grow(size + 1<<10)
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", "large.gif")
	if err != nil {
		t.Fatal(err)
	}
	picture := make([]byte, size)
	copy(picture, "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;") // one by one: nothing after its end is looked at
	if _, err := part.Write(picture); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.String()
}

// TestProxyTwo: two servers on one store. A stream passes on what happened at either, and one that is killed
// costs a rater a moment and no answer.
func TestProxyTwo(t *testing.T) {
	onEach(t, func(t *testing.T, start func(*testing.T, ...string) *front) {
		store, media, a, b := storetest.Database(t), t.TempDir(), free(t), free(t) // a server on SQLite hears nothing of another
		first, _ := serve(t, a, store, media)
		serve(t, b, store, media)
		f := start(t, a, b)
		f.want(t, http.StatusCreated, "POST", "/v1/studies", coffee)
		f.listen(t)
		f.lose(t, first, func() { serve(t, a, store, media) })
	})
}

// listen holds that an event comes through at once. A proxy that collects would pass it on with the stream's next sign of
// life, or never.
func (f *front) listen(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, "GET", "https://"+site+"/v1/studies/coffee/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+ownerToken)
	r.Header.Set("Accept-Encoding", "gzip") // as browsers do
	begin := time.Now()
	resp, err := f.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.Header.Get("Content-Encoding") != "" {
		t.Fatalf("the stream is packed: %v", resp.Header)
	}
	lines := bufio.NewScanner(resp.Body)
	until := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), ":") {
				t.Fatalf("a sign of life came before %q: something on the way waits for more", text)
			}
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("the stream ended without %q: %v", text, lines.Err())
	}
	until(`"kind":"now"`)
	opened := time.Since(begin)
	var q struct{ Question_id string }
	_, text := f.want(t, http.StatusOK, "POST", "/v1/studies/coffee/ask", `{"rater": "anna"}`)
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		t.Fatal(err)
	}
	f.want(t, http.StatusOK, "POST", "/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id": %q, "choice": "tie", "key": "anna"}`, q.Question_id))
	begin = time.Now()
	until(`"kind":"answered"`)
	t.Logf("the stream's first event took %v, an answer's %v", opened.Round(time.Millisecond), time.Since(begin).Round(time.Millisecond))
}

// lose kills a server while four raters answer, and starts it again: every answer that was acknowledged is in the log once.
func (f *front) lose(t *testing.T, victim *process, restart func()) {
	const raters, each = 4, 8
	var acknowledged, troubled sync.Map
	var count, trouble atomic.Int64
	quarter := make(chan struct{})
	var group sync.WaitGroup
	// send repeats a request until it is acknowledged, as clients do.
	send := func(path, body string, out any) error {
		for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
			resp, text, err := f.do(t.Context(), "POST", path, body)
			switch {
			case err == nil && resp.StatusCode == http.StatusOK:
				return json.Unmarshal([]byte(text), out)
			case err == nil && resp.StatusCode < http.StatusBadGateway:
				return fmt.Errorf("%s: %d %s", path, resp.StatusCode, text)
			case time.Since(begin) > patience:
				return fmt.Errorf("%s: not acknowledged within %v: %v", path, patience, err)
			}
			trouble.Add(1)
			if err != nil {
				troubled.Store(err.Error(), true)
			} else {
				troubled.Store(resp.Status, true)
			}
		}
	}
	for rater := range raters {
		group.Go(func() {
			for i := range each {
				var q struct{ Question_id string }
				var a struct{ Answer_id string }
				key := fmt.Sprintf("%d-%d", rater, i)
				err := send("/v1/studies/coffee/ask", fmt.Sprintf(`{"rater": "r%d"}`, rater), &q)
				if err == nil {
					err = send("/v1/studies/coffee/tell", fmt.Sprintf(`{"question_id": %q, "choice": "tie", "key": %q}`, q.Question_id, key), &a)
				}
				if err != nil {
					t.Error(err)
					return
				}
				acknowledged.Store(key, a.Answer_id)
				if count.Add(1) == raters*each/4 {
					close(quarter)
				}
			}
		})
	}
	select {
	case <-quarter:
	case <-time.After(patience):
		t.Error("the raters do not get on")
	}
	victim.kill()
	restart()
	group.Wait()
	kept := map[string][]string{}
	_, log := f.want(t, http.StatusOK, "GET", "/v1/studies/coffee/export", "")
	for line := range strings.Lines(log) {
		var e struct {
			Answered *struct {
				ID     string
				Answer struct{ Key string }
			}
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Answered != nil {
			kept[e.Answered.Answer.Key] = append(kept[e.Answered.Answer.Key], e.Answered.ID)
		}
	}
	if len(kept) != raters*each+1 {
		t.Errorf("%d answers are in the log, want %d", len(kept), raters*each+1)
	}
	acknowledged.Range(func(key, id any) bool {
		if got := kept[key.(string)]; len(got) != 1 || got[0] != id {
			t.Errorf("the answer %s was acknowledged as %s and is in the log as %v", key, id, got)
		}
		return true
	})
	troubled.Range(func(why, _ any) bool { t.Logf("seen by a rater: %v", why); return true })
	t.Logf("%d answers, %d requests had to be sent again", count.Load(), trouble.Load())
}

// TestProxyForwarded: what prefer is told about a browser is the proxy's word, not the browser's.
func TestProxyForwarded(t *testing.T) {
	onEach(t, func(t *testing.T, start func(*testing.T, ...string) *front) {
		seen := make(chan *http.Request, 10)
		behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/healthz" {
				seen <- r
			}
		}))
		defer behind.Close()
		f := start(t, behind.Listener.Addr().String())
		f.want(t, http.StatusOK, "GET", "/a%2Fb?c=d%20e", "", "X-Forwarded-For", "192.0.2.1", "X-Forwarded-Proto", "gopher", "X-Request-Id", "the browser's")
		r := <-seen
		if id := r.Header.Values("X-Request-Id"); len(id) != 1 || len(id[0]) < 32 || strings.Contains(id[0], "browser") {
			t.Errorf("the request has the id %q", id)
		}
		for name, want := range map[string]string{"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Proto": "https", "Authorization": "Bearer " + ownerToken} {
			if got := r.Header.Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		if r.Host != site || r.RequestURI != "/a%2Fb?c=d%20e" {
			t.Errorf("prefer hears of %q at %q", r.RequestURI, r.Host)
		}
	})
}
