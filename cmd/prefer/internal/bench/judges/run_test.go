package judges

import (
	"bytes"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

// sure is a judge without noise, as good as.
var sure = Judge{Scale: 1e-6}

// TestJudge: its answers are as frequent as it says, whichever is named first, and do not depend on the method that asks.
func TestJudge(t *testing.T) {
	j := Judge{Scale: 0.4, Bias: 0.5, Lapse: 0.15}
	if half := (Judge{Scale: 0.4, Always: 0.5}); half.first(-9, 9) < 0.5 || half.first(-9, 9) > 0.5+1e-9 || half.first(0, 0) != 0.75 {
		t.Errorf("a judge that takes the first in every second call takes it %g and %g times", half.first(-9, 9), half.first(0, 0))
	}
	if p := j.wins(0.7, 0.1) + j.wins(0.1, 0.7); math.Abs(p-1) > 1e-15 {
		t.Errorf("one of two is taken %g times", p)
	}
	new := func() *hearing {
		return &hearing{judge: j, u: []float64{0.1, 0.7}, seed: 3, asked: map[[2]int]uint64{}}
	}
	one, other := new(), new()
	const n = 40_000
	var won, shown, first float64
	for range n {
		tookA, swapped := one.ask(1, 0)
		tookB, turned := other.ask(0, 1)
		if tookA == tookB || swapped == turned {
			t.Fatal("the swapped question gets another answer")
		}
		if tookA {
			won += 1. / n
		}
		if !swapped {
			shown += 1. / n
		}
		if tookA != swapped {
			first += 1. / n
		}
	}
	tolerance := 4 * 0.5 / math.Sqrt(n)
	if want := j.wins(0.7, 0.1); math.Abs(won-want) > tolerance || math.Abs(shown-0.5) > tolerance {
		t.Errorf("won %.4f, want %.4f; shown first %.4f", won, want, shown)
	}
	if want := (j.first(0.7, 0.1) + j.first(0.1, 0.7)) / 2; math.Abs(first-want) > tolerance || want < 0.55 {
		t.Errorf("what is shown first is taken %.4f, want %.4f", first, want)
	}
}

func TestTastes(t *testing.T) {
	for _, name := range Tastes {
		items, u := newTaste(name, rand.New(rand.NewPCG(1, 1)), 40, true)
		if len(items[0].Features) != features {
			t.Fatal(items[0])
		}
		var mean, square float64
		for _, v := range u {
			mean += v / 40
			square += v * v / 40
		}
		if math.Abs(mean) > 1e-12 || math.Abs(square-1) > 1e-12 {
			t.Errorf("%s: mean %g, square %g", name, mean, square)
		}
		if order := byWorth(u); name == "close" && !(u[order[0]]-u[order[4]] < 0.6) {
			t.Errorf("the best are %g, …, %g", u[order[0]], u[order[4]])
		}
	}
}

// TestPlayers: with a judge who is never wrong everybody finds the best, given the calls; and the file has it for the next time.
func TestPlayers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "judges.jsonl")
	file, err := bench.OpenRows[key, Play](path)
	if err != nil {
		t.Fatal(err)
	}
	others := slices.DeleteFunc(slices.Clone(Players), func(n string) bool { return n == "prefer" })
	cheap := Plan{Players: others, Tastes: []string{"gaussian"}, Knows: []string{"names"}, Prompts: 9, Budgets: []string{"400"}, Repetitions: 3, Judge: sure, Jobs: 1}
	dear := Plan{Players: []string{"prefer"}, Tastes: []string{"gaussian"}, Knows: []string{"names", "features"}, Prompts: 6, Budgets: []string{"13", "20"}, Repetitions: 2, Judge: sure, Jobs: 2}
	for _, plan := range []Plan{cheap, dear} {
		plays, err := plan.Run(t.Context(), file, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range plays {
			if last := p.At[len(p.At)-1]; last.Rank != 1 || last.Regret != 0 || !last.Good || last.Calls != slices.Max(plan.Calls()) {
				t.Errorf("%s %d: %+v", p.Player, p.Number, last)
			}
		}
		table := NewTable(plays, []int{20, 400})
		var text bytes.Buffer
		if err := table.Write(&text); err != nil || !strings.Contains(text.String(), "| 20 | "+plan.Players[0]+" | names | ") {
			t.Errorf("%v\n%s", err, text.String())
		}
		for _, u := range table.Until {
			if u.Stays != 1 || u.Median == 0 || u.Median > slices.Max(plan.Calls()) {
				t.Errorf("%+v", u)
			}
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := bench.OpenRows[key, Play](path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	before := again.All()
	if _, err := cheap.Run(t.Context(), again, func(played, of int) {
		if played != of {
			t.Errorf("%d of %d are there", played, of)
		}
	}); err != nil || len(again.All()) != len(before) {
		t.Error(err)
	}
	for _, spoil := range []func(p *Plan){
		func(p *Plan) { p.Players = []string{"chess"} }, func(p *Plan) { p.Tastes = []string{"odd"} }, func(p *Plan) { p.Knows = []string{"all"} },
		func(p *Plan) { p.Prompts = 2 }, func(p *Plan) { p.Judge.Scale = -1 }, func(p *Plan) { p.Budgets = []string{"0"} }, func(p *Plan) { p.Budgets = []string{"soon"} },
	} {
		bad := cheap
		spoil(&bad)
		if _, err := bad.Run(t.Context(), again, nil); err == nil {
			t.Errorf("%+v ran", bad)
		}
	}
}

// TestUntilDone: the others take as many calls as prefer did in the same repetition, also when they come later, and a row says how many that were.
func TestUntilDone(t *testing.T) {
	file, err := bench.OpenRows[key, Play]("")
	if err != nil {
		t.Fatal(err)
	}
	plan := Plan{Tastes: []string{"gaussian"}, Knows: []string{"names"}, Prompts: 6, Budgets: []string{"done"}, Repetitions: 3, Judge: sure, Jobs: 1}
	calls := map[int]int{}
	for _, players := range [][]string{{"elo"}, {"elo", "prefer"}, {"merge-sort"}} {
		plan.Players = players
		plays, err := plan.Run(t.Context(), file, nil)
		if err != nil || len(plays) != 3*len(players) {
			t.Fatalf("%d plays, %v", len(plays), err)
		}
		for _, p := range plays {
			n := p.At[0].Calls
			if was, there := calls[p.Number]; len(p.At) != 1 || !p.Done || there && was != n || n < 2 || n >= mostCalls {
				t.Errorf("%s %d: %+v, prefer %d", p.Player, p.Number, p.At, was)
			}
			calls[p.Number] = n
		}
		table := NewTable(plays, nil)
		mean := float64(calls[0]+calls[1]+calls[2]) / 3
		var text bytes.Buffer
		if err := table.Write(&text); err != nil || len(table.Rows) != len(plays)/3 || math.Abs(table.Rows[0].Mean-mean) > 1e-9 || len(table.Until) > 0 || !strings.Contains(text.String(), "| done: median ") {
			t.Errorf("%v, %+v\n%s", err, table.Rows, text.String())
		}
	}
}

// TestRobin: in a round everybody meets one other, and after n − 1 rounds all have met.
func TestRobin(t *testing.T) {
	for _, n := range []int{7, 8} {
		p, met := newRobin(rand.New(rand.NewPCG(4, 4)), n), map[[2]int]int{}
		for range n * (n - 1) / 2 {
			a, b, _ := p.next(t.Context())
			met[[2]int{min(a, b), max(a, b)}]++
		}
		if len(met) != n*(n-1)/2 {
			t.Errorf("%d of %d pairs met", len(met), n*(n-1)/2)
		}
	}
}

// TestBeta: draws have the mean and the variance of the law.
func TestBeta(t *testing.T) {
	p := newThompson(rand.New(rand.NewPCG(5, 5)), 2)
	p.wins[0][1], p.wins[1][0] = 3, 1 // Beta(4, 2)
	const n = 20_000
	var mean, square float64
	for range n {
		x := p.beta(0, 1)
		mean += x / n
		square += x * x / n
	}
	if math.Abs(mean-4./6) > 0.006 || math.Abs(square-mean*mean-8./252) > 0.002 {
		t.Errorf("mean %g, variance %g", mean, square-mean*mean)
	}
}
