package acquisition

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// domainCase is a domain with a posterior on it.
type domainCase struct {
	name string
	dom  *Domain
	post *gp.Posterior
}

// levels returns count evenly spaced levels of one coordinate.
func levels(count int) []float64 {
	out := make([]float64, count)
	for i := range out {
		out[i] = float64(i) / float64(count-1)
	}
	return out
}

// choices returns the one-hot levels of count categories.
func choices(count int) []float64 {
	out := make([]float64, count*count)
	for i := range count {
		out[i*count+i] = 1
	}
	return out
}

// smooth returns a utility of d coordinates, another for every seed.
func smooth(d int, seed uint64) func(x []float64) float64 {
	rng := rand.New(rand.NewPCG(seed, 0x90))
	w := make([]float64, 3*d)
	for i := range w {
		w[i] = rng.NormFloat64()
	}
	return func(x []float64) float64 {
		var s float64
		for j, v := range x {
			s += w[j]*math.Sin(3*v+w[d+j]) - math.Abs(w[2*d+j])*(v-0.6)*(v-0.6)
		}
		return s
	}
}

// posteriorOn conditions on n random duels of options of a domain, and on asked further ones that a hasty
// knowledge gradient chose, all answered by a smooth utility with some noise.
func posteriorOn(t testing.TB, dom *Domain, ls []float64, n, asked int, seed uint64) *gp.Posterior {
	t.Helper()
	return posteriorsOn(t, dom, ls, n, []int{asked}, seed)[0]
}

// posteriorsOn are the posteriors of one such study after several numbers of chosen duels.
func posteriorsOn(t testing.TB, dom *Domain, ls []float64, n int, asked []int, seed uint64) []*gp.Posterior {
	t.Helper()
	d := len(ls)
	f := smooth(d, seed)
	rng := rand.New(rand.NewPCG(seed, 0x91))
	ds := &gp.Duels{Dim: d}
	var shown []float64
	tell := func(a, b []float64) {
		o := gp.Outcome(-1)
		if f(a)-f(b)+0.2*rng.NormFloat64() > 0 {
			o = 1
		}
		if err := ds.Add(a, b, o); err != nil {
			t.Fatal(err)
		}
		shown = append(append(shown, a...), b...)
	}
	h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: ls, Outputscale: 6}, Cuts: gp.Cuts{0}}
	pool := dom.Points(2*n, seed)
	row := func() []float64 { i := rng.IntN(len(pool) / d); return pool[i*d : (i+1)*d] }
	for ds.Len() < n {
		if a, b := row(), row(); !slices.Equal(a, b) {
			tell(a, b)
		}
	}
	var out []*gp.Posterior
	for q := 0; ; q++ {
		p, err := gp.Model{}.Condition(ds, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		if q == asked[len(out)] {
			if out = append(out, p); len(out) == len(asked) {
				return out
			}
		}
		c, err := Ask(t.Context(), "kg", Task{Posterior: p, Domain: dom, Shown: shown, Seed: uint64(q), Search: hasty})
		if err != nil {
			t.Fatal(err)
		}
		tell(c.A, c.B)
	}
}

// hasty is the effort of searches whose result is not what a test is about.
var hasty = Search{Candidates: 16, Starts: 4, Finalists: 1, Evals: 60}

func fill(d int, v float64) []float64 {
	out := make([]float64, d)
	for i := range out {
		out[i] = v
	}
	return out
}

// smallMixed has two continuous parameters, three choices and an ordered parameter of four levels.
func smallMixed() *Domain {
	return &Domain{Parts: []Part{
		{At: 0, Width: 1},
		{At: 1, Width: 3, Levels: choices(3)},
		{At: 4, Width: 1, Levels: levels(4), Ordered: true},
		{At: 5, Width: 1},
	}}
}

