package server

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// TestDamagedStudy: one damaged study of several, and one of a newer version, take down themselves alone: the others are
// listed and work, the list says which are damaged and where, and they can be deleted.
func TestDamagedStudy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	st, err := sqlstore.Open(t.Context(), path, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	corner := func(x float64) space.Option { return space.Option{"x": space.ValueOf(x)} }
	for _, name := range []string{"after", "body", "cut", "new", "well"} {
		study, err := st.Create(t.Context(), name, prefer.Config{Space: space.Box(space.Float("x", 0, 1))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := study.Observe(t.Context(), prefer.Duel{First: corner(0), Second: corner(1), Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const of = " WHERE seq = 2 AND study = (SELECT id FROM prefer_studies WHERE name = '"
	for _, statement := range []string{
		`UPDATE prefer_events SET body = replace(body, '"choice":"first"', '"choice":"second"')` + of + "body')",
		`DELETE FROM prefer_events` + of + "cut')",
		`UPDATE prefer_events SET kind = 'voted', body = replace(body, 'observed', 'voted')` + of + "new')",
		`UPDATE prefer_events SET chain = prefer_chain((SELECT chain FROM prefer_events b WHERE b.study = prefer_events.study AND b.seq = 1), body)` + of + "new')",
		`UPDATE prefer_studies SET head = (SELECT chain FROM prefer_events WHERE study = id AND seq = last) WHERE name = 'new'`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	h := openTestServer(t, path, nil)
	want := []struct{ name, kind, says string }{
		{"body", "store_damaged", "event 2 does not fit its checksum"},
		{"cut", "store_damaged", "event 2 is missing"},
		{"new", "store_newer", `event 2: prefer: its kind is "voted": made by a newer prefer`},
	}
	var list listOutputBody
	h.want(200, "GET", "/v1/studies", "", &list)
	if len(list.Studies) != 2 || list.Studies[0].Name != "after" || list.Studies[1].Name != "well" || len(list.Damaged) != len(want) {
		t.Fatalf("the list is %+v", list)
	}
	for i, w := range want {
		if d := list.Damaged[i]; d.Name != w.name || d.Type != "urn:prefer:"+w.kind || !strings.HasPrefix(d.Detail, w.says) || strings.Contains(d.Detail, path) {
			t.Errorf("of %s the list says %+v, want %s", w.name, d, w.says)
		}
		h.refused(500, w.kind, "", "GET", "/v1/studies/"+w.name, "")
	}
	var names []string
	for after := ""; ; {
		var page listOutputBody
		h.want(200, "GET", "/v1/studies?limit=1&after="+after, "", &page)
		for _, s := range page.Studies {
			names = append(names, s.Name)
		}
		for _, d := range page.Damaged {
			names = append(names, d.Name)
		}
		if after = page.Next; after == "" {
			break
		}
	}
	if got := strings.Join(names, " "); got != "after body cut new well" {
		t.Errorf("page by page: %s", got)
	}
	if status, _, text := h.do("GET", "/", ""); status != 200 || strings.Count(string(text), "is damaged") != 1 || strings.Contains(string(text), `href="/s/cut"`) || !strings.Contains(string(text), `href="/s/well"`) {
		t.Errorf("the start page: %d, %s", status, text)
	}
	h.want(200, "POST", "/v1/studies/well/ask", `{"rater":"ann"}`, nil)
	for _, w := range want {
		h.want(204, "DELETE", "/v1/studies/"+w.name, "", nil)
	}
	list = listOutputBody{}
	if h.want(200, "GET", "/v1/studies", "", &list); len(list.Studies) != 2 || list.Damaged != nil {
		t.Errorf("afterwards the list is %+v", list)
	}
}
