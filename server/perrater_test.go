package server

import (
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
)

// reads fetches a page and returns its text with entities resolved, as far as tests look at it.
func (h *testServer) reads(path string) string {
	h.t.Helper()
	status, _, text := h.do("GET", path, "")
	if status != 200 {
		h.t.Fatalf("GET %s: %d %.400s", path, status, text)
	}
	return html.UnescapeString(string(text))
}

// says reports a page that lacks one text, or has another. The details of a result are a part of it.
func (h *testServer) says(path string, has, not []string) {
	h.t.Helper()
	text := h.reads(path)
	if strings.Contains(text, `id="details"`) {
		text += h.reads(strings.Replace(path, "/result", "/details", 1))
	}
	for _, want := range has {
		if !strings.Contains(text, want) {
			h.t.Errorf("%s: no %q in %.6000s", path, want, text)
		}
	}
	for _, no := range not {
		if strings.Contains(text, no) {
			h.t.Errorf("%s: %q in %.6000s", path, no, text)
		}
	}
}

// TestResultOf: a result is somebody's. With one person it is theirs, with several who share one taste the team's, in a study per rater each rater's, and the owner's page
// shows all of them; a switch in the middle loses nobody, not even an owner who answered without a name.
func TestResultOf(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.OwnerToken = owner })
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"seed"`, `"show_result":true,"seed"`, 1), nil)
	links := map[string]string{}
	odd := "Ü <b>&' ’;--"
	for _, name := range []string{"ann", "eve", odd} {
		var link struct{ URL string }
		h.want(201, "POST", "/v1/studies/coffee/links", fmt.Sprintf(`{"rater":%q}`, name), &link)
		links[name] = link.URL
	}
	yours, teams := []string{"Your favourite so far", "about your taste"}, []string{"The team's favourite so far", "about the team's taste"}
	h.says(links["eve"]+"/result", []string{"Not enough answers yet", "After 0 answers."}, nil)
	h.play("ann", 3)
	h.says(links["ann"]+"/result", append(yours, "After 3 answers."), teams)
	h.play("", 2)
	h.play(odd, 2)
	for _, path := range []string{links["ann"] + "/result", links["eve"] + "/result", "/s/coffee/result"} {
		h.says(path, append(teams, "After 7 answers of 3 people."), yours)
	}
	h.says("/s/coffee/owner", []string{"One favourite for everyone", "3 answers", `<dt>People</dt><dd>3</dd>`, odd}, nil)

	h.want(200, "PATCH", "/v1/studies/coffee", `{"people":"per_rater"}`, nil)
	h.says(links["ann"]+"/result", append(yours, "After 3 answers."), teams)
	h.says(links["eve"]+"/result", []string{"Not enough answers yet", "After 0 answers."}, teams)
	h.says("/s/coffee/result", []string{"After 7 answers of 3 people.", "ann's favourite so far", "Your favourite so far", odd + "'s favourite so far", "The group’s pick"}, []string{"team"})
	h.says("/s/coffee/result?"+url.Values{"rater": {odd}}.Encode(), []string{odd + "'s favourite so far", "After 2 answers."}, yours)
	h.says("/s/coffee/result?rater=", append(yours, "After 2 answers."), teams)
	h.says("/s/coffee", []string{`data-rater=""`}, nil)
	if q := h.ask(""); q.Status.Answers != 2 || q.Rater != "" {
		t.Errorf("the owner is asked %+v", q)
	}

	h.want(204, "POST", "/v1/studies/coffee/exclude", fmt.Sprintf(`{"rater":%q}`, odd), nil)
	h.says("/s/coffee/owner", []string{`data-out="true"`, "left out"}, nil)
	h.says("/s/coffee/result", []string{"left out", odd + "'s favourite so far"}, nil)
	h.says(links[odd]+"/result", append(yours, "After 2 answers."), []string{"left out"})
	h.want(200, "PATCH", "/v1/studies/coffee", `{"people":"shared"}`, nil)
	h.says(links["ann"]+"/result", append(teams, "After 5 answers of 2 people."), yours)
	h.want(204, "POST", "/v1/studies/coffee/exclude", `{"rater":""}`, nil)
	h.says(links["ann"]+"/result", append(yours, "After 3 answers."), teams)
}

// TestResultOfOfOne: in a study per rater that nobody, or one person, has answered the owner's page is about that, and the owner answers under a name.
func TestResultOfOfOne(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"seed"`, `"people":"per_rater","seed"`, 1), nil)
	h.says("/s/coffee/result", []string{"Nobody has answered yet"}, []string{"favourite so far"})
	h.says("/s/coffee/owner", []string{"Nobody has answered yet"}, nil)
	h.says("/s/coffee", []string{`data-rater="owner"`}, nil)
	h.refused(422, "per_rater", "", "POST", "/v1/studies/coffee/ask", `{}`)
	h.play("owner", 3)
	h.says("/s/coffee/result", []string{"After 3 answers.", "Your favourite so far", "only owner has answered"}, []string{"The group’s pick", "How far they agree"})
	h.says("/s/coffee/result?rater=owner", []string{"Your favourite so far", "10 more questions"}, nil)
	h.says("/s/coffee/ending", []string{`"headline":"Your favourite so far"`}, nil)
}