// circular has an amount, a circle, and a circle of seven levels.
func circular() *Domain {
	var seven []float64
	for i := range 7 {
		x, y := Circle(float64(i) / 7)
		seven = append(seven, x, y)
	}
	return &Domain{Parts: []Part{
		{At: 0, Width: 1},
		{At: 1, Width: 2, Circular: true},
		{At: 3, Width: 2, Levels: seven, Ordered: true, Circular: true},
	}}
}

// largeMixed has 6·6·5·20·8 combinations of levels and one continuous parameter.
func largeMixed() *Domain {
	return &Domain{Parts: []Part{
		{At: 0, Width: 6, Levels: choices(6)},
		{At: 6, Width: 6, Levels: choices(6)},
		{At: 12, Width: 1, Levels: levels(5), Ordered: true},
		{At: 13, Width: 1, Levels: levels(20), Ordered: true},
		{At: 14, Width: 1, Levels: levels(8), Ordered: true},
		{At: 15, Width: 1},
	}}
}

// features returns n random rows of d numbers.
func features(n, d int, seed uint64) *Domain {
	rng := rand.New(rand.NewPCG(seed, 0xfea7))
	dom := &Domain{Dim: d, List: make([]float64, n*d)}
	for i := range dom.List {
		dom.List[i] = rng.Float64()
	}
	return dom
}

// identities returns n rows of one whole number each.
func identities(n int) *Domain {
	dom := &Domain{Dim: 1, List: make([]float64, n)}
	for i := range dom.List {
		dom.List[i] = float64(i)
	}
	return dom
}

// domainCases are domains of every kind, made once.
func domainCases(t testing.TB) []domainCase {
	t.Helper()
	made.Do(func() { made.cases = makeDomainCases(t) })
	return slices.Clone(made.cases)
}

var made struct {
	sync.Once
	cases []domainCase
}

func makeDomainCases(t testing.TB) []domainCase {
	cases := []domainCase{
		{name: "cube", dom: Cube(2)},
		{name: "mixed small", dom: smallMixed()},
		{name: "mixed large", dom: largeMixed()},
		{name: "finite", dom: &Domain{Parts: []Part{{At: 0, Width: 3, Levels: choices(3)}, {At: 3, Width: 1, Levels: levels(9), Ordered: true}}}},
		{name: "constrained", dom: &Domain{Parts: Cube(3).Parts, Feasible: func(x []float64) bool { return x[0]+x[1] <= 1 && x[2] >= 0.3*x[0] }}},
		{name: "constrained mixed", dom: &Domain{Parts: smallMixed().Parts, Feasible: func(x []float64) bool { return x[0]+x[4] <= 1.2 && (x[1] == 0 || x[5] < 0.7) }}},
		{name: "circle", dom: &Domain{Parts: []Part{{At: 0, Width: 2, Circular: true}}}},
		{name: "circles", dom: circular()},
		{name: "constrained circles", dom: &Domain{Parts: circular().Parts, Feasible: func(x []float64) bool {
			u := CirclePosition(x[1], x[2])
			return (u < 0.3 || u > 0.8) && x[0] <= 0.9-0.5*x[1]
		}}},
		{name: "list", dom: features(700, 4, 3)},
		{name: "short list", dom: features(40, 3, 4)},
		{name: "identity", dom: identities(5000)},
	}
	for i := range cases {
		c := &cases[i]
		ls := fill(c.dom.coordinates(), 0.6)
		if c.name == "identity" {
			ls[0] = 0.005
		}
		if c.name == "mixed large" || c.name == "mixed small" {
			ls = fill(c.dom.coordinates(), 1.1)
		}
		c.post = posteriorOn(t, c.dom, ls, 18, 0, uint64(20+i))
	}
	return cases
}

