package prefer_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// figure is a measured number of docs/results, from figures.json or from a cell of a table.
type figure struct {
	Value float64
	Unit  string
	Run   string
	raw   bool // a measured number with all its digits, of which a page shows two or more
}

// run says how figures were measured. Commit is the build that was measured; where that is not known, Recorded is the commit that wrote the figure down.
type run struct{ Command, Commit, Recorded, Machine, Date, N string }

var (
	figuresQuoted = regexp.MustCompile(`(?s)<!--=(.+?)-->(.*?)<!--(.*?)-->`) // <!--=size.program-->44 MB<!--/-->
	atLineStart   = regexp.MustCompile(`(?m)^\s*(?:[-*+] |\d+\. )?<!--=[^>]*>`)
	significant   = regexp.MustCompile(`e.*|\D`) // what is no digit of a number, its exponent included
	withUnit      = regexp.MustCompile(`^(−?[\d,]*\.?\d+(?:e-?\d+)?)[ \x{a0}]?(\D*)$`)
)

// TestFigures: every figure that a page marks is the one in docs/results, in the unit given there, and each of those says how it was measured.
func TestFigures(t *testing.T) {
	var all struct {
		Runs    map[string]run
		Tables  map[string]string // of a CSV file to its run
		Figures map[string]figure
	}
	text, err := os.ReadFile("docs/results/figures.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	tables := tablesOf(t, "docs/results")
	used := map[string]bool{}
	known := func(what, name string) {
		r := all.Runs[name]
		if used[name] = true; r.Command == "" || (r.Commit == "") == (r.Recorded == "") || r.Machine == "" || r.N == "" {
			t.Errorf("figures.json: run %q of %s does not say its command, machine, n, and either the commit measured or the one that recorded it", name, what)
		}
	}
	for key, f := range all.Figures {
		known(key, f.Run)
	}
	for name := range tables {
		known(name+".csv", all.Tables[name])
	}
	for name := range all.Runs {
		if !used[name] {
			t.Errorf("figures.json: nothing was measured by run %q", name)
		}
	}
	quotes := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		found := figuresQuoted.FindAllStringSubmatch(string(text), -1)
		if n := strings.Count(string(text), "<!--="); n != len(found) {
			t.Errorf("%s: %d figures are marked and %d closed by <!--/-->", page, n, len(found))
		}
		if m := atLineStart.FindString(string(text)); m != "" {
			t.Errorf("%s: a line starts with %q, which ends the paragraph on GitHub: begin it with the word before", page, strings.TrimSpace(m))
		}
		for _, m := range found {
			key, shown := m[1], m[2]
			f, ok := all.Figures[key]
			if strings.Contains(key, ":") {
				if f, err = tables.cell(key); err != nil {
					t.Errorf("%s: %v", page, err)
					continue
				}
			} else if !ok {
				t.Errorf("%s: figures.json has no %q", page, key)
				continue
			}
			if quotes++; m[3] != "/" {
				t.Errorf("%s: %q is not closed by <!--/-->", page, key)
			} else if err := f.is(shown); err != nil {
				t.Errorf("%s: %s: %v", page, key, err)
			}
		}
	}
	t.Logf("%d figures, %d tables, %d quotations", len(all.Figures), len(tables), quotes)
}

// is returns an error unless a page shows the figure: the number, with its unit or without. A share may be shown in percent.
func (f figure) is(shown string) error {
	m := withUnit.FindStringSubmatch(strings.Trim(shown, "*` "))
	if m == nil {
		return fmt.Errorf("%q is not a number with a unit", shown)
	}
	number, err := strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-").Replace(m[1]), 64)
	if m[2] == "%" && f.Unit == "" {
		f.Value, f.Unit = 100*f.Value, "%"
	}
	if digits := len(strings.TrimLeft(significant.ReplaceAllString(m[1], ""), "0")); f.raw && digits > 1 {
		f.Value, _ = strconv.ParseFloat(strconv.FormatFloat(f.Value, 'g', digits, 64), 64)
	}
	if err != nil || math.Abs(number-f.Value) > 1e-9*math.Abs(f.Value) || m[2] != "" && m[2] != f.Unit {
		return fmt.Errorf("the page shows %q, docs/results has %v %s", shown, f.Value, f.Unit)
	}
	return nil
}

