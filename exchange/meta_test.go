package exchange

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/space"
)

// noted is a log in which some answers carry something.
func noted(t *testing.T) []prefer.Event {
	t.Helper()
	events := cups(t)
	events[1].Observed.Duel.Answer.Note = "=1+1, or \"so\"\nand more"
	events[1].Observed.Duel.Answer.Meta = prefer.Meta{"tokens": space.ValueOf(512), "model": space.ValueOf("m1")}
	events[5].Answered.Answer.Meta = prefer.Meta{"cached": space.ValueOf(true)}
	return events
}

// TestTableNotes: columns for what goes with answers come last, where there are some, and a spreadsheet runs none of them.
func TestTableNotes(t *testing.T) {
	var out bytes.Buffer
	if err := (Table{}).Write(&out, "s", noted(t)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{",refused,fixed.bean,note,meta.cached,meta.model,meta.tokens\r\n", ",0,,\"'=1+1, or \"\"so\"\"\nand more\",,m1,512\r\n", ",2,,,true,,\r\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table\n%s\nlacks %q", out.String(), want)
		}
	}
}

// TestLogNotes: a log with notes comes back as it was.
func TestLogNotes(t *testing.T) {
	var out bytes.Buffer
	if err := logfile.Write(&out, "s", noted(t)); err != nil {
		t.Fatal(err)
	}
	_, back, err := logfile.Read(&out)
	if d := cmp.Diff(noted(t), back, sameValue); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

// TestReadPairsNotes: notes and meta of pairs, whatever the form of the file.
func TestReadPairsNotes(t *testing.T) {
	first, second := duel("a", "b", "ann", prefer.First), duel("b", "c", "", prefer.First)
	first.Answer.Note = "why, \"so\""
	first.Answer.Meta = prefer.Meta{"model": space.ValueOf("m1"), "tokens": space.ValueOf(512), "cached": space.ValueOf(true)}
	for name, text := range map[string]string{
		"lines":   `{"winner":"a","loser":"b","rater":"ann","note":"why, \"so\"","meta":{"model":"m1","tokens":512,"cached":true}}` + "\n" + `{"winner":"b","loser":"c","note":null,"meta":null}`,
		"flat":    `{"winner":"a","loser":"b","rater":"ann","note":"why, \"so\"","meta":{"model":"m1"},"meta.tokens":512,"meta.cached":true}` + "\n" + `{"winner":"b","loser":"c","meta":{}}`,
		"columns": "winner,loser,rater,note,meta.model,meta.tokens,meta.cached\na,b,ann,\"why, \"\"so\"\"\",m1,512,True\nb,c,,,,,\n",
	} {
		im, err := Pairs{}.Read(strings.NewReader(text))
		if d := cmp.Diff([]prefer.Duel{first, second}, im.Duels, sameValue); err != nil || d != "" || im.Notes != nil {
			t.Errorf("%s: %v, notes %v\n%s", name, err, im.Notes, d)
		}
	}
	for text, says := range map[string]string{
		`{"winner":"a","loser":"b","note":7}`:                         `field "note" is "7", want a text`,
		`{"winner":"a","loser":"b","meta":[1]}`:                       `field "meta" is "[1]", want numbers, words, true or false by name`,
		`{"winner":"a","loser":"b","meta":{"a":{"b":1}}}`:             `field "meta"`,
		`{"winner":"a","loser":"b","meta":{"a":1},"meta.a":2}`:        `meta "a" is given twice`,
		`{"winner":"a","loser":"b","meta.a":[2]}`:                     `field "meta.a"`,
		"winner,loser,tie,note\na,b,false,x\nb,c,never,y\nc,a,false,": `never`,
	} {
		_, err := Pairs{}.Read(strings.NewReader(text))
		wantError(t, text, err, says)
	}
}