// TestNoQuestion: a domain without two options is an error that says so.
func TestNoQuestion(t *testing.T) {
	p := testPosterior(t)
	for name, c := range map[string]struct {
		task Task
		want string
	}{
		"empty set":     {Task{Domain: &Domain{Parts: Cube(2).Parts, Feasible: func([]float64) bool { return false }}}, "looks empty"},
		"empty list":    {Task{Domain: &Domain{Dim: 2, List: []float64{}}}, "looks empty"},
		"one row":       {Task{Domain: &Domain{Dim: 2, List: []float64{0.1, 0.2}}}, "one option only"},
		"copies":        {Task{Domain: &Domain{Dim: 2, List: []float64{0.1, 0.2, 0.1, 0.2, 0.1, 0.2}}}, "one option only"},
		"one level":     {Task{Domain: &Domain{Parts: []Part{{At: 0, Width: 2, Levels: []float64{0.5, 0.5}}}}}, "one option only"},
		"not allowed":   {Task{Domain: features(9, 2, 1), Allowed: func([]float64) bool { return false }}, "Allowed"},
		"not allowed 2": {Task{Allowed: func([]float64) bool { return false }}, "Allowed"},
		"held outside":  {Task{Domain: features(9, 2, 1), Hold: []float64{0.5, 0.5}}, "Hold"},
		"held short":    {Task{Hold: []float64{0.5}}, "Hold"},
		"ragged list":   {Task{Domain: &Domain{Dim: 2, List: make([]float64, 5)}}, "whole rows"},
		"wrong width":   {Task{Domain: Cube(3)}, "3 coordinates"},
		"gap":           {Task{Domain: &Domain{Parts: []Part{{At: 1, Width: 1}}}}, "begin at 0"},
		"no levels":     {Task{Domain: &Domain{Parts: []Part{{At: 0, Width: 2, Levels: []float64{}}}}}, "levels"},
		"broken level":  {Task{Domain: &Domain{Parts: []Part{{At: 0, Width: 2, Levels: []float64{0, math.NaN()}}}}}, "finite"},
		"wide":          {Task{Domain: &Domain{Parts: []Part{{At: 0, Width: 2}}}}, "continuous"},
	} {
		for _, method := range Methods() {
			c.task.Posterior = p
			_, err := Ask(t.Context(), method, c.task)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: error %v, want one with %q", name, method, err, c.want)
			}
		}
	}
	if peaks := Recommend(t.Context(), &Domain{Parts: Cube(2).Parts, Feasible: func([]float64) bool { return false }}, p, nil, nil, 1, 1); peaks != nil {
		t.Errorf("peaks %v of an empty set", peaks)
	}
}

// TestPoints: points are options, evenly shared among levels, different where the domain is finite, and the
// same again.
func TestPoints(t *testing.T) {
	for _, c := range domainCases(t) {
		d := c.post.Dim()
		x := c.dom.Points(64, 3)
		if !slices.Equal(x, c.dom.Points(64, 3)) {
			t.Errorf("%s: not the same again", c.name)
		}
		if len(x) == 0 {
			t.Errorf("%s: no points", c.name)
		}
		seen := map[string]bool{}
		for i := 0; i < len(x); i += d {
			if !c.dom.Contains(x[i : i+d]) {
				t.Errorf("%s: %v is no option", c.name, x[i:i+d])
			}
			seen[key(x[i:i+d])] = true
		}
		if len(seen) != len(x)/d {
			t.Errorf("%s: %d different points of %d", c.name, len(seen), len(x)/d)
		}
		if c.name == "finite" && len(seen) != 27 {
			t.Errorf("%d of 27 options", len(seen))
		}
		if c.name == "mixed small" {
			var share [3]float64
			for i := 0; i < len(x); i += d {
				for k := range share {
					share[k] += x[i+1+k]
				}
			}
			for k, v := range share {
				if v < 18 || v > 25 {
					t.Errorf("choice %d has %g of 64 points", k, v)
				}
			}
		}
		near := c.dom.Around(c.post, x[:d], 20, rand.New(rand.NewPCG(1, 1)))
		if len(near) == 0 {
			t.Errorf("%s: no neighbours", c.name)
		}
		for i := 0; i < len(near); i += d {
			if y := near[i : i+d]; !c.dom.Contains(y) || slices.Equal(y, x[:d]) {
				t.Errorf("%s: %v is no neighbour of %v", c.name, y, x[:d])
			}
		}
	}
}
