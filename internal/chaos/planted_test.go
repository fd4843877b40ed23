package chaos

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// peaceful makes two studies in which all promises were kept, and the ledger of who worked in them: coffee with three
// answers each of ann (asked) and ben (who undoes the second), and a duel; and tea, with one answer.
func peaceful(t *testing.T, path string) *ledger {
	t.Helper()
	ctx, l := context.Background(), newLedger()
	st, err := sqlstore.Open(ctx, path, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for _, name := range []string{"coffee", "tea"} {
		study, err := st.Create(ctx, name, prefer.Config{Space: space.Box(space.Float("milk", 0, 1)), Method: "random"})
		if err != nil {
			t.Fatal(err)
		}
		l.made(name, time.Now().Add(-time.Hour))
		tell := func(n int, rater, choice string, swapped bool) *answer {
			q, err := study.Ask(ctx, prefer.Request{Rater: rater})
			if err != nil {
				t.Fatal(err)
			}
			g := l.gave(answer{study: name, rater: rater, key: fmt.Sprintf("%s-%d", rater, n), question: string(q.ID), choice: choice,
				shown: [2]string{string(text(q.First)), string(text(q.Second))}})
			a := prefer.Answer{Choice: prefer.Choice(choice), Key: g.key, Swapped: swapped}
			if swapped {
				g.shown[0], g.shown[1] = g.shown[1], g.shown[0]
				g.choice = map[string]string{"first": "second", "second": "first", "tie": "tie"}[choice]
			}
			id, err := study.Tell(ctx, q.ID, a)
			if err != nil {
				t.Fatal(err)
			}
			l.kept(g, string(id), time.Now().Add(-time.Hour))
			return g
		}
		tell(1, "ann", "first", false)
		if name == "tea" {
			break
		}
		tell(1, "ben", "second", true)
		tell(2, "ann", "tie", false)
		regretted := tell(2, "ben", "tie", true)
		l.regrets(regretted)
		if err := study.Undo(ctx, prefer.AnswerID(regretted.id)); err != nil {
			t.Fatal(err)
		}
		l.undone(regretted, time.Now().Add(-time.Hour))
		tell(3, "ben", "skip", false)
		d := prefer.Duel{First: space.Option{"milk": space.ValueOf(0.25)}, Second: space.Option{"milk": space.ValueOf(0.5)}, Rater: "cat",
			Answer: prefer.Answer{Choice: prefer.First, Key: "cat-1"}}
		id, err := study.Observe(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		g := l.gave(answer{study: name, rater: "cat", key: "cat-1", choice: "first", shown: [2]string{string(text(d.First)), string(text(d.Second))}})
		l.kept(g, string(id[0]), time.Now().Add(-time.Hour))
		tell(3, "ann", "second", false)
	}
	return l
}

// again has an event of coffee in the table once more, at its end, with a text in its body replaced.
func again(kind, from, to string) []string {
	return []string{
		"CREATE TEMP TABLE one AS SELECT * FROM prefer_events WHERE study = 1 AND kind = '" + kind + "' ORDER BY seq LIMIT 1",
		`UPDATE one SET body = replace(replace(body, '"seq":' || seq, '"seq":' || (SELECT last + 1 FROM prefer_studies WHERE id = 1)), '` + from + "', '" + to + "')",
		"UPDATE one SET seq = (SELECT last + 1 FROM prefer_studies WHERE id = 1)",
		"INSERT INTO prefer_events SELECT * FROM one",
		"UPDATE prefer_studies SET last = last + 1 WHERE id = 1",
	}
}

// edit replaces a text in the first event of a kind that has it.
func edit(kind, has, from, to string) []string {
	return []string{"UPDATE prefer_events SET body = replace(body, '" + from + "', '" + to + "') WHERE study = 1 AND seq = " +
		"(SELECT min(seq) FROM prefer_events WHERE study = 1 AND kind = '" + kind + "' AND body LIKE '%" + has + "%')"}
}

// cut drops the end of the log of coffee, from the last event of a kind on.
func cut(kind string) []string {
	return []string{
		"DELETE FROM prefer_events WHERE study = 1 AND seq >= (SELECT max(seq) FROM prefer_events WHERE study = 1 AND kind = '" + kind + "')",
		"UPDATE prefer_studies SET last = (SELECT max(seq) FROM prefer_events WHERE study = 1) WHERE id = 1",
	}
}

// TestPlanted: a run in which all promises were kept passes, and each way to break one is found, in the tables or in what
// raters saw.
func TestPlanted(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	good := filepath.Join(dir, "good.db")
	l := peaceful(t, good)
	found, err := verify(ctx, good, l)
	if err != nil || len(found.broken) != 0 || found.studies != 2 || found.answers != 8 || found.questions != 6 || len(found.late) != 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	l.answers[0].sent = l.answers[0].sent.Add(2 * time.Hour) // it was kept before it was sent: by an attempt whose reply was lost
	if found, err := verify(ctx, good, l); err != nil || len(found.broken) != 0 || len(found.late) != 1 {
		t.Fatalf("%+v, %v, want an answer that was acknowledged late", found, err)
	}
	file, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		tables []string
		seen   func(*ledger)
		want   string
	}{
		"a study is lost":       {tables: []string{"DELETE FROM prefer_events WHERE study = 2", "DELETE FROM prefer_studies WHERE id = 2"}, want: "tea: the study was acknowledged and is not there, nor are its 1 answers"},
		"all are lost":          {tables: []string{"DELETE FROM prefer_events", "DELETE FROM prefer_studies"}, want: "coffee: the study was acknowledged and is not there, nor are its 7 answers"},
		"a study nobody made":   {seen: func(l *ledger) { delete(l.studies, "tea") }, want: "tea: nobody made this study"},
		"an answer is lost":     {tables: cut("answered"), want: `coffee: the answer "ann-3" to q5 was acknowledged as a7 and is not there`},
		"a duel is lost":        {tables: cut("observed"), want: `coffee: the answer "cat-1" to  was acknowledged as a6 and is not there`},
		"an answer is doubled":  {tables: again("answered", "", ""), want: `coffee: the answer "ann-1" is there 2 times`},
		"a duel is doubled":     {tables: again("observed", "a6", "a8"), want: `coffee: the answer "cat-1" is there 2 times`},
		"another id":            {tables: edit("answered", "a1", "a1", "a9"), want: `coffee: the answer "ann-1" is a9, acknowledged as a1`},
		"another's content":     {tables: append(edit("answered", "ann-1", "ann-1", "ben-1"), edit("answered", `"id":"a2"`, "ben-1", "ann-1")...), want: `the answer "ben-1" has the rater "ann", and was given as "ben"`},
		"another choice":        {tables: edit("answered", "ann-1", `"choice":"first"`, `"choice":"second"`), want: `the answer "ann-1" has the choice "second", and was given as "first"`},
		"the sides are changed": {tables: edit("answered", "ben-1", `"swapped":true`, `"swapped":false`), want: `the answer "ben-1" has the choice "second", and was given as "first"`},
		"another rater":         {tables: edit("asked", "ann", "ann", "eve"), want: `the answer "ann-1" has the rater "eve", and was given as "ann"`},
		"a duel's rater":        {tables: edit("observed", "cat", `"rater":"cat"`, `"rater":"eve"`), want: `the answer "cat-1" has the rater "eve", and was given as "cat"`},
		"another question":      {tables: edit("answered", "ann-1", "q1", "q3"), want: `the answer "ann-1" has the question "q3", and was given as "q1"`},
		"another option":        {tables: edit("observed", "cat", "0.25", "0.75"), want: `the answer "cat-1" has the left "{\"milk\":0.75}", and was given as "{\"milk\":0.25}"`},
		"another order":         {seen: func(l *ledger) { l.answers[0], l.answers[2] = l.answers[2], l.answers[0] }, want: `coffee: ann gave the answer "ann-1", event 3, after the one that is event 7`},
		"nobody's answer":       {tables: again("answered", "ann-1", "eve-1"), want: `is an answer under the key "eve-1", which nobody gave`},
		"nobody's duel":         {tables: edit("observed", "cat", "cat-1", "eve-1"), want: `is an answer under the key "eve-1", which nobody gave`},
		"an undo is lost":       {tables: cut("undone"), want: `coffee: that the answer "ben-2" was taken back was acknowledged and is not there`},
		"an undo is doubled":    {tables: again("undone", "", ""), want: "coffee: a4 is taken back 2 times"},
		"nobody's undo":         {tables: edit("undone", "a4", "a4", "a3"), want: "takes a3 back, which nobody asked for"},
		"a gap":                 {tables: []string{"DELETE FROM prefer_events WHERE study = 1 AND seq = 4"}, want: "coffee: event 4 is number 5, and 5 in its body"},
		"a number in a body":    {tables: edit("undone", "a4", `"seq":10`, `"seq":11`), want: "is number 10, and 11 in its body"},
		"a cut tail":            {tables: []string{"DELETE FROM prefer_events WHERE study = 1 AND seq = (SELECT last FROM prefer_studies WHERE id = 1)"}, want: "coffee: the row of the study says 14 events, there are 13"},
		"two are open":          {tables: append(again("asked", `"id":"q1"`, `"id":"q98"`), append([]string{"DROP TABLE one"}, again("asked", `"id":"q1"`, `"id":"q99"`)...)...), want: "ann was asked q99 while q98 was open"},
		"nobody answered":       {seen: func(l *ledger) { l.answers = nil }, want: "nobody answered, so nothing was tested"},
		"a rater saw it":        {seen: func(l *ledger) { l.violated("ann was given two questions") }, want: "ann was given two questions"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "store.db")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			db, err := connect(path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			db.SetMaxOpenConns(1) // which has the temporary table
			changed := int64(0)
			for _, statement := range c.tables {
				r, err := db.Exec(statement)
				if err != nil {
					t.Fatalf("%s: %v", statement, err)
				}
				n, _ := r.RowsAffected()
				changed += n
			}
			if len(c.tables) > 0 && changed == 0 {
				t.Fatal("the fault was not planted")
			}
			twin := &ledger{studies: maps.Clone(l.studies), answers: slices.Clone(l.answers)}
			if c.seen != nil {
				c.seen(twin)
			}
			tables, err := read(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			f := &findings{broken: twin.broken}
			f.account(tables, twin)
			if !strings.Contains(strings.Join(f.broken, "\n"), c.want) {
				t.Errorf("found %q, want %q", f.broken, c.want)
			}
		})
	}
}
