package server

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/report"
)

// TestAnswersAreCountedOnce: every place says the same number of answers and of people. What was taken back, skips, blind duels and checks do not count, nor does
// somebody who was asked and has not answered, or has skipped everything.
func TestAnswersAreCountedOnce(t *testing.T) {
	const answers, people = "9", "2"
	for _, whose := range []string{"shared", "per_rater"} {
		h := newTestServer(t, nil)
		h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `{`, `{"people":"`+whose+`",`, 1), nil)
		h.play("ann", 6)
		h.want(200, "POST", "/v1/studies/coffee/undo", `{"rater":"ann"}`, nil)
		h.play("dan", 4)
		for _, rater := range []string{"ann", "dan", "carol", "carol", "carol"} {
			h.tell(h.ask(rater), "skip")
		}
		for range 3 {
			h.tell(h.blind("ann"), "first")
		}
		h.want(200, "POST", "/v1/studies/coffee/tell", `{"question_id":"`+h.ask("ann").ID+`","choice":"first","learn":false}`, nil)
		h.ask("bob")

		said := map[string]string{}
		says := func(place, text, pattern string) {
			if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil {
				said[place] = strings.Join(m[1:], " by ")
			} else {
				t.Errorf("%s: %s does not say %q: %s", whose, place, pattern, text)
			}
		}
		look := func(place, path, pattern string) {
			_, _, text := h.do("GET", path, "")
			says(place, string(text), pattern)
		}
		look("the start page", "/", `(\d+) answers · `)
		look("the API's list", "/v1/studies", `"answers_count":(\d+)`)
		look("the board", "/s/coffee/owner", `<dt>Answers</dt><dd>(\d+)</dd></div><div><dt>People</dt><dd>(\d+)</dd>`)
		look("the result", "/s/coffee/result", `After (\d+) answers of (\d+) people`)
		if whose == "shared" {
			look("the verdict", "/v1/studies/coffee/verdict", `"answers":(\d+).*"raters":(\d+)`)
			look("the history", "/s/coffee/history?n=60", `<span class="num soft">(\d+)</span>`)
			look("how it went", "/s/coffee/path", `(?s).*[Aa]fter (\d+) answers`)
		} else {
			look("the board's sentence", "/s/coffee/owner", `done: \d+ of (\d+) people`)
		}
		study, err := h.store.Study(t.Context(), "coffee")
		if err != nil {
			t.Fatal(err)
		}
		var page bytes.Buffer
		if err := report.Write(t.Context(), &page, study, report.Options{}); err != nil {
			t.Fatal(err)
		}
		says("the report", page.String(), `(\d+) answers by (\d+) raters`)
		says("the report's methods", page.String(), `(\d+) raters gave (?:\d+) answers`)
		for place, got := range said {
			if got != answers && got != answers+" by "+people && got != people {
				t.Errorf("%s: %s says %s, want %s by %s", whose, place, got, answers, people)
			}
		}
		var raters struct{ Raters []prefer.Rater }
		h.want(200, "GET", "/v1/studies/coffee/raters", "", &raters)
		counted := map[string]int{}
		for _, r := range raters.Raters {
			counted[r.Name] = r.Counted
		}
		if len(counted) != 4 || counted["ann"] != 5 || counted["dan"] != 4 || counted["carol"] != 0 || counted["bob"] != 0 {
			t.Errorf("%s: the answers that count are %v", whose, counted)
		}
		study, err = h.store.Study(t.Context(), "coffee")
		if err == nil {
			err = study.Change(t.Context(), prefer.Change{Exclude: []string{"dan"}})
		}
		if list, err := h.store.List(t.Context()); err != nil || list[0].Answers != 5 {
			t.Errorf("%s: without dan the list says %+v, %v", whose, list, err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
