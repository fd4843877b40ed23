package acquisition

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestDomains: every method on every domain asks two different options of it, the same again with any
// number of workers.
func TestDomains(t *testing.T) {
	t.Parallel()
	methods := Methods()
	if testing.Short() {
		methods = []string{"kg", "thompson"}
	}
	for _, c := range domainCases(t) {
		for _, name := range methods {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				task := Task{Posterior: c.post, Domain: c.dom, Shown: c.dom.Points(6, 1), Seed: 3, Count: 7, Search: hasty}
				ask := func(workers int) Choice {
					task.Search.Workers = workers
					q, err := Ask(t.Context(), name, task)
					if err != nil {
						t.Fatal(err)
					}
					return q
				}
				q := ask(1)
				for _, x := range append([][]float64{q.A, q.B, q.Best}, q.Fantasy...) {
					if !c.dom.Contains(x) {
						t.Errorf("%v is no option", x)
					}
				}
				if slices.Equal(q.A, q.B) {
					t.Errorf("asks %v against itself", q.A)
				}
				if got := c.post.Mean(q.Best); math.Abs(got-q.Mean) > 1e-9 {
					t.Errorf("mean of the best is %g, said to be %g", got, q.Mean)
				}
				if q.Partial {
					t.Error("marked partial")
				}
				again := ask(8)
				if !slices.Equal(q.A, again.A) || !slices.Equal(q.B, again.B) || math.Float64bits(q.Value) != math.Float64bits(again.Value) {
					t.Errorf("%v, %v (%g) with one worker, %v, %v (%g) with eight", q.A, q.B, q.Value, again.A, again.B, again.Value)
				}
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				cut, err := Ask(ctx, name, task)
				if err != nil || !c.dom.Contains(cut.A) || !c.dom.Contains(cut.B) || slices.Equal(cut.A, cut.B) {
					t.Errorf("cut short: %v against %v, %v", cut.A, cut.B, err)
				}
				if !cut.Partial && name != "random" {
					t.Error("cut short: not marked partial")
				}
			})
		}
	}
}

// TestDomainValue: the value of a knowledge gradient question is that of the formula at its points, and no
// option found by other means is better than a fantasy point.
func TestDomainValue(t *testing.T) {
	for _, c := range domainCases(t) {
		t.Run(c.name, func(t *testing.T) {
			q, err := Ask(t.Context(), "kg", Task{Posterior: c.post, Domain: c.dom, Seed: 4})
			if err != nil {
				t.Fatal(err)
			}
			kg := NewKG(c.post.Answers(), c.post.Hyper().Cuts, c.post.Noise())
			kg.Base = q.Mean
			e := NewEvaluator(c.post, kg)
			x := slices.Concat(q.A, q.B, q.Fantasy[0], q.Fantasy[1])
			agree(t, "value", q.Value, e.At(x, nil), 1e-12)
			if !(q.Value > 0) {
				t.Errorf("a question worth %g", q.Value)
			}
			d := c.post.Dim()
			rng := rand.New(rand.NewPCG(8, 8))
			tries := slices.Concat(c.dom.Points(3000, 9), c.dom.Around(c.post, q.Best, 200, rng),
				c.dom.Around(c.post, q.A, 200, rng), c.dom.Around(c.post, q.B, 200, rng))
			m := gp.NewMoments(1)
			for i := 0; i < len(tries); i += d {
				y := tries[i : i+d]
				if v := c.post.MeanGradient(m, y, nil); v > q.Mean+1e-9 {
					t.Errorf("%v has mean %g, the best %g", y, v, q.Mean)
				}
				for o := range q.Fantasy {
					z := clone(x)
					copy(z[(2+o)*d:], y)
					if v := e.At(z, nil); v > q.Value*(1+1e-6)+1e-12 {
						t.Errorf("with %v after outcome %d the question is worth %g, not %g", y, o, v, q.Value)
					}
				}
			}
		})
	}
}

// TestHoldAllowedAccept: conditions of one question are kept by every method on every domain and on the
// plain cube.
func TestHoldAllowedAccept(t *testing.T) {
	t.Parallel()
	cases := append(domainCases(t), domainCase{name: "plain", post: testPosterior(t)})
	for _, c := range cases {
		dom := c.dom
		if dom == nil {
			dom = Cube(2)
		}
		for k, name := range Methods() {
			if i := slices.IndexFunc(cases, func(o domainCase) bool { return o.name == c.name }); name != "kg" && (i+k)%3 > 0 || testing.Short() && name != "kg" {
				continue // every method and every domain, not all of their pairs
			}
			t.Run(c.name+"/"+name, func(t *testing.T) {
				d := c.post.Dim()
				pts := dom.Points(12, 5)
				middle := median(pts, d)
				allowed := func(x []float64) bool { return x[d-1] >= middle }
				ask := func(task Task) Choice {
					task.Posterior, task.Domain, task.Seed, task.Search = c.post, c.dom, 6, hasty
					q, err := Ask(t.Context(), name, task)
					if err != nil {
						t.Fatal(err)
					}
					if !dom.Contains(q.A) || !dom.Contains(q.B) || slices.Equal(q.A, q.B) {
						t.Errorf("%v against %v", q.A, q.B)
					}
					return q
				}
				q := ask(Task{Allowed: allowed})
				if !allowed(q.A) || !allowed(q.B) {
					t.Errorf("%v against %v, of which one is not allowed", q.A, q.B)
				}
				hold := pts[:d]
				q = ask(Task{Hold: hold, Allowed: func(x []float64) bool { return allowed(x) && !slices.Equal(x, hold) }})
				if !slices.Equal(q.A, hold) || !allowed(q.B) {
					t.Errorf("held %v, asks %v against %v", hold, q.A, q.B)
				}
				q = ask(Task{})
				refuse := func(a, b []float64) bool {
					return !closeTo(a, q.A, 1e-3) && !closeTo(b, q.A, 1e-3)
				}
				if c.dom == nil {
					return // the cube without conditions has its own test
				}
				if r := ask(Task{Accept: refuse}); !refuse(r.A, r.B) && name != "random" && name != "thompson" {
					t.Errorf("asks %v against %v although %v is refused", r.A, r.B, q.A)
				}
			})
		}
	}
}

