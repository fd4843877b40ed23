package pack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// TestPhone answers a list of pictures by touch on a phone without a network, in German and in the dark; a second tab is told that there is a first.
func TestPhone(t *testing.T) {
	picture := []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200" width="300" height="200"><rect width="300" height="200" fill="teal"/></svg>`)
	f := pack.File{Name: "bilder", Config: prefer.Config{Seed: 1, Budget: 3, Space: space.Space{Items: []space.Item{{ID: "a", Media: "a b.svg"}, {ID: "b", Media: "b.svg"}, {ID: "c", Media: "c.md"}, {ID: "d", Media: "d.svg"}}}},
		Settings: live.Settings{ShowResult: true, Page: live.Appearance{Language: "de", Prompts: map[string]string{"de": "Welches ist ruhiger?"}}},
		Read: func(name string) ([]byte, error) {
			if name == "c.md" {
				return []byte("*Still* <script>alert(1)</script>"), nil
			}
			return picture, nil
		}}
	address := packed(t, f)
	first := profile(t)
	b := open(t, first)
	b.offline()
	b.size(390, 844, "dark", true)
	b.visit(address)
	q := b.question("")
	b.audit("a question on a phone")
	b.shot("phone-question")
	if got := b.text(`document.querySelector('#prompt').textContent + document.documentElement.lang`); got != "Welches ist ruhiger?de" {
		t.Errorf("the page says %q", got)
	}
	if wide := b.text(`document.documentElement.scrollWidth > innerWidth`); wide != "false" {
		t.Error("the page is wider than the phone")
	}
	other, end := chromedp.NewContext(first)
	t.Cleanup(end)
	if err := chromedp.Do(other); err != nil {
		t.Fatal(err)
	}
	second := &tab{t: t, ctx: other}
	second.visit(address)
	second.wait(`document.body.textContent.includes('in einem anderen Tab offen')`)
	end()
	for n := range 3 {
		b.do(chromedp.Click(chromedp.CSS(`.card:nth-child(2) .choose`)))
		if n < 2 {
			q = b.question(q)
		}
	}
	b.wait(`document.querySelector('main.ended #finish-title')?.textContent`)
	b.audit("the end on a phone")
	b.shot("phone-end")
	js[bool](b, `document.querySelector('#finish a[href$="/result"]').click(), true`)
	b.wait(`document.querySelector('main.result #details')`)
	js[bool](b, `(document.querySelector('#details').open = true)`)
	b.wait(`document.querySelector('main.result .history')`)
	b.audit("the result on a phone")
}

// TestLab: participants of a recruiting service answer the same file in one browser, each under their own ID; what each sends arrives at the server the file is from, is the
// study's, and brings them to the completion address. Files that are saved and merged are the same answers.
func TestLab(t *testing.T) {
	st, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "lab.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	program := needed(t)
	srv, err := server.New(server.Config{Store: st, Rate: -1, Core: func(context.Context) (pack.Core, error) { return program, nil }, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(srv.Handler())
	t.Cleanup(func() { web.Close(); srv.Close(t.Context()) })
	done := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<title>thanks</title>") }))
	t.Cleanup(done.Close)
	f := card(4)
	if err := srv.Create(t.Context(), "card", f.Config, live.Settings{Page: live.Appearance{Complete: done.URL + "/?cc=C1", Template: f.Settings.Page.Template}}); err != nil {
		t.Fatal(err)
	}
	reply, err := http.Get(web.URL + "/v1/studies/card/pack?upload=true")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != 200 {
		t.Fatalf("%d %.300s %v", reply.StatusCode, text, err)
	}
	path := filepath.Join(t.TempDir(), "card.html")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: path}).String()
	b := open(t, profile(t))
	var logs []logfile.Log
	for _, id := range []string{"P01", "P02"} {
		b.visit(address + "?PROLIFIC_PID=" + id + "&SESSION_ID=S" + id)
		q := b.question("")
		for range 3 {
			b.press(kb.ArrowLeft)
			q = b.question(q)
		}
		_, saved := b.download(func() { js[bool](b, `document.querySelector('nav [data-pack=save]').click(), true`) })
		name, events, err := logfile.Read(bytes.NewReader(saved))
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, logfile.Log{Name: name + " " + id, Events: events})
		b.press(kb.ArrowRight)
		b.wait(`document.title === 'thanks'`)
		if at := b.text(`location.href`); at != done.URL+"/?cc=C1" {
			t.Errorf("%s is led to %s", id, at)
		}
	}
	study, err := st.Study(t.Context(), "card")
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]int{}
	for _, e := range study.History() {
		if e.Answer.Session == "S"+e.Rater {
			given[e.Rater]++
		}
	}
	if given["P01"] != 4 || given["P02"] != 4 {
		t.Errorf("at the server arrived %v, want 4 of each", given)
	}
	merged, err := logfile.Merge(t.Context(), nil, logs...)
	if err != nil {
		t.Fatal(err)
	}
	all, err := prefer.Open(t.Context(), merged.Events, prefer.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(all.History()); n != 6 {
		t.Errorf("merged were %d answers, want 3 of each", n)
	}
}

// TestSame: what a browser believes of a log is what this machine does, to 1e-8.
func TestSame(t *testing.T) {
	f := card(0)
	f.Config.Space.Parameters = append(f.Config.Space.Parameters, space.Categorical("font", "serif", "sans", "mono"))
	address := packed(t, f)
	b := open(t, profile(t))
	b.visit(address + "?rater=ann&more=99")
	q := b.question("")
	for n := range 12 {
		b.press([]string{kb.ArrowLeft, kb.ArrowRight, kb.ArrowLeft}[n%3])
		q = b.question(q)
	}
	_, events, err := logfile.Read(strings.NewReader(js[string](b, `prefer.send('/log').then((r) => r.text())`)))
	if err != nil {
		t.Fatal(err)
	}
	study, err := prefer.Open(t.Context(), events, prefer.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := study.Verdict(t.Context(), prefer.Look{Rater: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	var got prefer.Verdict
	if err := json.Unmarshal([]byte(js[string](b, `prefer.send('/v1/studies/card/verdict').then((r) => r.text())`)), &got); err != nil {
		t.Fatal(err)
	}
	near := func(what string, a, b float64) {
		if !(math.Abs(a-b) <= 1e-8*max(1, math.Abs(b))) {
			t.Errorf("%s is %v in the browser and %v here", what, a, b)
		}
	}
	if got.Answers != 12 || want.Answers != 12 {
		t.Errorf("%d answers in the browser, %d here", got.Answers, want.Answers)
	}
	near("the utility of the pick", got.Best.Mean, want.Best.Mean)
	near("its standard deviation", got.Best.SD, want.Best.SD)
	belief, err := study.Belief(t.Context(), prefer.Look{Rater: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	mean, sd, err := belief.Utility(got.Best.Option)
	if err != nil {
		t.Fatal(err)
	}
	near("the utility of that very option", got.Best.Mean, mean)
	near("its standard deviation", got.Best.SD, sd)
	for name, v := range want.Best.Option {
		if _, word := v.Any().(string); !word {
			if a, b := got.Best.Option[name].Float(), v.Float(); !(math.Abs(a-b) <= 1e-6*max(1, math.Abs(b))) { // the mean is flat at its top: 1e-8 there is a hundred times more here
				t.Errorf("%s is %v in the browser and %v here", name, a, b)
			}
		} else if got.Best.Option[name] != v {
			t.Errorf("%s is %v in the browser and %v here", name, got.Best.Option[name], v)
		}
	}
}
