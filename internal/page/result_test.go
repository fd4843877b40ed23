package page

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

// told returns the pages of a study after an answer of one person to each of n questions, and a way to get them.
func told(t *testing.T, n int, cfg prefer.Config, say func(prefer.Question) prefer.Choice) (look func(path string) string) {
	t.Helper()
	studies, err := live.New(live.Config{Workers: -1, Budget: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := studies.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	cfg.Seed, cfg.Search = 3, acquisition.Search{Candidates: 64, Starts: 2, Finalists: 1, Evals: 30}
	if err := studies.Create(t.Context(), "tea", cfg, live.Settings{ShowResult: true}); err != nil {
		t.Fatal(err)
	}
	for range n {
		q, err := studies.Ask(t.Context(), "tea", live.Ask{})
		if err != nil {
			t.Fatal(err)
		}
		choice := say(q.Asked)
		if other, ok := map[prefer.Choice]prefer.Choice{prefer.First: prefer.Second, prefer.Second: prefer.First}[choice]; ok && q.Swapped {
			choice = other // an answer speaks of what was shown first
		}
		if _, err := studies.Tell(t.Context(), "tea", live.Tell{Question: q.Asked.ID, Answer: prefer.Answer{Choice: choice,
			Note: "bigger <b> is better", Meta: prefer.Meta{"model": space.ValueOf("m1"), "tokens": space.ValueOf(7)}}}); err != nil {
			t.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	New(Config{Studies: studies, Files: &media.Files{}, Logger: slog.New(slog.DiscardHandler), Who: func(context.Context) (bool, string, string) { return true, "", "" }}).Register(mux)
	return func(path string) string {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return string(bytes.ReplaceAll(w.Body.Bytes(), []byte("&#39;"), []byte("'")))
	}
}

var noisy = regexp.MustCompile(`(?i)noise|±|[+−-]\d+\.\d+ `)

// TestEndings: finish, result and everything on it say the same, whatever a person said; skips say nothing, and there is no
// number in units of the noise.
func TestEndings(t *testing.T) {
	two := space.Box(space.Float("hue", 0, 360), space.Float("size", 1, 9))
	six := []space.Item{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}, {ID: "e"}, {ID: "f"}}
	constantly := func(c prefer.Choice) func(prefer.Question) prefer.Choice {
		return func(prefer.Question) prefer.Choice { return c }
	}
	for _, c := range []struct {
		name     string
		n        int
		cfg      prefer.Config
		say      func(prefer.Question) prefer.Choice
		done     bool
		headline string
		has, not []string
	}{
		{"both bad", 18, prefer.Config{Space: two, Budget: 18}, constantly(prefer.BothBad), true, say.In("en").Headline(prefer.Verdict{Kind: prefer.NothingPleases}, ""),
			[]string{"one option in ten is good enough", "After 18 answers"}, []string{"avourite", "over about", "runner-up"}},
		{"skips", 18, prefer.Config{Space: two, Budget: 18}, constantly(prefer.Skip), false, say.In("en").Headline(prefer.Verdict{}, ""),
			[]string{"After 0 answers", "18 more answers at most"}, []string{"% sure", "over about", "avourite", "runner-up", "What we learned"}},
		{"budget", 6, prefer.Config{Space: two, Budget: 6}, func(q prefer.Question) prefer.Choice { return more(q, "hue") }, true, say.In("en").Headline(prefer.Verdict{Kind: prefer.Settled}, ""),
			[]string{"pick it over about", "Ten more answers would raise that by about", "After 6 answers"}, []string{"change little", "so far"}},
		{"counted", 16, prefer.Config{Space: two, Budget: 16}, func(q prefer.Question) prefer.Choice { return more(q, "hue") }, true, say.In("en").Headline(prefer.Verdict{Kind: prefer.Settled}, ""),
			[]string{"The one with higher hue was chosen "}, nil},
		{"list", 30, prefer.Config{Space: space.Space{Items: six}, Answers: prefer.Answers{Forced: true}}, func(q prefer.Question) prefer.Choice {
			if q.First.Item() < q.Second.Item() {
				return prefer.First
			}
			return prefer.Second
		}, true, "", []string{"place 1", "shown ", "Ranking of the list", "sure that this is the best of the list"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			look := told(t, c.n, c.cfg, c.say)
			page, end := look("/s/tea/result")+look("/s/tea/details"), look("/s/tea/ending")
			head := regexp.MustCompile(`<h1 id="headline">(.*?)</h1>`).FindStringSubmatch(page)[1]
			if c.headline != "" && head != c.headline || !strings.Contains(end, fmt.Sprintf(`"headline":%q`, head)) || strings.Contains(end, `"done":true`) != c.done {
				t.Errorf("the result says %q, the finish %s", head, end)
			}
			body := page[strings.Index(page, "<main"):strings.Index(page, `<section class="stack" aria-labelledby="past"`)]
			for _, want := range c.has {
				if !strings.Contains(body, want) {
					t.Errorf("no %q in %s", want, body)
				}
			}
			for _, no := range c.not {
				if strings.Contains(body, no) || strings.Contains(end, no) {
					t.Errorf("%q in %s or %s", no, body, end)
				}
			}
			words := regexp.MustCompile(`(?s)<svg.*?</svg>|<[^>]*>`).ReplaceAllString(page, " ")
			if m := noisy.FindString(words + end); m != "" {
				t.Errorf("%q is in units of the noise", m)
			}
		})
	}
}

// more prefers more of a parameter.
func more(q prefer.Question, name string) prefer.Choice {
	if q.First.Float(name) > q.Second.Float(name) {
		return prefer.First
	}
	return prefer.Second
}
