package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func drawsOrFatal(t testing.TB, m Model, ds *Duels, count int, seed uint64) []*Posterior {
	t.Helper()
	draws, err := m.Draws(context.Background(), ds, nil, count, seed)
	if err != nil {
		t.Fatal(err)
	}
	return draws
}

// TestDrawsFollowThePrior: without duels the draws are draws of the prior, whose logs have known moments:
// ψ(a) − log b and ψ'(a) for Gamma(a, b). Digamma and trigamma at 2 and 3 are the constants −γ, π²/6 and
// their recurrences.
func TestDrawsFollowThePrior(t *testing.T) {
	const gamma = 0.57721566490153286
	m := Model{Answers: Answers{Ties: true}}
	basel := math.Pi * math.Pi / 6
	mean := []float64{1.5 - gamma - math.Log(6), 1.5 - gamma - math.Log(6), 1 - gamma - math.Log(0.15), math.Log(0.3)}
	variance := []float64{basel - 1.25, basel - 1.25, basel - 1, 0.49}
	const batches, size = 100, 200
	sums, squares := make([][]float64, 4), make([][]float64, 4) // batch means of the value and its squared deviation
	for b := range batches {
		draws := drawsOrFatal(t, m, &Duels{Dim: 2}, size, uint64(b))
		for i := range mean {
			var s, q float64
			for _, p := range draws {
				v := m.theta(p.Hyper())[i]
				s += v / size
				q += (v - mean[i]) * (v - mean[i]) / size
			}
			sums[i], squares[i] = append(sums[i], s), append(squares[i], q)
		}
	}
	check := func(what string, batch []float64, want float64) {
		t.Helper()
		var m, v float64
		for _, b := range batch {
			m += b / batches
			v += b * b / batches
		}
		se := math.Sqrt((v - m*m) / (batches - 1))
		t.Logf("%s %.4f ± %.4f, exact %.4f", what, m, se, want)
		if math.Abs(m-want) > 4*se || se > 0.02 {
			t.Errorf("%s = %.4f ± %.4f, want %.4f", what, m, se, want)
		}
	}
	for i := range mean {
		check("mean", sums[i], mean[i])
		check("variance", squares[i], variance[i])
	}
}

// TestDrawsAgainstQuadrature: in one dimension lengthscale and outputscale can be integrated out on a
// grid. The four draws of many short chains have the moments found there, the first draw included.
func TestDrawsAgainstQuadrature(t *testing.T) {
	m := Model{}.WithDefaults()
	ds := randomDuels(rand.New(rand.NewPCG(3, 3)), 12, 1, Answers{}, Cuts{0})
	var mass float64
	var mean, second [2]float64
	for i := range 61 {
		for j := range 61 {
			theta := []float64{-4.5 + 7*float64(i)/60, -3 + 9*float64(j)/60}
			h := m.fromTheta(theta, 1)
			p, err := m.Condition(ds, h, nil)
			if err != nil {
				t.Fatal(err)
			}
			w := math.Exp(p.Evidence() + p.LogPrior() + theta[0] + theta[1])
			mass += w
			for k, v := range theta {
				mean[k] += w * v
				second[k] += w * v * v
			}
		}
	}
	from, err := m.Fit(t.Context(), ds, nil)
	if err != nil {
		t.Fatal(err)
	}
	const chains, count = 400, 4
	var sum, square [count][2]float64
	for c := range chains {
		draws, err := m.Draws(t.Context(), ds, from, count, uint64(c))
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range draws {
			for k, v := range m.theta(p.Hyper()) {
				z := (v - mean[k]/mass) / math.Sqrt(second[k]/mass-mean[k]*mean[k]/mass/mass)
				sum[i][k] += z / chains
				square[i][k] += z * z / chains
			}
		}
	}
	for i := range count {
		for k := range 2 {
			sd := math.Sqrt(square[i][k] - sum[i][k]*sum[i][k])
			t.Logf("draw %d, θ[%d]: bias %.3f, sd ratio %.3f", i, k, sum[i][k], sd)
			if math.Abs(sum[i][k]) > 0.2 || math.Abs(sd-1) > 0.2 { // 4 standard errors, 1/√400 and about as much
				t.Errorf("draw %d, θ[%d]: bias %.3f standard deviations, sd ratio %.3f", i, k, sum[i][k], sd)
			}
		}
	}
}

