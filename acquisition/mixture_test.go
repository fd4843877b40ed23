package acquisition

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/problem"
)

// testMixture is three posteriors of the same two dozen duels with n outcomes, at hyper-parameters that
// disagree about which coordinate matters, and with their own cuts.
func testMixture(t testing.TB, n int) *gp.Mixture {
	t.Helper()
	a, c := scale(n)
	rng := rand.New(rand.NewPCG(21, 22))
	d := &gp.Duels{Dim: 2}
	for range 24 {
		x, y := []float64{rng.Float64(), rng.Float64()}, []float64{rng.Float64(), rng.Float64()}
		f := func(x []float64) float64 { return 3*math.Sin(4*x[0]) + 2*x[1]*(1.2-x[1]) }
		g := f(x) - f(y) + 0.3*rng.NormFloat64()
		for _, o := range a.Outcomes() {
			if iv := c.Interval(o, 1); g > iv.Lo && g <= iv.Hi {
				if err := d.Add(x, y, o); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	var posts []*gp.Posterior
	for k, ls := range [][]float64{{0.4, 0.7}, {0.25, 1.5}, {1, 0.3}} {
		cuts := append(gp.Cuts(nil), c...)
		for i := range cuts {
			cuts[i] *= 1 + 0.2*float64(k)
		}
		h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: ls, Outputscale: 3 + 2*float64(k)}, Cuts: cuts}
		p, err := gp.Model{Answers: a}.Condition(d, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		posts = append(posts, p)
	}
	return gp.NewMixture(posts, []float64{0.5, 0.3, 0.2})
}

// TestMixtureGradient: the gradient of the mixture's one-shot knowledge gradient against differences; and
// an evaluation does not allocate.
func TestMixtureGradient(t *testing.T) {
	for _, n := range outcomeCounts {
		task := Task{Mixture: testMixture(t, n)}.withDefaults()
		e := task.knowledge().evaluator()
		rng := rand.New(rand.NewPCG(uint64(n), 31))
		x, g := make([]float64, 2*(2+n)), make([]float64, 2*(2+n))
		for i := range x {
			x[i] = rng.Float64()
		}
		agree(t, "value with and without gradient", e.At(x, g), e.At(x, nil), 0)
		for i := range x {
			const h = 1e-5
			at := x[i]
			x[i] = at + h
			up := e.At(x, nil)
			x[i] = at - h
			agree(t, fmt.Sprintf("%d outcomes: ∂/∂x[%d]", n, i), g[i], (up-e.At(x, nil))/(2*h), 1e-8)
			x[i] = at
		}
		if a := testing.AllocsPerRun(10, func() { e.At(x, g) }); a != 0 {
			t.Errorf("%d outcomes: At allocates %g times", n, a)
		}
	}
}

// conditioned returns the probability of an answer to the question (a, b), and the mixture after it, with weights w_k' ∝ w_k Pr_k(o).
func conditioned(x *gp.Mixture, a, b []float64, o gp.Outcome) (prob float64, after *gp.Mixture) {
	posts, weights := make([]*gp.Posterior, x.Len()), make([]float64, x.Len())
	for k := range posts {
		posts[k] = x.Posterior(k).Condition(a, b, o)
		weights[k] = x.Weight(k) * x.Posterior(k).Prob(a, b, o)
		prob += weights[k]
	}
	return prob, gp.NewMixture(posts, weights)
}

// TestMixtureIsBayes: for any fantasy points the value is Σ_o Pr(o)·E[f(x_o) | o], with the mixture
// conditioned by Bayes' rule, posteriors and weights; and the same as a game played out: draw which
// posterior is right, the utility, the answer.
func TestMixtureIsBayes(t *testing.T) {
	samples := 1_000_000
	if testing.Short() {
		samples = 100_000
	}
	for _, n := range outcomeCounts {
		mix := testMixture(t, n)
		task := Task{Mixture: mix}.withDefaults()
		k := task.knowledge()
		rng := rand.New(rand.NewPCG(uint64(n), 32))
		q := 2 + n
		x := make([]float64, 2*q)
		for i := range x {
			x[i] = rng.Float64()
		}
		got := k.evaluator().At(x, nil)
		var want float64
		for i, o := range mix.Answers().Outcomes() {
			prob, after := conditioned(mix, x[:2], x[2:4], o)
			want += prob * after.MeanGradient(gp.NewMoments(1), x[2*(2+i):2*(3+i)], nil)
		}
		agree(t, fmt.Sprintf("%d outcomes: knowledge gradient", n), got, want, 1e-12)

		var mean, root [][]float64
		for i := range mix.Len() {
			m := gp.NewMoments(q)
			mix.Posterior(i).Moments(m, x)
			mean, root = append(mean, m.Mean), append(root, plainCholesky(m.Cov, q))
		}
		z, sum, squares := make([]float64, q), 0.0, 0.0
		for range samples {
			for i := range z {
				z[i] = rng.NormFloat64()
			}
			c := 0
			for u := rng.Float64(); c < mix.Len()-1 && u >= mix.Weight(c); c++ {
				u -= mix.Weight(c)
			}
			f := func(i int) float64 {
				v := mean[c][i]
				for j := range i + 1 {
					v += root[c][i*q+j] * z[j]
				}
				return v
			}
			g := f(0) - f(1) + mix.Noise()*rng.NormFloat64()
			o := 0
			for o < len(k[c].kg.Edges) && g > k[c].kg.Edges[o] {
				o++
			}
			v := f(2 + o)
			sum += v
			squares += v * v
		}
		avg := sum / float64(samples)
		se := math.Sqrt((squares/float64(samples) - avg*avg) / float64(samples))
		t.Logf("%d outcomes: %.5f, Monte Carlo %.5f ± %.5f", n, got, avg, se)
		if math.Abs(got-avg) > 4*se {
			t.Errorf("%d outcomes: %.5f, Monte Carlo %.5f ± %.5f", n, got, avg, se)
		}
	}
}

// TestMixtureOfOne: K times the same posterior is that posterior, in value, gradient, ranking and choice.
func TestMixtureOfOne(t *testing.T) {
	for _, n := range outcomeCounts {
		p := testMixture(t, n).Posterior(0)
		one := Task{Posterior: p, Seed: 4}.withDefaults()
		same := Task{Mixture: gp.NewMixture([]*gp.Posterior{p, p, p, p}, []float64{1, 2, 3, 4}), Seed: 4}.withDefaults()
		peaks := Recommend(t.Context(), nil, p, nil, nil, 1, 1)
		again := Recommend(t.Context(), nil, same.Mixture, nil, nil, 1, 1)
		agree(t, "best mean", again[0].Mean, peaks[0].Mean, 1e-12)

		a, b := one.knowledge(), same.knowledge()
		a.over(peaks[0])
		b.over(peaks[0])
		rng := rand.New(rand.NewPCG(uint64(n), 33))
		x, g, h := make([]float64, 2*(2+n)), make([]float64, 2*(2+n)), make([]float64, 2*(2+n))
		for range 20 {
			for i := range x {
				x[i] = rng.Float64()
			}
			agree(t, "gain", b.evaluator().At(x, h), a.evaluator().At(x, g), 1e-12)
			for i := range g {
				agree(t, "gradient", h[i], g[i], 1e-12)
			}
		}

		plain := newRanking(a[0].kg, newCandidates(one, peaks, nil, nil, nil), newQuadratic(p, newCandidates(one, peaks, nil, nil, nil)))
		mixed := newMixedRanking(b, newCandidates(same, peaks, nil, nil, nil), same.Mixture)
		start, other := make([]float64, len(x)), make([]float64, len(x))
		for i := range plain.c.n {
			for j := range i {
				// The mean's gradient at x̂, which the mixed form counts, is as small as the search made it.
				agree(t, "predicted gain", mixed.score(i, j), plain.score(i, j), 1e-6)
			}
		}
		all, _ := plain.pairs()
		best := all[0]
		plain.start(start, best)
		mixed.start(other, best)
		for i := range start {
			agree(t, "start", other[i], start[i], 1e-5)
		}

		c, err := Ask(t.Context(), "kg", one)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Ask(t.Context(), "kg", same)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, "gain of the choice", d.Value/c.Value, 1, 1e-4)
	}
}

// TestMixtureLaw: information never hurts: with the fantasy points at their best KG is at least the best
// mean of the mixture, whatever the question; asking an option against itself tells nothing, for the
// posteriors agree about such a coin toss — unless their cuts differ, when a tie speaks for a wide one.
func TestMixtureLaw(t *testing.T) {
	for _, n := range outcomeCounts {
		mix := testMixture(t, n)
		task := Task{Mixture: mix}.withDefaults()
		best := Recommend(t.Context(), nil, mix, nil, nil, 1, 1)[0]
		k := task.knowledge()
		k.over(best)
		var fantasy []float64
		for range n {
			fantasy = append(fantasy, best.X...)
		}
		rng := rand.New(rand.NewPCG(uint64(n), 34))
		for range 20 {
			x := []float64{rng.Float64(), rng.Float64(), rng.Float64(), rng.Float64()}
			if v := newNested(k.evaluator(), 2, 2+n, fantasy).At(x, nil); v < -1e-12 {
				t.Errorf("%d outcomes, question %v: KG − max mean = %g", n, x, v)
			}
		}
		x := []float64{0.4, 0.6, 0.4, 0.6}
		v := newNested(k.evaluator(), 2, 2+n, fantasy).At(x, nil)
		if n == 2 && math.Abs(v) > 1e-9 || n > 2 && v < 1e-9 {
			t.Errorf("%d outcomes: an option against itself gains %g", n, v)
		}
	}
}

// TestMixtureAgainstGrid: the search finds at least what the best pair of a grid gains, with the inner
// maximum over the grid too; its x̂ beats the grid; and every start has a gain to climb from.
func TestMixtureAgainstGrid(t *testing.T) {
	for _, n := range outcomeCounts {
		mix := testMixture(t, n)
		task := Task{Mixture: mix, Seed: 6}
		c, err := Ask(t.Context(), "kg", task)
		if err != nil {
			t.Fatal(err)
		}
		task = task.withDefaults()
		k := task.knowledge()
		const side, size = 10, 100
		var grid []float64
		for i := range size {
			grid = append(grid, float64(i%side)/(side-1), float64(i/side)/(side-1))
		}
		var parts []*gp.Moments
		for i := range mix.Len() {
			m := gp.NewMoments(size)
			mix.Posterior(i).Moments(m, grid)
			parts = append(parts, m)
		}
		top := 0.0
		prob, tilt := make([]float64, n), make([]float64, n)
		for i := range size {
			if m := mix.MeanGradient(gp.NewMoments(1), grid[2*i:2*i+2], nil); m > c.Mean+1e-9 {
				t.Errorf("%d outcomes: mean %g on the grid beats the recommended %g", n, m, c.Mean)
			}
			for j := range i {
				after := make([]float64, n*size) // Σ_k w_k E_k[f(x); o]
				for p, m := range parts {
					mean, cov := m.Mean, m.Cov
					s := math.Sqrt(math.Max(0, cov[i*size+i]+cov[j*size+j]-2*cov[i*size+j]) + 1)
					k[p].kg.partition(mean[i]-mean[j], s, prob, tilt)
					for o := range n {
						for x := range size {
							after[o*size+x] += mix.Weight(p) * (prob[o]*mean[x] + tilt[o]/s*(cov[i*size+x]-cov[j*size+x]))
						}
					}
				}
				kg := -c.Mean
				for o := range n {
					kg += slices.Max(after[o*size : (o+1)*size])
				}
				top = math.Max(top, kg)
			}
		}
		t.Logf("%d outcomes: the search gains %.4f, the grid %.4f", n, c.Value, top)
		if c.Value < top-1e-9 {
			t.Errorf("%d outcomes: the search gains %g, the grid %g", n, c.Value, top)
		}

		peaks := Recommend(t.Context(), nil, mix, nil, nil, 1, 1)
		k.over(peaks[0])
		cand := newCandidates(task, peaks, nil, nil, nil)
		rank := k.ranking(cand, mix)
		x := make([]float64, 2*(2+n))
		all, near := rank.pairs()
		for _, pr := range cand.starts(all, near, task.Search.Starts) {
			rank.start(x, pr)
			k.redeem(x, peaks[0].X)
			if v := k.evaluator().At(x, nil); !(v > 0) {
				t.Errorf("%d outcomes: a start predicted to gain %g gains %g", n, pr.score, v)
			}
		}
	}
}

// TestMixtureChoice: the choice lies in the box, is a function of the task, does not depend on the number
// of workers, and survives an ended context; other methods refuse.
func TestMixtureChoice(t *testing.T) {
	mix := testMixture(t, 3)
	task := Task{Mixture: mix, Shown: []float64{0.1, 0.2, 0.8, 0.9}, Seed: 3, Lower: []float64{0.1, 0.1}, Upper: []float64{0.9, 0.8}}
	ask := func(ctx context.Context, workers int) Choice {
		task.Search.Workers = workers
		c, err := Ask(ctx, "kg", task)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range [][]float64{c.A, c.B} {
			for j, v := range x {
				if !(v >= task.Lower[j] && v <= task.Upper[j]) {
					t.Errorf("option %v is outside the box", x)
				}
			}
		}
		return c
	}
	c := ask(t.Context(), 1)
	for _, workers := range []int{1, 8} {
		d := ask(t.Context(), workers)
		if !slices.Equal(c.A, d.A) || !slices.Equal(c.B, d.B) || math.Float64bits(c.Value) != math.Float64bits(d.Value) || !slices.Equal(c.Best, d.Best) {
			t.Errorf("%d workers: %v, %v (%g), before %v, %v (%g)", workers, d.A, d.B, d.Value, c.A, c.B, c.Value)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if d := ask(ctx, 1); !d.Partial {
		t.Error("not marked partial")
	}
	for _, name := range Methods()[1:] {
		if _, err := Ask(t.Context(), name, task); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// BenchmarkMixture is a question of Hartmann-6 after 60 answers: with the maximum a posteriori alone, and
// with several settings of the hyper-parameters, which have to be found first.
func BenchmarkMixture(b *testing.B) {
	const seed, d = 1, 6
	f := freeze(b, "hartmann6", seed, 36)[0]
	r := raterOf(b, "hartmann6")
	duels := &gp.Duels{Dim: d}
	for x := f.task.Shown; len(x) > 0; x = x[2*d:] { // the same answers again
		o := gp.Outcome(-1)
		if r.Answer(x[:d], x[d:2*d], problem.At(seed, uint64(duels.Len()))) {
			o = 1
		}
		if err := duels.Add(x[:d], x[d:2*d], o); err != nil {
			b.Fatal(err)
		}
	}
	ask := func(b *testing.B, t Task) {
		if _, err := Ask(context.Background(), "kg", t); err != nil {
			b.Fatal(err)
		}
	}
	average := func(b *testing.B) *gp.Mixture {
		m, err := gp.Average(context.Background(), duels, gp.Model{})
		if err != nil {
			b.Fatal(err)
		}
		return m
	}
	b.Run("single", func(b *testing.B) {
		for b.Loop() {
			ask(b, f.task)
		}
	})
	b.Run("average", func(b *testing.B) {
		for b.Loop() {
			average(b)
		}
	})
	b.Run("mixture", func(b *testing.B) {
		mixed := f.task
		mixed.Mixture = average(b)
		for b.Loop() {
			ask(b, mixed)
		}
	})
}

// TestKnowledgeNeverNegative: while questions keep off the corner in which x̂ lies, as they do at first with a taste in which
// more is better, one still gains something. Starts used to be redeemed before they were clipped to the bounds, and lost
// all gain there: some of these questions had values of −0.06, and were any pair.
func TestKnowledgeNeverNegative(t *testing.T) {
	const d = 4
	lower, upper := slices.Repeat([]float64{0.08}, d), slices.Repeat([]float64{0.92}, d)
	models := []gp.Model{{Outputscale: gp.Gamma(2, 0.6), Trend: gp.Gamma(2, 0.15)}, {Outputscale: gp.Gamma(2, 6), Trend: gp.Gamma(2, 1.2), Effects: gp.Lines}}
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 71))
		duels, shown := &gp.Duels{Dim: d}, []float64(nil)
		answer := func(a, b []float64) {
			var rise float64
			for j := range d {
				rise += []float64{-4, 3, 1, 0.5}[j] * (a[j] - b[j])
			}
			o := gp.Outcome(1)
			if rise+rng.NormFloat64() < 0 {
				o = -1
			}
			if err := duels.Add(a, b, o); err != nil {
				t.Fatal(err)
			}
			shown = append(append(shown, a...), b...)
		}
		for range 2 {
			x := make([]float64, 2*d)
			for j := range x {
				x[j] = rng.Float64()
			}
			answer(x[:d], x[d:])
		}
		for k := range 3 * d {
			var posts []*gp.Posterior
			var weights []float64
			for i, m := range models {
				p, err := m.Fit(t.Context(), duels, nil)
				if err != nil {
					t.Fatal(err)
				}
				posts, weights = append(posts, p), append(weights, []float64{1, 0.25}[i]*math.Exp(p.Evidence()))
			}
			c, err := Ask(t.Context(), "kg", Task{Mixture: gp.NewMixture(posts, weights), Shown: shown, Lower: lower, Upper: upper, Seed: seed<<8 + uint64(k)})
			if err != nil {
				t.Fatal(err)
			}
			if c.Value < -1e-12 {
				t.Errorf("seed %d, question %d: %.2f or %.2f has value %g, and x̂ is %.2f", seed, k, c.A, c.B, c.Value, c.Best)
			}
			answer(c.A, c.B)
		}
	}
}