// figureTables are the rows of CSV files by their names, the header first.
type figureTables map[string][][]string

func tablesOf(t *testing.T, dir string) figureTables {
	t.Helper()
	out := figureTables{}
	files, err := filepath.Glob(dir + "/*.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		if f.Close(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[strings.TrimSuffix(filepath.Base(name), ".csv")] = rows
	}
	return out
}

// cell returns the figure of a key "table:first cells of the row:column", as in "judges:gaussian/40/prefer/names:best". The unit is in the header, "best (%)".
func (tables figureTables) cell(key string) (figure, error) {
	parts := strings.Split(key, ":")
	if len(parts) != 3 || len(tables[parts[0]]) == 0 {
		return figure{}, fmt.Errorf("%q is not table:row:column of a table of docs/results", key)
	}
	rows, want := tables[parts[0]], strings.Split(parts[1], "/")
	for i, column := range rows[0] {
		name, unit, _ := strings.Cut(strings.TrimSuffix(column, ")"), " (")
		if name != parts[2] {
			continue
		}
		var found []string
		for _, row := range rows[1:] {
			if len(row) >= len(want) && strings.Join(row[:len(want)], "/") == parts[1] {
				found = append(found, row[i])
			}
		}
		if len(found) != 1 {
			return figure{}, fmt.Errorf("%q: %d rows begin like this, want one", key, len(found))
		}
		value, err := strconv.ParseFloat(found[0], 64)
		return figure{Value: value, Unit: unit, raw: len(found[0]) > 9}, err
	}
	return figure{}, fmt.Errorf("%q: the table has no column %q", key, parts[2])
}

// pages returns the Markdown files of the module.
func pages(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && len(path) > 1 && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "dist") {
			return filepath.SkipDir
		}
		if err == nil && strings.HasSuffix(path, ".md") {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFigureShown holds how a page may show a figure.
func TestFigureShown(t *testing.T) {
	for _, c := range []struct {
		f     figure
		shown string
		want  bool
	}{
		{figure{Value: 44, Unit: "MB"}, "44 MB", true}, {figure{Value: 44, Unit: "MB"}, "44", true}, {figure{Value: 44, Unit: "MB"}, "44 ms", false},
		{figure{Value: 44, Unit: "MB"}, "47 MB", false}, {figure{Value: 12916}, "12,916", true}, {figure{Value: 0.58}, "58%", true},
		{figure{Value: 0.58}, "**0.58**", true}, {figure{Value: 30, Unit: "%"}, "30%", true}, {figure{Value: -0.17}, "−0.17", true}, {figure{Value: 44}, "many", false},
		{figure{Value: 0.0059264380, raw: true}, "0.0059", true}, {figure{Value: 0.0059264380, raw: true}, "0.0060", false}, {figure{Value: 5.68e-6, raw: true}, "5.7e-6", true},
		{figure{Value: 0.0059264380, raw: true}, "0.006", false}, {figure{Value: 0.0059264380}, "0.0059", false},
	} {
		if err := c.f.is(c.shown); (err == nil) != c.want {
			t.Errorf("%v shown as %q: %v", c.f, c.shown, err)
		}
	}
	tables := figureTables{"judges": {{"taste", "calls", "best (%)"}, {"heavy", "40", "44"}, {"heavy", "80", "50"}}}
	for key, want := range map[string]float64{"judges:heavy/40:best": 44, "judges:heavy:best": 0, "judges:heavy/120:best": 0, "judges:heavy/40:worst": 0, "others:heavy:best": 0} {
		if f, err := tables.cell(key); f.Value != want || (err == nil) != (want > 0) {
			t.Errorf("%s is %v, %v", key, f, err)
		}
	}
}
