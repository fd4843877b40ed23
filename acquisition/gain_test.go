package acquisition

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// worthTasks are tasks of every kind of space, and one that is in doubt about its hyper-parameters.
func worthTasks(t testing.TB) map[string]Task {
	t.Helper()
	posts := testPosteriors(t)
	p := posts[0]
	mixed := &Domain{Parts: []Part{{At: 0, Width: 1}, {At: 1, Width: 1, Levels: []float64{0, 0.25, 0.5, 0.75, 1}, Ordered: true}}}
	walled := &Domain{Parts: Cube(2).Parts, Feasible: func(x []float64) bool { return x[0]+x[1] <= 1.2 }}
	rng := rand.New(rand.NewPCG(5, 6))
	rows := make([]float64, 2*40)
	for i := range rows {
		rows[i] = rng.Float64()
	}
	return map[string]Task{
		"cube":     {Posterior: p, Seed: 3},
		"mixed":    {Posterior: p, Seed: 3, Domain: mixed},
		"walled":   {Posterior: p, Seed: 3, Domain: walled},
		"list":     {Posterior: p, Seed: 3, Domain: &Domain{List: rows, Dim: 2}},
		"in doubt": {Posterior: p, Mixture: gp.NewMixture(posts[:], []float64{0.3, 0.7}), Seed: 3},
		"noisy":    {Posterior: p, Seed: 3, Noise: 0.5, Rater: 3},
	}
}

// TestWorthOfTheChoice: what a method expected of the question that it chose is what the question is worth.
func TestWorthOfTheChoice(t *testing.T) {
	for name, task := range worthTasks(t) {
		for _, method := range []string{"kg", "eubo", "qeubo", "logei", "bald"} {
			if task.Mixture != nil && method != "kg" {
				continue
			}
			c, err := Ask(t.Context(), method, task)
			if err != nil {
				t.Fatal(err)
			}
			v, err := Worth(t.Context(), method, task, [][]float64{slices.Concat(c.A, c.B)})
			if err != nil {
				t.Fatal(err)
			}
			if rel := v[0]/c.Value - 1; rel > 1e-4 || rel < -1e-5 { // climbs along a wall end a little early, now here, now there
				t.Errorf("%s, %s: chosen for %.12g, worth %.12g", name, method, c.Value, v[0])
			}
		}
	}
}

// TestWorthOnAGrid: the knowledge gradient of questions at random, against inner maxima over 14,641 options.
func TestWorthOnAGrid(t *testing.T) {
	const side = 120
	for _, name := range []string{"cube", "walled", "noisy"} {
		task := worthTasks(t)[name]
		task, err := task.Prepare()
		if err != nil {
			t.Fatal(err)
		}
		p := task.Posterior
		var grid []float64
		for i := range (side + 1) * (side + 1) {
			if x := []float64{float64(i%(side+1)) / side, float64(i/(side+1)) / side}; task.Domain.Contains(x) {
				grid = append(grid, x...)
			}
		}
		mean := make([]float64, len(grid)/2)
		p.Means(mean, grid, 1)
		kg := NewKG(p.Answers(), p.Hyper().Cuts, p.Noise())
		kg.Sigma = task.Noise
		kg.Base = Recommend(t.Context(), task.Domain, p, nil, nil, 1, 1)[0].Mean
		rng := rand.New(rand.NewPCG(7, 8))
		var questions [][]float64
		for len(questions) < 12 {
			x := []float64{rng.Float64(), rng.Float64(), rng.Float64(), rng.Float64()}
			if task.Domain.Contains(x[:2]) && task.Domain.Contains(x[2:]) {
				questions = append(questions, x)
			}
		}
		got, err := Worth(t.Context(), "kg", task, questions)
		if err != nil {
			t.Fatal(err)
		}
		m := gp.NewMoments(2)
		for i, x := range questions {
			cov := make([]float64, 2*len(mean))
			p.CrossCovariance(cov, x, grid, 1)
			p.Moments(m, x)
			d, v := m.Difference(0, 1)
			want := kg.MaxOver(mean, cov[:len(mean)], cov[len(mean):], d, v, nil)
			// The grid misses a maximum by at most half a step: a part in 10⁴ of the utility's range here.
			if got[i] < want-1e-12 || got[i] > want+5e-4 {
				t.Errorf("%s: question %.3f is worth %.9g, on the grid %.9g", name, x, got[i], want)
			}
		}
	}
}

