package bench

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/problem"
)

// rowsOfCell runs one cell.
func rowsOfCell(t *testing.T, r Runner, c Cell) []Row {
	t.Helper()
	rater, err := r.Setup.rater(mustProblem(t, c.Problem), c.Noise, r.Designs, 0)
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	if err := r.run(context.Background(), c, rater, func(row Row) error { rows = append(rows, row); return nil }); err != nil {
		t.Fatal(err)
	}
	return rows
}

// stepping is a clock that moves a second every time somebody looks at it.
func stepping() func() time.Time {
	at := time.Unix(0, 0)
	return func() time.Time { at = at.Add(time.Second); return at }
}

func TestRun(t *testing.T) {
	r := Runner{Setup: Setup{Modelling: Modelling{Initial: "4"}, Sigma: sigma(0.1)}, Questions: 3, Now: stepping()}
	rows := rowsOfCell(t, r, Cell{"branin2", 0.1, "eubo", 2})
	if len(rows) != 4 {
		t.Fatalf("%d rows, want one after the 4 initial pairs and one for each of 3 questions", len(rows))
	}
	for i, row := range rows {
		want := Row{Problem: "branin2", Noise: 0.1, Method: "eubo", Setup: "default initial=4 sigma=0.1", Seed: 2, Iter: i, Answers: 4 + i, Sigma: 0.1,
			Gap: row.Gap, FitSeconds: 1, RecommendSeconds: 1, CPUSeconds: row.CPUSeconds}
		if i > 0 { // no question led to the last initial pair
			want.AskSeconds = 1
		}
		if diff := cmp.Diff(want, row); diff != "" {
			t.Errorf("row %d: %s", i, diff)
		}
		if !(row.Gap >= 0) || math.IsInf(row.Gap, 1) || row.CPUSeconds < 0 {
			t.Errorf("row %d: gap %g, %g s", i, row.Gap, row.CPUSeconds)
		}
	}
}

// TestAtOnce: with n open at a time question k, from 0, is chosen with the answers to the first k − n + 1, and one at a time is the
// run of a setup that says nothing.
func TestAtOnce(t *testing.T) {
	const initial, questions = 4, 7
	for n, want := range map[int][]int{0: {4, 5, 6, 7, 8, 9, 10}, 1: {4, 5, 6, 7, 8, 9, 10}, 3: {4, 4, 4, 5, 6, 7, 8, 9, 10}, 9: {4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 6, 7, 8, 9, 10}} {
		var known []int
		r := Runner{Setup: Setup{Modelling: Modelling{Initial: fmt.Sprint(initial)}, Sigma: sigma(0.1), AtOnce: n}, Questions: questions, Now: time.Now}
		r.Own.Methods = map[string]acquisition.Method{"mine": func(ctx context.Context, task acquisition.Task) (acquisition.Choice, error) {
			known = append(known, task.Duels.Len())
			return acquisition.Ask(ctx, "random", task)
		}}
		rows := rowsOfCell(t, r, Cell{"branin2", 0.1, "mine", 2})
		if len(rows) != 1+questions || rows[questions].Answers != initial+questions {
			t.Errorf("%d at once: %d rows, the last after %d answers", n, len(rows), rows[len(rows)-1].Answers)
		}
		if diff := cmp.Diff(want, known); diff != "" {
			t.Errorf("%d at once: answers known at each question: %s", n, diff)
		}
	}
	gaps := func(n int) (out []float64) {
		r := Runner{Setup: Setup{Modelling: Modelling{Initial: "4"}, Sigma: sigma(0.1), AtOnce: n}, Questions: 4, Now: time.Now}
		for _, row := range rowsOfCell(t, r, Cell{"branin2", 0.1, "kg", 2}) {
			out = append(out, row.Gap)
		}
		return out
	}
	if diff := cmp.Diff(gaps(0), gaps(1)); diff != "" {
		t.Errorf("one at once: %s", diff)
	}
}

// TestLevelsOfNoiseShareRuns: with common random numbers two levels of noise are one run until an answer differs, and another then.
func TestLevelsOfNoiseShareRuns(t *testing.T) {
	gaps := func(s float64) (out []float64) {
		r := Runner{Setup: Setup{Sigma: sigma(s)}, Questions: 6, Now: time.Now}
		for _, row := range rowsOfCell(t, r, Cell{"branin2", 0, "eubo", 2}) {
			out = append(out, row.Gap)
		}
		return out
	}
	little, more := gaps(1e-4), gaps(1e-2)
	if diff := cmp.Diff(little, more); diff != "" {
		t.Error("no answer differs, and the runs do: " + diff)
	}
	if much := gaps(1e4); cmp.Equal(little, much) {
		t.Error("a hundred times the range of the utility turns no answer round")
	}
}