// TestDrawsAgainstLongChain measures what the burn-in and thinning of Draws are worth in
// six dimensions. On studies of Hartmann-6, Levy-6, Ackley-6 and Branin with 10 to 68 duels and 150 chains
// the first draw had an rms bias of 0.04 … 0.15 standard deviations (of which 0.08 is noise), a spread of
// 0.90 … 1.06 of the right one, and a correlation of 0.02 … 0.19 with the second.
func TestDrawsAgainstLongChain(t *testing.T) {
	if testing.Short() {
		t.Skip("a long chain takes seconds; the full suite runs it")
	}
	const d, n = 6, 60
	m := Model{}.WithDefaults()
	ds := benchDuels(n, d)
	from, err := m.Fit(t.Context(), ds, nil)
	if err != nil {
		t.Fatal(err)
	}
	draws, err := m.Draws(t.Context(), ds, from, 2000, 1)
	if err != nil {
		t.Fatal(err)
	}
	mean, sd := make([]float64, d+1), make([]float64, d+1)
	for _, p := range draws {
		for i, v := range m.theta(p.Hyper()) {
			mean[i] += v / float64(len(draws))
			sd[i] += v * v / float64(len(draws))
		}
	}
	for i := range sd {
		sd[i] = math.Sqrt(sd[i] - mean[i]*mean[i])
	}
	const chains, count = 100, 4
	var bias, spread, evals [count]float64
	first, second := make([][]float64, count), make([][]float64, count)
	for i := range first {
		first[i], second[i] = make([]float64, d+1), make([]float64, d+1)
	}
	for c := range chains {
		short, err := m.Draws(t.Context(), ds, from, count, uint64(100+c))
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range short {
			evals[i] += float64(p.Evaluations()) / chains
			for k, v := range m.theta(p.Hyper()) {
				z := (v - mean[k]) / sd[k]
				first[i][k] += z / chains
				second[i][k] += z * z / chains
			}
		}
	}
	for i := range count {
		for k := range d + 1 {
			bias[i] += first[i][k] * first[i][k] / (d + 1)
			spread[i] += math.Sqrt(second[i][k]-first[i][k]*first[i][k]) / (d + 1)
		}
		bias[i] = math.Sqrt(bias[i])
		t.Logf("draw %d: rms bias %.2f (noise 0.10), sd ratio %.2f, evidences %.1f", i, bias[i], spread[i], evals[i])
		if bias[i] > 0.25 || math.Abs(spread[i]-1) > 0.2 {
			t.Errorf("draw %d: rms bias %.2f, sd ratio %.2f", i, bias[i], spread[i])
		}
	}
}

// TestDrawsAreAFunction: the same duels, model and seed give the same bits, with the maximum a posteriori
// passed in or not; another seed gives others. Every draw is a settled posterior of the duels.
func TestDrawsAreAFunction(t *testing.T) {
	for _, inf := range allInferences {
		m, ds := lawModel(inf), lawData(5)
		from, err := m.Fit(t.Context(), ds, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{0.3, 0.9}
		a := drawsOrFatal(t, m, ds, 3, 7)
		b, err := m.Draws(t.Context(), ds, from, 3, 7)
		if err != nil {
			t.Fatal(err)
		}
		c := drawsOrFatal(t, m, ds, 3, 8)
		for i := range a {
			if math.Float64bits(a[i].Mean(x)) != math.Float64bits(b[i].Mean(x)) || a[i].Evidence() != b[i].Evidence() {
				t.Errorf("%v, draw %d: %v and %v", inf, i, a[i].Hyper(), b[i].Hyper())
			}
			if a[i].Mean(x) == c[i].Mean(x) {
				t.Errorf("%v, draw %d is the same for another seed", inf, i)
			}
			if len(a[i].Warnings()) > 0 {
				t.Errorf("%v, draw %d: %v", inf, i, a[i].Warnings())
			}
			if inf == Sparse {
				continue // its inducing points belong to the lengthscales the chain started from
			}
			fresh, err := m.Condition(ds, a[i].Hyper(), nil)
			if err != nil {
				t.Fatal(err)
			}
			near(t, inf.String()+" mean", a[i].Mean(x), fresh.Mean(x), 1e-6)
			near(t, inf.String()+" evidence", a[i].Evidence(), fresh.Evidence(), 1e-8)
			near(t, inf.String()+" log prior", a[i].LogPrior(), fresh.LogPrior(), 1e-12)
		}
	}
}

// TestDrawsWithFlatPriors: a prior flat in the logs stays so, and the bounds hold the chain.
func TestDrawsWithFlatPriors(t *testing.T) {
	m := Model{Lengthscale: Flat(), Outputscale: Flat()}
	lo, hi := m.box(m.Start(1))
	var sum float64
	const count = 2000
	for _, p := range drawsOrFatal(t, m, &Duels{Dim: 1}, count, 1) {
		theta := m.theta(p.Hyper())
		for i, v := range theta {
			if v < lo[i]-1e-12 || v > hi[i]+1e-12 {
				t.Fatalf("θ[%d] = %g, bounds %g and %g", i, v, lo[i], hi[i])
			}
		}
		sum += (theta[0] - lo[0]) / (hi[0] - lo[0]) / count
	}
	if math.Abs(sum-0.5) > 0.1 {
		t.Errorf("without duels the log lengthscale is on average %.2f of the way, want the middle", sum)
	}
}

func TestDrawsRefuse(t *testing.T) {
	ds := lawData(1)
	if _, err := lawModel(EP).Draws(t.Context(), ds, nil, 0, 1); err == nil {
		t.Error("no draws: no error")
	}
	if _, err := (Model{Noise: -1}).Draws(t.Context(), ds, nil, 1, 1); err == nil {
		t.Error("a model that makes no sense: no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lawModel(EP).Draws(ctx, ds, nil, 1, 1); err == nil {
		t.Error("an ended context: no error")
	}
}

// BenchmarkDraws is what four draws cost beside the fit they start from.
func BenchmarkDraws(b *testing.B) {
	for _, c := range []struct{ n, d int }{{32, 2}, {32, 6}, {64, 6}, {128, 6}, {64, 20}} {
		ds := benchDuels(c.n, c.d)
		from := fitOrFatal(b, Model{}, ds, nil)
		b.Run(fmt.Sprintf("n%d/d%d", c.n, c.d), func(b *testing.B) {
			var evals, seed uint64
			for b.Loop() {
				draws, err := Model{}.Draws(context.Background(), ds, from, 4, seed)
				if err != nil {
					b.Fatal(err)
				}
				for _, p := range draws {
					evals += uint64(p.Evaluations())
				}
				seed++
			}
			b.ReportMetric(float64(evals)/float64(seed), "evidences")
		})
	}
}