// TestWorthOfAList: against the sum of the paper over all rows.
func TestWorthOfAList(t *testing.T) {
	task := worthTasks(t)["list"]
	p, rows := task.Posterior, task.Domain.List
	n := len(rows) / 2
	mean, cov := make([]float64, n), make([]float64, n*n)
	p.Means(mean, rows, 1)
	p.CrossCovariance(cov, rows, rows, 1)
	kg := NewKG(p.Answers(), p.Hyper().Cuts, p.Noise())
	var questions [][]float64
	var want []float64
	for i := range n {
		j := (7*i + 3) % n
		questions = append(questions, slices.Concat(rows[2*i:2*i+2], rows[2*j:2*j+2]))
		want = append(want, kg.Discrete(mean, cov, i, j, nil)-slices.Max(mean))
	}
	got, err := Worth(t.Context(), "kg", task, questions)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		agree(t, fmt.Sprintf("rows %v", questions[i]), got[i], want[i], 1e-11)
	}
}

// TestWorthOfPairs: a question has no order, one of an option with itself gains nothing, and none loses.
func TestWorthOfPairs(t *testing.T) {
	for name, task := range worthTasks(t) {
		dom := task.Domain
		if dom == nil {
			dom = Cube(2)
		}
		x := dom.Points(8, 9)
		a, b := x[:2], x[6:8]
		v, err := Worth(t.Context(), "kg", task, [][]float64{slices.Concat(a, b), slices.Concat(b, a), slices.Concat(a, a)})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(v[0]-v[1]) > 1e-9 || v[0] < 0 || math.Abs(v[2]) > 1e-12 {
			t.Errorf("%s: (a, b) %g, (b, a) %g, (a, a) %g", name, v[0], v[1], v[2])
		}
	}
}

func TestWorthRefuses(t *testing.T) {
	task := worthTasks(t)["cube"]
	ok := [][]float64{{0.1, 0.2, 0.3, 0.4}}
	if _, err := Worth(t.Context(), "thompson", task, ok); !errors.Is(err, errNoWorth) {
		t.Errorf("thompson: %v", err)
	}
	if _, err := Worth(t.Context(), "mine", task, ok); err == nil || errors.Is(err, errNoWorth) {
		t.Errorf("mine: %v", err)
	}
	for _, x := range [][]float64{{0.1, 0.2, 0.3}, {0.1, 0.2, 0.3, 1.4}, {math.NaN(), 0, 0, 0}} {
		if _, err := Worth(t.Context(), "eubo", task, [][]float64{x}); err == nil {
			t.Errorf("%v is a question", x)
		}
	}
	if _, err := Worth(t.Context(), "bald", worthTasks(t)["in doubt"], ok); !errors.Is(err, errMixture) {
		t.Errorf("bald in doubt: %v", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, method := range []string{"kg", "eubo"} {
		if _, err := Worth(over, method, task, ok); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after the end: %v", method, err)
		}
	}
}

// TestWorthIsGiven: two ways to the same knowledge gradient.
func TestWorthIsGiven(t *testing.T) {
	for _, name := range []string{"cube", "mixed", "list", "noisy"} {
		task := worthTasks(t)[name]
		given, err := NewGiven(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		dom := task.Domain
		if dom == nil {
			dom = Cube(2)
		}
		x := dom.Points(12, 4)
		for i := 0; i < len(x); i += 4 {
			want, _ := given.At(t.Context(), x[i:i+4], nil)
			got, err := Worth(t.Context(), "kg", task, [][]float64{x[i : i+4]})
			if err != nil {
				t.Fatal(err)
			}
			agree(t, fmt.Sprintf("%s: %.3f", name, x[i:i+4]), got[0], want, 1e-6)
		}
	}
}
