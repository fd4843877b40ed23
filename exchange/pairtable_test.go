package exchange

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// judged is a study with answers of all kinds.
func judged(t *testing.T, items []space.Item) *prefer.Study {
	t.Helper()
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Space{Items: items}, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range []prefer.Answer{
		{Choice: prefer.First, Rater: "=j", Note: "shorter, \"better\"", Meta: prefer.Meta{"prompt": space.ValueOf("Two\nlines?"), "tokens": space.ValueOf(12), "ranking": space.ValueOf("x")}},
		{Choice: prefer.First, Swapped: true}, {Choice: prefer.Second, Swapped: true}, {Choice: prefer.Tie}, {Choice: prefer.BothBad}, {Choice: prefer.Skip}, {Choice: prefer.Second},
		{Choice: prefer.First, Check: true},
	} {
		q, err := s.Ask(t.Context(), prefer.Request{Rater: a.Rater})
		if err != nil {
			t.Fatal(err)
		}
		id, err := s.Tell(t.Context(), q.ID, a)
		if err != nil {
			t.Fatal(err)
		}
		if i == 6 {
			if err := s.Undo(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// duelsOf is what a study was told that has a winner, or with ties what an observed duel may be, the left one first.
func duelsOf(s *prefer.Study, ties bool) (out []prefer.Duel) {
	questions, undone := map[prefer.QuestionID]prefer.Question{}, map[prefer.AnswerID]bool{}
	for _, e := range s.Events(0) {
		if e.Asked != nil {
			questions[e.Asked.ID] = *e.Asked
		}
		if e.Undone != nil {
			undone[e.Undone.Answer] = true
		}
	}
	for _, e := range s.Events(0) {
		if e.Answered == nil || e.Answered.Answer.Check || undone[e.Answered.ID] {
			continue
		}
		q, a := questions[e.Answered.Question], e.Answered.Answer
		d := prefer.Duel{First: q.First, Second: q.Second, Rater: a.Rater, Answer: prefer.Answer{Choice: a.Choice, Note: a.Note, Meta: a.Meta}}
		flip := a.Swapped
		switch a.Choice {
		case prefer.Skip:
			continue
		case prefer.Tie, prefer.BothBad:
			if d.Answer.Choice = prefer.Tie; !ties {
				continue
			}
		default:
			if !ties {
				flip = a.Choice == prefer.Second
			}
		}
		if flip {
			d.First, d.Second = d.Second, d.First
			d.Answer.Choice = map[prefer.Choice]prefer.Choice{prefer.First: prefer.Second, prefer.Second: prefer.First, prefer.Tie: prefer.Tie}[a.Choice]
		}
		out = append(out, d)
	}
	return out
}

// TestPairTable: what is written reads back as the answers that were given.
func TestPairTable(t *testing.T) {
	names := []space.Item{{ID: "a"}, {ID: "b=c"}, {ID: "-d"}, {ID: "e"}}
	texts := []space.Item{{ID: "a", Text: "Answer\nbriefly."}, {ID: "b", Text: "Answer at length."}, {ID: "c"}}
	for name, items := range map[string][]space.Item{"names": names, "texts": texts} {
		s := judged(t, items)
		for _, table := range []PairTable{{}, {CSV: true}, {Battles: true}, {Battles: true, CSV: true}} {
			var buf bytes.Buffer
			left, err := table.Write(&buf, s.Events(0))
			if err != nil {
				t.Fatal(err)
			}
			want := LeftOut{Ties: 1, BothBad: 1, Skips: 1, Checks: 1, Undone: 1}
			if table.Battles {
				want.Ties, want.BothBad = 0, 0
			}
			if left != want {
				t.Errorf("%s, %+v: left out %+v, want %+v", name, table, left, want)
			}
			im, err := Pairs{}.Read(bytes.NewReader(buf.Bytes()))
			if err != nil {
				t.Errorf("%s, %+v: %v\n%s", name, table, err, buf.String())
				continue
			}
			duels := duelsOf(s, table.Battles)
			if table.CSV { // whose cells are words
				m := duels[0].Answer.Meta
				duels[0].Answer.Meta = prefer.Meta{"prompt": m["prompt"], "tokens": space.ValueOf("12"), "ranking": m["ranking"]}
			}
			if d := cmp.Diff(duels, im.Duels, sameValue); d != "" {
				t.Errorf("%s, %+v:\n%s\n%s", name, table, d, buf.String())
			}
			if name == "texts" && !table.Battles && im.Space.Items[0].Text == "" && im.Space.Items[1].Text == "" {
				t.Errorf("%+v: texts are gone: %+v", table, im.Space.Items)
			}
		}
	}
}

func TestPairTableSettings(t *testing.T) {
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Box(space.Float("x", 0, 1))})
	if err != nil {
		t.Fatal(err)
	}
	at := func(x float64) space.Option { return space.Option{"x": space.ValueOf(x)} }
	d := prefer.Duel{First: at(0.25), Second: at(1), Answer: prefer.Answer{Choice: prefer.First, Meta: prefer.Meta{"input": space.ValueOf("7")}}}
	if _, err := s.Observe(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if left, err := (PairTable{}).Write(&buf, s.Events(0)); err != nil || left.String() != "" {
		t.Fatal(left, err)
	}
	if got, want := buf.String(), `{"chosen":{"x":0.25},"rejected":{"x":1},"input":"7"}`+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	im, err := Pairs{}.Read(&buf)
	if diff := cmp.Diff([]prefer.Duel{d}, im.Duels, sameValue); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	_, err = PairTable{CSV: true}.Write(&buf, s.Events(0))
	wantError(t, "settings in a table", err, "no place for the settings", "JSON Lines")
	_, err = PairTable{}.Write(&buf, nil)
	wantError(t, "no log", err, "created")
}

func TestLeftOut(t *testing.T) {
	got := LeftOut{Ties: 2, Skips: 1, Undone: 3}.String()
	if want := "answers left out: 2 ties, 1 skipped, 3 taken back"; got != want || !strings.HasPrefix(got, "answers") {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPairTableChoices: whatever kinds of answers there are, only preferences become chosen pairs, and every battle has a winner or is a tie.
func TestPairTableChoices(t *testing.T) {
	for _, k := range prefer.Choices() {
		s, err := prefer.New(t.Context(), prefer.Config{Space: space.Space{Items: []space.Item{{ID: "a"}, {ID: "b"}}}})
		if err != nil {
			t.Fatal(err)
		}
		q, err := s.Ask(t.Context(), prefer.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: k.Choice}); err != nil {
			t.Fatal(err)
		}
		var chosen, battles strings.Builder
		if _, err := (PairTable{}).Write(&chosen, s.Events(0)); err != nil {
			t.Fatal(err)
		}
		if _, err := (PairTable{Battles: true}).Write(&battles, s.Events(0)); err != nil {
			t.Fatal(err)
		}
		if got := chosen.Len() > 0; got != (k.Side != 0) {
			t.Errorf("%s: a chosen pair is %t: %s", k.Choice, got, chosen.String())
		}
		if strings.Contains(battles.String(), `"winner":""`) || k.Teaches != strings.Contains(battles.String(), `"winner"`) {
			t.Errorf("%s: battle %s", k.Choice, battles.String())
		}
	}
}
