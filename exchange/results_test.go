package exchange

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// sounds is a study with three raters who like other volumes, the last of whom has only skipped, and an answer taken back.
func sounds(t *testing.T, people prefer.People) *prefer.Study {
	t.Helper()
	ctx := t.Context()
	s, err := prefer.New(ctx, prefer.Config{Space: space.Box(space.Float("loud", 0, 10), space.Categorical("bass", "on", "off")), People: people, Initial: 9, Method: "random"})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 5 {
		for i, rater := range []string{"ann", "bo"} {
			likes := []float64{3, 8}[i]
			q, err := s.Ask(ctx, prefer.Request{Rater: rater})
			if err != nil {
				t.Fatal(err)
			}
			a := prefer.Answer{Choice: prefer.First, Refused: k % 2, ResponseTime: time.Second}
			if math.Abs(q.First.Float("loud")-likes) > math.Abs(q.Second.Float("loud")-likes) {
				a.Choice = prefer.Second
			}
			id, err := s.Tell(ctx, q.ID, a)
			if err != nil {
				t.Fatal(err)
			}
			if k == 4 && rater == "bo" {
				if err := s.Undo(ctx, id); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	q, err := s.Ask(ctx, prefer.Request{Rater: "cy"})
	if err == nil {
		_, err = s.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.Skip})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// read returns a table of comma-separated values as rows by column, which must say the same as its JSON.
func read(t *testing.T, r Records) []map[string]string {
	t.Helper()
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var objects []map[string]any
	if err := json.Unmarshal(body, &objects); err != nil || len(objects) != len(rows)-1 {
		t.Fatalf("%v: %d objects and %d rows", err, len(objects), len(rows)-1)
	}
	var out []map[string]string
	for i, row := range rows[1:] {
		each := map[string]string{}
		for k, name := range rows[0] {
			each[name] = row[k]
			said := ""
			switch v := objects[i][name].(type) {
			case nil:
			case float64:
				said = strconv.FormatFloat(v, 'g', -1, 64)
			default:
				said = fmt.Sprint(v)
			}
			if said != row[k] {
				t.Errorf("row %d, %s: %q in the table, %q in JSON", i, name, row[k], said)
			}
		}
		out = append(out, each)
	}
	return out
}

// parsed reads a cell.
func parsed(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Error(err)
	}
	return x
}

// TestResults: the tables say of everybody what the study says when it is asked about them.
func TestResults(t *testing.T) {
	ctx := t.Context()
	s := sounds(t, prefer.PerRater)
	got, err := NewResults(ctx, s, ResultsOptions{Name: "sound", Caught: func(rater string) (int, int) { return len(rater), 4 }})
	if err != nil {
		t.Fatal(err)
	}
	people := read(t, got.People)
	if len(people) != 3 {
		t.Fatalf("%d rows, want one for each of three: %v", len(people), people)
	}
	group, err := s.Group(ctx, prefer.Look{})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"ann", "bo"} {
		v, err := s.Verdict(ctx, prefer.Look{Rater: name})
		if err != nil {
			t.Fatal(err)
		}
		row := people[i]
		if row["rater"] != name || row["study"] != "sound" || row["verdict"] != string(v.Kind) || row["pick.bass"] != v.Best.Option["bass"].String() ||
			row["catch_right"] != fmt.Sprint(len(name)) || row["catch_of"] != "4" || row["rt_ms"] != "1000" || row["refused"] != "2" || row["noise"] != "" {
			t.Errorf("the row is %v, the verdict %+v", row, v)
		}
		for column, want := range map[string]float64{"pick.loud": v.Best.Option.Float("loud"), "utility": v.Best.Mean, "sd": v.Best.SD, "confidence": v.Best.Confidence,
			"beats": v.Best.Beats, "top": v.Best.Top, "answers": float64(v.Answers), "given": float64(v.Given), "group_loss": group.Loss[i], "group_weight": group.Weights[i], "undone": float64(i)} {
			if x := parsed(t, row[column]); x != want {
				t.Errorf("%s of %s is %v, want %v", column, name, x, want)
			}
		}
	}
	if cy := people[2]; cy["rater"] != "cy" || cy["answers"] != "0" || cy["skips"] != "1" || cy["pick.loud"]+cy["utility"]+cy["verdict"]+cy["group_loss"] != "" {
		t.Errorf("of who only skipped there is %v", cy)
	}
	all := read(t, got.Group)
	if len(all) != 1 || all[0]["people"] != "2" || parsed(t, all[0]["score"]) != group.Score || parsed(t, all[0]["pick.loud"]) != group.Best.Float("loud") || all[0]["utility"] != "" {
		t.Errorf("of the group there is %v, want %+v", all, group)
	}
	pairs := read(t, got.Agreement)
	if len(pairs) != 1 || pairs[0]["rater_a"] != "ann" || pairs[0]["rater_b"] != "bo" || parsed(t, pairs[0]["agreement"]) != group.Agreement[0][1] ||
		parsed(t, pairs[0]["low"]) != group.Low[0][1] || parsed(t, pairs[0]["high"]) != group.High[0][1] {
		t.Errorf("of the agreement there is %v, want %v", pairs, group.Agreement)
	}
}

// TestResultsShared: raters who share a utility have its pick, and each their noise.
func TestResultsShared(t *testing.T) {
	s := sounds(t, prefer.Shared)
	got, err := NewResults(t.Context(), s, ResultsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Verdict(t.Context(), prefer.Look{})
	if err != nil {
		t.Fatal(err)
	}
	raters, err := s.Raters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range read(t, got.People) {
		if parsed(t, row["utility"]) != v.Best.Mean || row["answers"] != "9" || row["group_loss"] != "" || row["catch_of"] != "" {
			t.Errorf("the row is %v", row)
		}
		if i < 2 && parsed(t, row["noise"]) != raters[i].Noise {
			t.Errorf("noise %q, want %v", row["noise"], raters[i].Noise)
		}
	}
	all := read(t, got.Group)
	if len(all) != 1 || all[0]["people"] != "2" || parsed(t, all[0]["sd"]) != v.Best.SD || all[0]["score"] != "" {
		t.Errorf("of the group there is %v", all)
	}
	if rows := read(t, got.Agreement); len(rows) != 0 || got.Agreement.Columns[3] != "agreement" {
		t.Errorf("who share a utility agree by %v", got.Agreement)
	}
}

// TestResultsOfNothing: a study nobody has answered has columns and no rows.
func TestResultsOfNothing(t *testing.T) {
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Box(space.Float("x", 0, 1)), People: prefer.PerRater})
	if err != nil {
		t.Fatal(err)
	}
	got, err := NewResults(t.Context(), s, ResultsOptions{})
	if err != nil || len(read(t, got.People))+len(read(t, got.Group))+len(read(t, got.Agreement)) != 0 || got.People.Columns[2] != "pick.x" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestResultsContexts: of every rater there is a row under each context, with what the study says when it is asked there.
func TestResultsContexts(t *testing.T) {
	for _, people := range []prefer.People{prefer.PerRater, prefer.Shared} {
		place := space.Categorical("place", "quiet", "babble")
		place.Context = true
		ctx := t.Context()
		s, err := prefer.New(ctx, prefer.Config{Space: space.Box(space.Float("gain", 0, 10), place), People: people, Initial: 20})
		if err != nil {
			t.Fatal(err)
		}
		for k := range 12 {
			q, err := s.Ask(ctx, prefer.Request{Rater: []string{"ann", "bo"}[k/2%2], Fixed: space.Option{"place": place.Choices[k%2]}})
			if err != nil {
				t.Fatal(err)
			}
			a := prefer.Answer{Choice: prefer.First}
			if more := q.First.Float("gain") > q.Second.Float("gain"); more == (k%2 == 0) {
				a.Choice = prefer.Second
			}
			if _, err := s.Tell(ctx, q.ID, a); err != nil {
				t.Fatal(err)
			}
		}
		got, err := NewResults(ctx, s, ResultsOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rows := read(t, got.People)
		if len(rows) != 4 {
			t.Fatalf("%s: %d rows, want two raters under two contexts", people, len(rows))
		}
		for _, row := range rows {
			at := space.Option{"place": space.ValueOf(row["context.place"])}
			v, err := s.Verdict(ctx, prefer.Look{Rater: row["rater"], Fixed: at})
			if err != nil {
				t.Fatal(err)
			}
			if parsed(t, row["pick.gain"]) != v.Best.Option.Float("gain") || parsed(t, row["confidence"]) != v.Best.Confidence || row["pick.place"] != row["context.place"] ||
				row["answers"] != fmt.Sprint(v.Answers) || row["given"] != "3" {
				t.Errorf("%s: the row is %v, the verdict %+v", people, row, v)
			}
		}
		if groups := read(t, got.Group); len(groups) != 2 || groups[0]["context.place"] != "quiet" || groups[1]["pick.place"] != "babble" {
			t.Errorf("%s: of the group there is %v", people, groups)
		}
		var table bytes.Buffer
		if err := (Table{}).Write(&table, "s", s.Events(0)); err != nil {
			t.Fatal(err)
		}
		answers, err := csv.NewReader(&table).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range answers {
			if last := row[len(row)-1]; last != []string{"fixed.place", "quiet", "babble"}[min(i, 1)+max(0, i-1)%2] {
				t.Errorf("row %d of the answers was asked under %q", i, last)
			}
		}
	}
}