// TestRunGraded: a cell whose rater ties, grades and remembers is a function of its coordinates, not of cells that ran before it, and
// its study gets all three kinds of answers.
func TestRunGraded(t *testing.T) {
	r := Runner{Setup: Setup{Sigma: sigma(0.1), Answers: "both", Clearly: "seen"}, Questions: 4, Now: stepping()}
	c := Cell{"quadratic2", 0.1, "random", 7}
	rater, err := r.Rater(c)
	if err != nil {
		t.Fatal(err)
	}
	var first []Row
	for range 2 {
		rows, err := r.Rows(t.Context(), c, rater)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			rows[i].CPUSeconds = 0
		}
		if diff := cmp.Diff(first, rows); first != nil && diff != "" {
			t.Error("again it is another cell: ", diff)
		}
		first = rows
	}
	w, err := r.begin(t.Context(), c, rater)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for range 40 {
		u := NewDesign(2, 40, 3).Pairs[w.answers]
		a, err := w.answer(u[:2], u[2:])
		if err != nil {
			t.Fatal(err)
		}
		seen[fmt.Sprint(a.Choice, a.Strength)]++
	}
	for _, kind := range []string{"first0", "second0", "first1", "second1", "tie0"} {
		if seen[kind] < 2 {
			t.Errorf("%s %d times of 40: %v", kind, seen[kind], seen)
		}
	}
}

func TestRunEarly(t *testing.T) {
	r := Runner{Setup: Setup{Modelling: Modelling{Initial: "4"}, Sigma: sigma(0.1)}, Questions: 1, Now: time.Now}
	c := Cell{"quadratic2", 0.1, "random", 0}
	late := rowsOfCell(t, r, c)
	r.Early = true
	early := rowsOfCell(t, r, c)
	if len(early) != 5 || early[0].Answers != 1 || early[0].Iter != -3 {
		t.Fatalf("%d rows, the first %+v: want 5, from 1 answer on", len(early), early[0])
	}
	for i, row := range early[3:] {
		if row.Gap != late[i].Gap {
			t.Errorf("looking earlier changes the gap at %d answers from %g to %g", row.Answers, late[i].Gap, row.Gap)
		}
	}
}

// TestCommonRandomNumbers: a seed gives every method, and the same method at another noise, the same
// initial pairs and the same noise by answer; what is not the method's choice is the same.
func TestCommonRandomNumbers(t *testing.T) {
	r := Runner{Setup: Setup{Modelling: Modelling{Initial: "4", Alternatives: "none"}, Sigma: sigma(0.3)}, Questions: 1, Early: true, Now: time.Now}
	kg, eubo, random := rowsOfCell(t, r, Cell{"branin2", 0.1, "kg", 4}), rowsOfCell(t, r, Cell{"branin2", 0.1, "eubo", 4}), rowsOfCell(t, r, Cell{"branin2", 0.1, "random", 4})
	other := rowsOfCell(t, r, Cell{"branin2", 0.1, "eubo", 5})
	same := true
	for i := range 4 { // the initial pairs
		if eubo[i].Gap != random[i].Gap || eubo[i].Gap != kg[i].Gap {
			t.Errorf("after %d answers the gaps are %g, %g and %g, want the same", i+1, kg[i].Gap, eubo[i].Gap, random[i].Gap)
		}
		same = same && eubo[i].Gap == other[i].Gap
	}
	if same {
		t.Error("two seeds give the same gaps")
	}
	a, b := NewDesign(2, 4, 4), NewDesign(6, 24, 4)
	for k := range 100 {
		x, _ := a.Draw(k)
		y, _ := b.Draw(k)
		if x != y || x != problem.At(4, uint64(k)) {
			t.Fatalf("answer %d has the noise %v in 2 dimensions and %v in 6", k, x, y)
		}
	}
}

// TestRunErrors: an error names the cell and the answer.
func TestRunErrors(t *testing.T) {
	c := Cell{"quadratic2", 0.1, "random", 0}
	designs, err := NewDesigns([]problem.Problem{problem.Quadratic(2)}, nil, []uint64{0}, 2)
	if err != nil {
		t.Fatal(err)
	}
	designs.normals[0] = designs.normals[0][:5]
	for want, r := range map[string]Runner{
		"quadratic2 noise 0.1 random seed 0, answer 6": {Questions: 4, Designs: designs},
		"4 initial pairs in 2 dimensions, not 8":       {Setup: Setup{Modelling: Modelling{Initial: "8"}}, Designs: designs},
	} {
		r.Now = time.Now
		err := r.run(context.Background(), c, problem.Rater{Problem: problem.Quadratic(2)}, func(Row) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}
