package exchange

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// cups is a log of all that a table has to tell apart.
func cups(t *testing.T) []prefer.Event {
	t.Helper()
	events := eventsOf(t,
		`{"kind":"created","created":{"config":{"space":{"params":[{"name":"milk","type":"float","low":0,"high":1},{"name":"bean","type":"categorical"}]}}}}`,
		`{"kind":"observed","observed":{"id":"a1","duel":{"first":{"milk":0.5,"bean":"a"},"second":{"milk":0.25,"bean":"a"},"rater":"ann","answer":{"choice":"second","strength":1}}}}`,
		`{"kind":"asked","asked":{"id":"q1","rater":"bo","method":"kg","partial":true,"first":{"milk":0.25,"bean":"a"},"second":{"milk":1,"bean":"b, or \"c\""}}}`,
		`{"kind":"answered","answered":{"id":"a2","question":"q1","answer":{"choice":"first","swapped":true,"response_ns":1234500000,"session":"=1+1"}}}`,
		`{"kind":"undone","undone":{"answer":"a2"}}`,
		`{"kind":"answered","answered":{"id":"a3","question":"q1","answer":{"choice":"first","refused":2}}}`,
		`{"kind":"asked","asked":{"id":"q2","rater":"bo","method":"catch","first":{"milk":0.25,"bean":"a"},"second":{"milk":0.5,"bean":"a"},"fixed":{"bean":"a"},"repeat_of":"q1","catch":true}}`,
		`{"kind":"forgotten","forgotten":{"was":"asked"}}`,
		`{"kind":"answered","answered":{"id":"a4","question":"q2","answer":{"choice":"both_bad","swapped":true,"check":true}}}`,
		`{"kind":"asked","asked":{"id":"q3","rater":"bo","method":"design","first":{"milk":0.5,"bean":"a"},"second":{"milk":1,"bean":"0.5"}}}`)
	for i := range events {
		events[i].Seq, events[i].Time = i+1, begin.Add(time.Duration(i)*time.Second)
	}
	return events
}

func TestTable(t *testing.T) {
	const header = "study,rater,session,seq,time,question_id,left_id,right_id,left.milk,left.bean,right.milk,right.bean,choice,strength,rt_ms,is_repeat_of,is_catch,learn,undone,method,asked,partial,refused,fixed.bean\r\n"
	const answers = "my study,ann,,2,2026-01-01T10:00:01Z,,o1,o2,0.5,a,0.25,a,right,1,,,false,true,false,,,,0,\r\n" +
		"my study,bo,'=1+1,4,2026-01-01T10:00:03Z,q1,o3,o2,1,\"b, or \"\"c\"\"\",0.25,a,right,0,1234.5,,false,true,true,kg,2026-01-01T10:00:02Z,true,0,\r\n" +
		"my study,bo,,6,2026-01-01T10:00:05Z,q1,o2,o3,0.25,a,1,\"b, or \"\"c\"\"\",left,0,,,false,true,false,kg,2026-01-01T10:00:02Z,true,2,\r\n" +
		"my study,bo,,9,2026-01-01T10:00:08Z,q2,o1,o2,0.5,a,0.25,a,both_bad,0,,q1,true,false,false,catch,2026-01-01T10:00:06Z,false,0,a\r\n"
	const open = "my study,bo,,10,2026-01-01T10:00:09Z,q3,o1,o4,0.5,a,1,0.5,,,,,false,,,design,2026-01-01T10:00:09Z,false,,\r\n"
	var plain, all bytes.Buffer
	if err := (Table{}).Write(&plain, "my study", cups(t)); err != nil {
		t.Fatal(err)
	}
	if err := (Table{Unanswered: true}).Write(&all, "my study", cups(t)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(header+answers, plain.String()); d != "" {
		t.Errorf("answers:\n%s", d)
	}
	if d := cmp.Diff(header+answers+open, all.String()); d != "" {
		t.Errorf("with unanswered questions:\n%s", d)
	}
}

func TestTableItems(t *testing.T) {
	events := eventsOf(t,
		`{"seq":1,"kind":"created","created":{"config":{"space":{"items":[{"id":"a.png","features":{"hue":0.1,"dark":true}}]}}}}`,
		`{"seq":2,"kind":"joined","joined":{"items":[{"id":"b.png","features":{"hue":0.9,"dark":false}}]}}`,
		`{"seq":3,"kind":"observed","observed":{"id":"a1","duel":{"first":{"item":"a.png"},"second":{"item":"b.png"},"answer":{"choice":"tie","rater":"cy"}}}}`)
	for i := range events {
		events[i].Time = begin
	}

	var out bytes.Buffer
	if err := (Table{}).Write(&out, "pictures", events); err != nil {
		t.Fatal(err)
	}
	want := "study,rater,session,seq,time,question_id,left_id,right_id,left.item,left.dark,left.hue,right.item,right.dark,right.hue,choice,strength,rt_ms,is_repeat_of,is_catch,learn,undone,method,asked,partial,refused\r\n" +
		"pictures,cy,,3,2026-01-01T10:00:00Z,,a.png,b.png,a.png,true,0.1,b.png,false,0.9,tie,0,,,false,true,false,,,,0\r\n"
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
	events[1].Joined.Items[0].Features["item"] = space.ValueOf(1)
	wantError(t, "feature called item", (Table{}).Write(&out, "pictures", events), `"item"`)
}

// TestTableSwap: who was preferred does not depend on which side it was shown on.
func TestTableSwap(t *testing.T) {
	for _, swapped := range []bool{false, true} {
		events := cups(t)[:4]
		events[3].Answered.Answer.Swapped = swapped
		var out bytes.Buffer
		if err := (Table{}).Write(&out, "s", events); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := map[string]string{}
		for i, name := range rows[0] {
			at[name] = rows[2][i]
		}
		if winner := at[at["choice"]+".milk"]; winner != "0.25" {
			t.Errorf("swapped %v: the preferred option has milk %q, want 0.25", swapped, winner)
		}
	}
}

func TestTableErrors(t *testing.T) {
	events := cups(t)
	wantError(t, "empty", (Table{}).Write(&bytes.Buffer{}, "s", nil), "created")
	wantError(t, "headless", (Table{}).Write(&bytes.Buffer{}, "s", events[1:]), "created")
	wantError(t, "unasked", (Table{}).Write(&bytes.Buffer{}, "s", append(events[:1:1], events[3])), "event 4", `"q1"`)
	events[3].Answered.Answer.Choice = "third"
	wantError(t, "choice", (Table{}).Write(&bytes.Buffer{}, "s", events), "event 4", `"third"`)
}

// TestWriteRow: cells come back as they were, line ends included.
func TestWriteRow(t *testing.T) {
	events := cups(t)[:2]
	events[1].Observed.Duel.Rater = "a\r\nb\rc\n\"d\""
	var out bytes.Buffer
	if err := (Table{}).Write(&out, "s", events); err != nil {
		t.Fatal(err)
	}
	if want := "s,\"a\r\nb\rc\n\"\"d\"\"\",,2,"; !strings.Contains(out.String(), want) {
		t.Errorf("wrote %q, want %q in it", out.String(), want)
	}
}
