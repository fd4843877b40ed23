package server

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/store"
)

// TestBodies: a body that says two things, or nothing that can be written again, is refused by the name of the field, in every operation that reads JSON; and
// what is refused changes nothing.
func TestBodies(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"names","items":[{"id":"a"},{"id":"b"}]}`, nil)
	q := h.ask("ann")
	const tell, duel = "/v1/studies/coffee/tell", `{"winner":{"milk":0.1,"sugar":1},"loser":{"milk":0.2,"sugar":2}%s}`
	for _, c := range []struct {
		status             int
		method, path, body string
		want               string // in the reply
	}{
		{422, "POST", tell, strings.Replace(fmt.Sprintf(duel, ""), "winner", "WINNER", 1), `WINNER`},
		{422, "POST", tell, fmt.Sprintf(`{"question_id":%q,"Choice":"first"}`, q.ID), `Choice`},
		{422, "POST", "/v1/studies/coffee/ask", `{"Rater":"ann"}`, `Rater`},
		{422, "PATCH", "/v1/studies/coffee", `{"Prompt":"x"}`, `Prompt`},
		{422, "POST", "/v1/studies/coffee/links", `{"RATER":"eve"}`, `RATER`},
		{422, "POST", "/v1/studies/coffee/predict", `{"Options":[{"milk":0.1,"sugar":1}]}`, `Options`},
		{422, "POST", "/v1/studies/names/items", `{"items":[{"ID":"c"}]}`, `ID`},
		{422, "POST", "/v1/studies/names/items", `{"Items":[{"id":"c"}]}`, `Items`},
		{422, "POST", "/v1/studies", `{"name":"x","Prompt":"y","params":[{"name":"a","low":0,"high":1}]}`, `Prompt`},
		{422, "POST", "/v1/studies", `{"name":"x","params":[{"Name":"a","low":0,"high":1}]}`, `Name`},
		{422, "POST", "/v1/studies", `{"name":"x","checks":{"Min_rt_ms":3},"params":[{"name":"a","low":0,"high":1}]}`, `Min_rt_ms`},
		{422, "POST", "/v1/studies", `{"name":"x","page":{"PAUSED":true},"params":[{"name":"a","low":0,"high":1}]}`, `PAUSED`},
		{422, "POST", "/s/coffee/pause", `{"Paused":true}`, `Paused`},

		{400, "POST", tell, fmt.Sprintf(duel, `,"rater":"ann","rater":"bob"`), `"rater\" is given twice`},
		{400, "POST", tell, `{"winner":{"milk":0.1,"milk":0.3,"sugar":1},"loser":{"milk":0.2,"sugar":2}}`, `"milk\" is given twice`},
		{400, "POST", "/v1/studies", `{"name":"x","name":"y","params":[{"name":"a","low":0,"high":1}]}`, `"name\" is given twice`},
		{422, "POST", "/v1/studies/names/items", `{"items":[{"id":"c","id":"d"}]}`, `"id\" is given twice`},
		{422, "POST", "/v1/studies/coffee/import", `{"winner":{"milk":0.1,"sugar":1},"loser":{"milk":0.2,"sugar":2},"loser":{"milk":0.3,"sugar":2}}`, `"loser\" is given twice`},
		{422, "POST", "/s/coffee/pause", `{"paused":false,"paused":true}`, `"paused\" is given twice`},

		{400, "POST", tell, fmt.Sprintf(duel, ",\"rater\":\"a\xff\""), `not UTF-8`},
		{400, "POST", tell, fmt.Sprintf(duel, `,"rater":"a\ud83c"`), `half of a character`},
		{400, "POST", tell, fmt.Sprintf(duel, `,"key":"\udf75\ud83c"`), `half of a character`},
		{400, "POST", "/v1/studies", `{"name":"x\ud83c","params":[{"name":"a","low":0,"high":1}]}`, `half of a character`},
		{422, "POST", "/v1/studies/names/items", "{\"items\":[{\"id\":\"\xff\"}]}", `not UTF-8`},
		{422, "POST", "/v1/studies/coffee/import", `{"winner":{"milk":0.1,"sugar":1},"loser":{"milk":0.2,"sugar":2},"rater":"\udf75"}`, `half of a character`},

		{422, "POST", "/v1/studies/coffee/links", `{"rater":null}`, `rater is null`},
		{422, "POST", "/v1/studies/coffee/ask", `{"rater":"ann","hold":null}`, `hold is null`},
		{422, "POST", "/v1/studies/coffee/reports", `{"title":null}`, `title is null`},
		{422, "POST", "/v1/studies/coffee/simulations", `{"noise":null}`, `noise is null`},
		{422, "POST", "/v1/studies/coffee/predict", `{"pairs":[null]}`, `pairs[0]`},
		{422, "POST", "/v1/studies", `{"name":"x","prompt":null,"params":[{"name":"a","low":0,"high":1}]}`, `prompt is null`},
		{422, "POST", "/v1/studies/names/items", `{"items":[{"id":"c","text":null}]}`, `items[0].text is null`},
	} {
		status, _, text := h.do(c.method, c.path, c.body)
		if status != c.status || !strings.Contains(string(text), c.want) {
			t.Errorf("%s %s %q: %d, want %d and %s\n%s", c.method, c.path, c.body, status, c.status, c.want, text)
		}
	}
	h.refused(422, "invalid", "body.WINNER", "POST", tell, strings.Replace(fmt.Sprintf(duel, ""), "winner", "WINNER", 1))
	h.refused(422, "invalid", "body.hold", "POST", "/v1/studies/coffee/ask", `{"rater":"ann","hold":null}`)
	var list struct{ Studies []Study }
	if h.want(200, "GET", "/v1/studies", "", &list); len(list.Studies) != 2 || list.Studies[0].Seq != 2 || list.Studies[1].Seq != 1 {
		t.Errorf("afterwards there is %+v", list.Studies)
	}
	// What is one character in two escapes, and a name that is twice in different places, is nothing odd.
	h.want(200, "POST", tell, fmt.Sprintf(duel, `,"rater":"\ud83c\udf75"`), nil)
}

// TestStudyPattern: what openapi.json says of a study's name in an address is what the server takes.
func TestStudyPattern(t *testing.T) {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name, In string
				Schema   struct {
					Pattern   string
					MaxLength int
				}
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	found := 0
	for path, methods := range doc.Paths {
		for _, operation := range methods {
			for _, p := range operation.Parameters {
				if p.In != "path" || p.Name != "study" {
					continue
				}
				found++
				pattern := regexp.MustCompile(p.Schema.Pattern)
				for _, name := range []string{"coffee", "a b", "ü🍵", "..", "%", "a\x00", "a\x1fb", "\x7f", "\u0085", "a/b", strings.Repeat("ü", 200), strings.Repeat("x", 201)} {
					if says, takes := pattern.MatchString(name) && len([]rune(name)) <= p.Schema.MaxLength, store.CheckName(name) == nil; says != takes {
						t.Errorf("%s: of %q the document says %v, the server %v", path, name, says, takes)
					}
				}
			}
		}
	}
	if found < 25 {
		t.Errorf("%d operations are about a study", found)
	}
}
