package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// bestOfAll returns the best gain of all questions about rows of a list by KG.Discrete on Moments: another
// way to the same number.
func bestOfAll(p *gp.Posterior, rows []float64) (gain float64, i, j int) {
	d := p.Dim()
	n := len(rows) / d
	m := gp.NewMoments(n)
	p.Moments(m, rows)
	kg := NewKG(p.Answers(), p.Hyper().Cuts, p.Noise())
	kg.Base = slices.Max(m.Mean)
	gain = math.Inf(-1)
	for a := range n {
		for b := range a {
			if v := kg.Discrete(m.Mean, m.Cov, a, b, nil); v > gain {
				gain, i, j = v, a, b
			}
		}
	}
	return gain, i, j
}

// TestShortList: up to listAll rows the search is exhaustive.
func TestShortList(t *testing.T) {
	for seed := range uint64(6) {
		dom := features(50+30*int(seed), 2+int(seed)%4, seed)
		p := posteriorOn(t, dom, fill(dom.Dim, 0.5), 10+8*int(seed), 0, seed)
		want, _, _ := bestOfAll(p, dom.List)
		c, err := Ask(t.Context(), "kg", Task{Posterior: p, Domain: dom, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(c.Value-want) > 1e-9*(1+math.Abs(c.Mean)) {
			t.Errorf("%d rows: gain %g, the best is %g", len(dom.List)/dom.Dim, c.Value, want)
		}
	}
}

// TestFiniteDomain: a finite domain of parts is searched as the list it is.
func TestFiniteDomain(t *testing.T) {
	dom := &Domain{Parts: []Part{
		{At: 0, Width: 3, Levels: choices(3)}, {At: 3, Width: 1, Levels: levels(7), Ordered: true},
		{At: 4, Width: 2, Levels: choices(2)}, {At: 6, Width: 1, Levels: levels(5), Ordered: true}},
		Feasible: func(x []float64) bool { return x[3]+x[6] < 1.3 || x[0] == 1 }}
	rows, ok := dom.enumerate()
	if !ok || len(rows)/7 >= 210 || len(rows)/7 < 150 {
		t.Fatalf("%d options", len(rows)/7)
	}
	for seed := range uint64(3) {
		p := posteriorOn(t, dom, fill(7, 0.8), 25, 0, seed)
		want, _, _ := bestOfAll(p, rows)
		c, err := Ask(t.Context(), "kg", Task{Posterior: p, Domain: dom, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if c.Value < 0.999*want || c.Value > want*(1+1e-6)+1e-12 {
			t.Errorf("gain %g, the best is %g", c.Value, want)
		}
	}
}

// TestLongList: beyond listAll rows the search finds nearly all of the best gain there is.
func TestLongList(t *testing.T) {
	t.Parallel()
	worst, sum, count := 1.0, 0.0, 0
	lengths, seeds := []int{150, listAll + 1, 400}, uint64(5)
	if testing.Short() {
		lengths, seeds = lengths[1:2], 1
	}
	for _, n := range lengths {
		for seed := range seeds {
			d := 1 + int(seed)%5
			dom := features(n, d, 100+seed)
			asked := 8 * int(seed%3)
			p := posteriorOn(t, dom, fill(d, 0.25+0.1*float64(d)), 12, asked, 7*seed+uint64(n))
			want, _, _ := bestOfAll(p, dom.List)
			c, err := Ask(t.Context(), "kg", Task{Posterior: p, Domain: dom, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			f := 1.0
			if want > 1e-8 { // else no single answer can change anything
				f = c.Value / want
			}
			t.Logf("%d rows of %d, %d duels: gain %.3e, %.4f of the best", n, d, 12+asked, c.Value, f)
			worst, sum, count = math.Min(worst, f), sum+f, count+1
		}
	}
	t.Logf("worst %.4f, mean %.4f of %d", worst, sum/float64(count), count)
	if count == 0 || worst < 0.98 {
		t.Errorf("the search found %.4f of the best gain in the worst case, want at least 0.98", worst)
	}
}

// TestVeryLongList: twice the rows, and fewer of them candidates.
func TestVeryLongList(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("three brute-force searches; the full suite runs it")
	}
	worst, count := 1.0, 0
	for seed := range uint64(3) {
		d := 2 + int(seed)
		dom := features(500, d, 200+seed)
		p := posteriorOn(t, dom, fill(d, 0.3+0.1*float64(d)), 10, 9*int(seed%3), seed)
		want, _, _ := bestOfAll(p, dom.List)
		c, err := Ask(t.Context(), "kg", Task{Posterior: p, Domain: dom, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d features: gain %.3e, %.4f of the best", d, c.Value, c.Value/want)
		if want > 1e-8 {
			worst, count = math.Min(worst, c.Value/want), count+1
		}
	}
	if count == 0 || worst < 0.95 {
		t.Errorf("worst fraction %.4f, want at least 0.95", worst)
	}
}

// TestRootOfCopies: LLᵀ = C, also if a point is there twice.
func TestRootOfCopies(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 6
	a, c := make([]float64, n*n), make([]float64, n*n)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	copy(a[3*n:4*n], a[n:2*n])
	for i := range n {
		for j := range n {
			for k := range n {
				c[i*n+j] += a[i*n+k] * a[j*n+k]
			}
		}
	}
	l := make([]float64, n*n)
	if root(l, c, n, drawRank) {
		t.Error("no point of two that are the same is determined")
	}
	for i := range n {
		for j := range n {
			var s float64
			for k := range n {
				s += l[i*n+k] * l[j*n+k]
			}
			if math.Abs(s-c[i*n+j]) > 1e-9 {
				t.Errorf("entry %d, %d is %g, want %g", i, j, s, c[i*n+j])
			}
		}
	}
}

// TestTopRows: the highest scores in order, ties by place, NaN never.
func TestTopRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		s := make([]float64, rng.IntN(40))
		var want []int
		for i := range s {
			if s[i] = float64(rng.IntN(12)); s[i] == 0 {
				s[i] = math.NaN()
				continue
			}
			want = append(want, i)
		}
		slices.SortStableFunc(want, func(a, b int) int { return int(s[b] - s[a]) })
		n := rng.IntN(12)
		if got := topRows(s, n); !slices.Equal(got, want[:min(n, len(want))]) {
			t.Fatalf("top %d of %v: %v, want %v", n, s, got, want)
		}
	}
}

// BenchmarkAskList is a knowledge gradient question on a list of N items with six features after n duels.
func BenchmarkAskList(b *testing.B) {
	for _, n := range []int{30, 100, 300} {
		for _, rows := range []int{1e3, 1e4, 1e5} {
			dom := features(rows, 6, 9)
			p := posteriorOn(b, dom, fill(6, 0.8), n, 0, 5)
			b.Run(fmt.Sprintf("N=%d/n=%d", rows, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := Ask(b.Context(), "kg", Task{Posterior: p, Domain: dom, Seed: 1}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	for _, rows := range []int{1e3, 1e5} {
		dom := identities(rows)
		p := posteriorOn(b, dom, []float64{0.005}, 100, 0, 5)
		b.Run(fmt.Sprintf("identity/N=%d/n=100", rows), func(b *testing.B) {
			for b.Loop() {
				if _, err := Ask(b.Context(), "kg", Task{Posterior: p, Domain: dom, Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestListTies: where no pair gains anything, by one answer or by several, because x̂ may not be asked about, the pair is asked whose options are most
// probably better than x̂, and not the first of the list.
func TestListTies(t *testing.T) {
	rows := []float64{0, 0.2, 0.4, 0.6, 0.8, 1}
	duels := &gp.Duels{Dim: 1}
	for i, losses := range []int{9, 9, 9, 4, 9, 3} { // against row 1, x̂
		for range losses {
			if i != 1 {
				duels.A, duels.B, duels.Outcome = append(duels.A, rows[1]), append(duels.B, rows[i]), append(duels.Outcome, 1)
			}
		}
	}
	p, err := gp.Model{}.Condition(duels, gp.Hyper{Kernel: gp.Kernel{Lengthscale: []float64{1e-3}, Outputscale: 1}, Cuts: gp.Cuts{0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Ask(t.Context(), "kg", Task{Posterior: p, Domain: &Domain{List: rows, Dim: 1}, Allowed: func(x []float64) bool { return x[0] != rows[1] }})
	if err != nil {
		t.Fatal(err)
	}
	if c.Best[0] != rows[1] || c.Value > 1e-9 {
		t.Fatalf("x̂ is %v and the gain %g, want %g and none", c.Best, c.Value, rows[1])
	}
	if got := []float64{c.A[0], c.B[0]}; slices.Min(got) != 0.6 || slices.Max(got) != 1 {
		t.Errorf("%v is asked, want the two that lost least often, 0.6 and 1", got)
	}
}
