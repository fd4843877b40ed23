package server

import (
	"strings"
	"testing"
)

// TestLanguage: a rater reads pages and prompt in the language their browser asks for, or the one that the owner has fixed; in a language
// without a prompt they read the study's own.
func TestLanguage(t *testing.T) {
	h := newTestServer(t, withOwner)
	with := func(name, page string) string {
		return strings.Replace(coffee, `"name":"coffee"`, `"name":"`+name+`","page":`+page, 1)
	}
	h.want(201, "POST", "/v1/studies", with("free", `{"prompts":{"de":"Welche Tasse?","ar":"أي فنجان؟"}}`), nil)
	h.want(201, "POST", "/v1/studies", with("fixed", `{"language":"de-AT","prompts":{"de":"Welche Tasse?"}}`), nil)
	for _, page := range []string{`{"language":"tlh"}`, `{"language":"x"}`, `{"prompts":{"deutsch":"?"}}`, `{"prompts":{"de":""}}`, `{"prompts":{"de":"` + strings.Repeat("x", 10_001) + `"}}`} {
		h.want(422, "POST", "/v1/studies", with("wrong", page), nil)
	}
	for _, c := range []struct{ study, asks, lang, prompt, says string }{
		{"free", "de-CH, en;q=0.5", `lang="de" dir="ltr"`, "Welche Tasse?", "Auslassen"},
		{"free", "ar", `lang="ar" dir="rtl"`, "أي فنجان؟", "تخطٍّ"},
		{"free", "fi", `lang="en" dir="ltr"`, "Which cup?", "Skip"},
		{"fixed", "ar", `lang="de" dir="ltr"`, "Welche Tasse?", "Auslassen"},
	} {
		var l link
		h.want(201, "POST", "/v1/studies/"+c.study+"/links", `{"rater":"`+c.asks[:2]+`"}`, &l)
		status, _, page := h.as("").do("GET", l.URL, "", "Accept", "text/html", "Accept-Language", c.asks)
		for _, want := range []string{c.lang, `<h1 id="prompt" dir="auto">` + c.prompt + `</h1>`, `data-prompt="` + c.prompt + `"`, c.says} {
			if status != 200 || !strings.Contains(string(page), want) {
				t.Errorf("%s to who reads %q: %d, no %s", c.study, c.asks, status, want)
			}
		}
		_, header, text := h.as("").do("GET", l.URL+"/ending", "", "Accept-Language", c.asks)
		if thanks := map[string]string{"de": "Danke", "ar": "شكرًا لك", "en": "Thank you"}[c.lang[6:8]]; !strings.Contains(string(text), thanks) {
			t.Errorf("%s ends for who reads %q with %s %v, want %s", c.study, c.asks, text, header, thanks)
		}
	}
}