// median returns the middle of the last coordinates.
func median(rows []float64, d int) float64 {
	var last []float64
	for i := d - 1; i < len(rows); i += d {
		last = append(last, rows[i])
	}
	slices.Sort(last)
	return last[len(last)/2]
}

// TestRater: a rater's noise multiplies that of the look-ahead, and only that.
func TestRater(t *testing.T) {
	p := testPosterior(t)
	for _, name := range []string{"kg", "bald", "eubo"} {
		for _, dom := range []*Domain{nil, features(60, 2, 1)} {
			a, err := Ask(t.Context(), name, Task{Posterior: p, Domain: dom, Seed: 2, Rater: 3})
			if err != nil {
				t.Fatal(err)
			}
			b, err := Ask(t.Context(), name, Task{Posterior: p, Domain: dom, Seed: 2, Noise: 3 * p.Noise()})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(a.A, b.A) || a.Value != b.Value {
				t.Errorf("%s: rater 3 gives %v (%g), noise 3 %v (%g)", name, a.A, a.Value, b.A, b.Value)
			}
		}
	}
	if _, err := Ask(t.Context(), "kg", Task{Posterior: p, Rater: -1}); err == nil {
		t.Error("a negative noise: no error")
	}
}

// TestMixtureDomains: the knowledge gradient of a mixture on domains; on a list it is the best of all
// pairs by the evaluator with the inner maxima over all rows.
func TestMixtureDomains(t *testing.T) {
	x := testMixture(t, 3)
	dom := features(25, 2, 8)
	q, err := Ask(t.Context(), "kg", Task{Mixture: x, Domain: dom})
	if err != nil {
		t.Fatal(err)
	}
	task := Task{Mixture: x}.withDefaults()
	kg := task.knowledge()
	kg.over(Peak{q.Best, q.Mean})
	e := kg.evaluator()
	row := func(i int) []float64 { return dom.List[2*i : 2*i+2] }
	top := math.Inf(-1)
	for i := range 25 {
		for j := range i {
			z := slices.Concat(row(i), row(j), q.Best, q.Best, q.Best)
			for o := range 3 { // outcomes do not disturb each other's maxima
				best, at := math.Inf(-1), 0
				for k := range 25 {
					copy(z[(2+o)*2:], row(k))
					if v := e.At(z, nil); v > best {
						best, at = v, k
					}
				}
				copy(z[(2+o)*2:], row(at))
			}
			top = math.Max(top, e.At(z, nil))
		}
	}
	agree(t, "gain", q.Value, top, 1e-9)
	for _, dom := range []*Domain{features(400, 2, 8), {Parts: []Part{{At: 0, Width: 1}, {At: 1, Width: 1, Levels: levels(4), Ordered: true}},
		Feasible: func(x []float64) bool { return x[0] < 0.9-0.5*x[1] }}} {
		q, err := Ask(t.Context(), "kg", Task{Mixture: x, Domain: dom, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !dom.Contains(q.A) || !dom.Contains(q.B) || !dom.Contains(q.Best) || !(q.Value > 0) {
			t.Errorf("%v against %v, worth %g", q.A, q.B, q.Value)
		}
	}
}

// TestIdentityList: what is asked of items without features is exact, and new items change with the seed.
func TestIdentityList(t *testing.T) {
	dom := identities(400)
	news := map[float64]bool{}
	for _, n := range []int{1, 30} {
		p := posteriorOn(t, dom, []float64{0.005}, n, 0, 3)
		want, _, _ := bestOfAll(p, dom.List)
		for seed := range uint64(6) {
			q, err := Ask(t.Context(), "kg", Task{Posterior: p, Domain: dom, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(q.Value-want) > 1e-9 {
				t.Errorf("%d duels: gain %g, the best of all pairs has %g", n, q.Value, want)
			}
			for _, x := range [][]float64{q.A, q.B} {
				if p.Variance(x) > 6-1e-9 {
					news[x[0]] = true
				}
			}
		}
	}
	if len(news) < 4 {
		t.Errorf("new items asked about: %v; want them to vary with the seed", news)
	}
}