// TestReliability: of each of the people board and result say the same, and a rater who presses left has no part in how far people agree.
func TestReliability(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", strings.Replace(coffee, `"seed"`, `"people":"per_rater","seed"`, 1), nil)
	h.play("ann", 9)
	h.play("ben", 9)
	for range 16 { // what is on the left, whatever it is
		h.tell(h.ask("cara"), "first")
	}
	said := []string{"looks careless: took what was on the left 16 times out of 16", "nothing odd about the answers", "counts ", "follows the order"}
	board, result := strings.ToLower(h.reads("/s/coffee/owner")), strings.ToLower(h.reads("/s/coffee/result"))
	for i, want := range []int{1, 2} {
		if strings.Count(board, said[i]) != want || strings.Count(result, said[i]) != want {
			t.Errorf("%q: %d times on the board, %d times in the result, want %d", said[i], strings.Count(board, said[i]), strings.Count(result, said[i]), want)
		}
	}
	if !strings.Contains(result, "cara hardly counts") || strings.Contains(result, "· cara") || strings.Contains(result, "counts about") {
		t.Errorf("the result says %s", result)
	}
}

// TestResultOfUnder: with contexts the team is everybody who answered under the one that is looked at, and in a study per rater each has a favourite under each.
func TestResultOfUnder(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", hearing, nil)
	say := func(rater, noise string) {
		t.Helper()
		h.want(200, "POST", "/v1/studies/hearing/tell", fmt.Sprintf(`{"winner":{"gain":10,"noise":%[2]q},"loser":{"gain":30,"noise":%[2]q},"rater":%[1]q}`, rater, noise), nil)
	}
	say("ann", "quiet")
	say("ann", "babble")
	say("bob", "quiet")
	h.says(`/s/hearing/result?fixed=noise=quiet`, []string{"The team's favourite so far", "After 2 answers of 2 people."}, []string{"about your taste"})
	h.says(`/s/hearing/result?fixed=noise=babble`, []string{"Your favourite so far", "After 1 answer."}, []string{"team"})
	h.want(200, "PATCH", "/v1/studies/hearing", `{"people":"per_rater"}`, nil)
	h.says(`/s/hearing/result?fixed=noise=quiet`, []string{"ann's favourite so far", "bob's favourite so far"}, []string{"team"})
	h.says(`/s/hearing/result?fixed=noise=babble`, []string{"ann's favourite so far", "Not enough answers yet"}, []string{"bob's favourite"})
	h.says("/s/hearing/owner", []string{"under noise quiet", "under noise babble"}, nil)
}
