package compare

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

var (
	quadratic = Group{"quadratic2", 0.1}
	branin    = Group{"branin2", 0.3}
	ours      = Series{"default", "kg"}
	theirs    = Series{"botorch", "kg"}
	third     = Series{"botorch", "eubo"}
)

// row is a row of a run with 4 initial pairs.
func row(g Group, s Series, seed uint64, answers int, gap float64) bench.Row {
	return bench.Row{Problem: g.Problem, Noise: g.Noise, Setup: s.Setup, Method: s.Method, Seed: seed, Iter: answers - 4, Answers: answers, Gap: gap}
}

func add(t *testing.T, table *Table, rows ...bench.Row) {
	t.Helper()
	for _, r := range rows {
		if err := table.Add(r); err != nil {
			t.Fatal(err)
		}
	}
}

// fill adds one row for each gap, of seeds 0, 1, …
func fill(t *testing.T, table *Table, g Group, s Series, answers int, gaps ...float64) {
	t.Helper()
	for seed, gap := range gaps {
		add(t, table, row(g, s, uint64(seed), answers, gap))
	}
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTable(t *testing.T) {
	var table Table
	add(t, &table,
		row(quadratic, theirs, 3, 20, 0.3), row(quadratic, theirs, 1, 15, 0.2), row(branin, ours, 1, 15, 0.1),
		row(quadratic, theirs, 1, 20, 0.4), row(quadratic, ours, 1, 15, 0.5))
	if diff := cmp.Diff([]Group{branin, quadratic}, table.Groups()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Series{theirs, ours}, table.Series(quadratic)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Series{ours}, table.Series(branin)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint64{1, 3}, table.Seeds(quadratic, theirs)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Position{{Answers, 15}, {Answers, 20}}, table.Positions(quadratic, theirs)); diff != "" {
		t.Error(diff)
	}
	if got := table.Run(quadratic, theirs, 1).Gap(Position{Iter, 16}); got != 0.4 {
		t.Errorf("gap %v at iter 16, want 0.4", got)
	}
	for _, seed := range []uint64{3, 99} { // a run without that row, and no run
		if got := table.Run(quadratic, theirs, seed).Gap(Position{Answers, 15}); !math.IsNaN(got) {
			t.Errorf("seed %d: gap %v, want NaN", seed, got)
		}
	}
	if n, known := table.Initial(quadratic, theirs); n != 4 || !known {
		t.Errorf("initial pairs %d, %v", n, known)
	}
	other := row(quadratic, theirs, 5, 20, 1)
	other.Iter = 10
	add(t, &table, other)
	if n, known := table.Initial(quadratic, theirs); known {
		t.Errorf("initial pairs %d, want none: seeds differ", n)
	}
}

func TestAddErrors(t *testing.T) {
	change := func(f func(*bench.Row)) bench.Row {
		r := row(branin, ours, 7, 15, 0.5)
		f(&r)
		return r
	}
	for name, r := range map[string]bench.Row{
		"gap 0.5 and 0.25 at 15 answers":  change(func(r *bench.Row) { r.Gap = 0.25 }),
		"iter 11 and 10 at 15 answers":    change(func(r *bench.Row) { r.Iter = 10 }),
		"4 and 6 initial pairs":           change(func(r *bench.Row) { r.Answers = 17 }),
		"rows with answers and rows with": change(func(r *bench.Row) { r.Answers = 0 }),
		"gap NaN":                         change(func(r *bench.Row) { r.Gap = math.NaN() }),
		"gap +Inf":                        change(func(r *bench.Row) { r.Gap = math.Inf(1) }),
		"noise NaN":                       change(func(r *bench.Row) { r.Noise = math.NaN() }),
		"answers -1":                      change(func(r *bench.Row) { r.Answers = -1 }),
		"answers 16777217":                change(func(r *bench.Row) { r.Answers = 1<<24 + 1 }),
		"iter 1099511627776":              change(func(r *bench.Row) { r.Iter = 1 << 40 }),
	} {
		var table Table
		add(t, &table, row(branin, ours, 7, 15, 0.5), row(branin, ours, 7, 15, 0.5)) // twice the same is fine
		err := table.Add(r)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one with %q", err, name)
			continue
		}
		if !strings.Contains(err.Error(), "kg, default, seed 7") {
			t.Errorf("%v does not name the run", err)
		}
	}
}

func TestLoad(t *testing.T) {
	const (
		full = `{"problem":"branin2","noise":0.3,"method":"kg","setup":"default","seed":1,"iter":0,"answers":4,"gap":2}` + "\n"
		torn = `{"problem":"branin2","noise":0.3,"method":"kg","setup":"default","seed":1,"iter":1,"ans`
		bare = `{"problem":"branin2","noise":0.3,"method":"kg","seed":1,"iter":3,"gap":0.5,"stack":"other"}` + "\n"
	)
	first, second := file(t, "a.jsonl", full+full+torn), file(t, "botorch.jsonl", bare)
	table, err := Load(first, second)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Series{theirs, ours}, table.Series(branin)); diff != "" {
		t.Error(diff)
	}
	if got := table.Run(branin, ours, 1).Gap(Position{Answers, 4}); got != 2 {
		t.Errorf("gap %v at 4 answers, want 2", got)
	}
	if got := table.Positions(branin, ours); len(got) != 1 {
		t.Errorf("positions %v: the torn line counts", got)
	}
	if diff := cmp.Diff([]Position{{Iter, 3}}, table.Positions(branin, theirs)); diff != "" {
		t.Errorf("a stack that counts no answers: %s", diff)
	}

	other := file(t, "b.jsonl", strings.Replace(full, `"gap":2`, `"gap":3`, 1))
	for _, paths := range [][]string{{first, other}, {file(t, "c.jsonl", torn+"\n"+full)}, {first + ".missing"}} {
		last := paths[len(paths)-1]
		if _, err := Load(paths...); err == nil || !strings.Contains(err.Error(), last) {
			t.Errorf("%v, want an error that names %s", err, last)
		}
	}
}

// FuzzRows: no file makes reading it, or asking the table afterwards, panic; what was read once can be read
// twice.
func FuzzRows(f *testing.F) {
	f.Add([]byte(`{"problem":"p","method":"m","answers":15,"iter":3,"gap":0.5}` + "\n" + `{"problem":"p","method":"m","answers":16,"iter":4,"gap":1e-300}`))
	f.Add([]byte(`{"problem":"p","method":"m","iter":-3}` + "\n" + `{"problem":"p","method":"m","iter":3,"seed":18446744073709551615}` + "\n"))
	f.Add([]byte(`{"problem":"p","method":"m","noise":-0,"answers":1}` + "\n{\"pro"))
	f.Add([]byte("\n\n{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var table Table
		var rows []bench.Row
		err := bench.ReadRows(strings.NewReader(string(data)), "fuzz", func(r bench.Row) error {
			if err := table.Add(r); err != nil {
				return err
			}
			rows = append(rows, r)
			return nil
		})
		for _, r := range rows {
			if again := table.Add(r); again != nil {
				t.Errorf("%+v: %v the second time", r, again)
			}
			p := Position{Answers, r.Answers}
			if r.Answers == 0 {
				p = Position{Iter, r.Iter}
			}
			g, s := Group{r.Problem, r.Noise}, Series{r.Setup, r.Method}
			if got := table.Run(g, s, r.Seed).Gap(p); got != r.Gap {
				t.Errorf("gap %v at %v, want %v", got, p, r.Gap)
			}
		}
		if err == nil && len(rows) > 0 {
			SummaryCSV(&table, Options{})
		}
	})
}
