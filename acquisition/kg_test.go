package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sobol"
)

func TestKGFixture(t *testing.T) {
	for _, c := range []struct{ sigma, want float64 }{
		{1, 0.63850131767508819},
		{0.5, 0.70139484376161479},
		{0, 0.7323387688691547},
	} {
		agree(t, fmt.Sprintf("kg at σ=%g", c.sigma), NewKG(gp.Answers{}, gp.Cuts{0}, c.sigma).Value(fixture(), nil), c.want, 1e-15)
	}
}

func TestNewKG(t *testing.T) {
	for _, c := range []struct {
		answers gp.Answers
		cuts    gp.Cuts
		want    []float64
	}{
		{gp.Answers{}, gp.Cuts{0}, []float64{0}},
		{gp.Answers{Ties: true}, gp.Cuts{0.5}, []float64{-1, 1}},
		{gp.Answers{Grades: 1}, gp.Cuts{0, 2}, []float64{-4, 0, 4}},
		{gp.Answers{Ties: true, Grades: 1}, gp.Cuts{0.5, 2}, []float64{-4, -1, 1, 4}},
	} {
		k := NewKG(c.answers, c.cuts, 2)
		if fmt.Sprint(k.Edges) != fmt.Sprint(c.want) || k.Sigma != 2 || k.Outcomes() != len(c.answers.Outcomes()) {
			t.Errorf("NewKG(%v, %v) = %v, want edges %v", c.answers, c.cuts, k, c.want)
		}
	}
}

// TestKGMonteCarlo plays the question out: draw the noisy difference and the utility at the fantasy points, see which
// outcome it is, take the utility at that outcome's point. No formula of the package is used. The draws are
// quasi-random, the difference in the first coordinate: their error is below that of ten million random ones.
func TestKGMonteCarlo(t *testing.T) {
	const runs, samples, sigma = 16, 1 << 13, 0.8
	for _, n := range outcomeCounts {
		t.Run(fmt.Sprint(n, " outcomes"), func(t *testing.T) {
			a, c := scale(n)
			k := NewKG(a, c, sigma)
			q := k.Points()
			m := randomMoments(rand.New(rand.NewPCG(uint64(n), 81)), q)
			at := func(i, j int) float64 { return m.Cov[i*q+j] }
			mean, cov := append([]float64{m.Mean[0] - m.Mean[1]}, m.Mean[2:]...), make([]float64, (1+n)*(1+n))
			cov[0] = at(0, 0) + at(1, 1) - 2*at(0, 1) + sigma*sigma
			for i := range n {
				cov[(1+i)*(1+n)] = at(2+i, 0) - at(2+i, 1)
				for j := range n {
					cov[(1+i)*(1+n)+1+j] = at(2+i, 2+j)
				}
			}
			l := plainCholesky(cov, 1+n)
			sum, squares := 0.0, 0.0
			for run := range uint64(runs) {
				var avg float64
				for z := sobol.Normals(1+n, samples, run, normal.Quantile); len(z) > 0; z = z[1+n:] {
					draw := func(i int) float64 {
						v := mean[i]
						for j := range i + 1 {
							v += l[i*(1+n)+j] * z[j]
						}
						return v
					}
					o := 0
					for g := draw(0); o < len(k.Edges) && g > k.Edges[o]; {
						o++
					}
					avg += draw(1+o) / samples
				}
				sum += avg
				squares += avg * avg
			}
			avg := sum / runs
			se := math.Sqrt((squares/runs - avg*avg) / (runs - 1))
			off := (k.Value(m, nil) - avg) / se
			t.Logf("kg = %.7f, quasi-Monte Carlo %.7f ± %.7f: %.2f standard errors", k.Value(m, nil), avg, se, off)
			if math.Abs(off) > 4 || se > 2e-4 {
				t.Errorf("off by %.1f standard errors of %g", off, se)
			}
		})
	}
}

func plainCholesky(c []float64, q int) []float64 {
	l := make([]float64, q*q)
	for i := range q {
		for j := range i + 1 {
			t := c[i*q+j]
			for k := range j {
				t -= l[i*q+k] * l[j*q+k]
			}
			if i == j {
				l[i*q+i] = math.Sqrt(t)
			} else {
				l[i*q+j] = t / l[j*q+j]
			}
		}
	}
	return l
}

// momentsAt returns the moments of the listed points of m.
func momentsAt(m *gp.Moments, at []int) *gp.Moments {
	q, n := m.Points(), len(at)
	r := gp.NewMoments(n)
	for i, a := range at {
		r.Mean[i] = m.Mean[a]
		for j, b := range at {
			r.Cov[i*n+j] = m.Cov[a*q+b]
		}
	}
	return r
}

// TestDiscrete compares with the same sum written out: for each outcome the best of the list by
// LookAhead.
func TestDiscrete(t *testing.T) {
	const n = 7
	argmax := make([]int, 5)
	for seed := range uint64(20) {
		l := randomMoments(rand.New(rand.NewPCG(seed, 85)), n)
		for _, outcomes := range outcomeCounts {
			a, c := scale(outcomes)
			k := NewKG(a, c, 0.5)
			k.Base = 0.3
			got := k.Discrete(l.Mean, l.Cov, 2, 5, argmax)
			want, at := -k.Base, []int{2, 5}
			for o, name := range a.Outcomes() {
				best, top, prob := 0, math.Inf(-1), 0.0
				for x := range n {
					la := NewLookAhead(momentsAt(l, []int{2, 5, x}), c.Interval(name, 0.5), 0.5)
					if prob = la.Prob(); la.Mean(2) > top {
						best, top = x, la.Mean(2)
					}
				}
				want += prob * top
				at = append(at, best)
				if argmax[o] != best {
					t.Errorf("seed %d, outcome %d: argmax %d, want %d", seed, o, argmax[o], best)
				}
			}
			agree(t, "sum of maxima", got, want, 1e-13)
			agree(t, "Value at the argmaxes", k.Value(momentsAt(l, at), nil), want, 1e-13)
			if a := testing.AllocsPerRun(5, func() { k.Discrete(l.Mean, l.Cov, 2, 5, argmax) }); a != 0 {
				t.Errorf("Discrete allocates %g times", a)
			}
		}
	}
}

// TestKGSmallGain: a gain of 1e-9 beside a mean of 10 and covariances of 3 keeps its digits. All
// numbers are multiples of 2⁻⁴⁰, so shifting means and covariances is exact and must change nothing.
func TestKGSmallGain(t *testing.T) {
	const unit = 1.0 / (1 << 40)
	for _, n := range outcomeCounts {
		a, c := scale(n)
		k := NewKG(a, c, 1)
		q := k.Points()
		rng := rand.New(rand.NewPCG(uint64(n), 86))
		small, large := gp.NewMoments(q), gp.NewMoments(q)
		copy(small.Mean, []float64{9.5, 9})
		copy(large.Mean, []float64{9.5, 9})
		for _, m := range []*gp.Moments{small, large} {
			m.Cov[0], m.Cov[q+1], m.Cov[1], m.Cov[q] = 2, 3, 1, 1
		}
		for i := 2; i < q; i++ {
			mu, c0, c1 := unit*float64(rng.IntN(2000)), unit*float64(rng.IntN(2000)), unit*float64(rng.IntN(2000))
			small.Mean[i], small.Cov[i*q], small.Cov[i*q+1] = mu, c0, c1
			large.Mean[i], large.Cov[i*q], large.Cov[i*q+1] = 10+mu, 3+c0, 0.7+c1
			small.Cov[i], small.Cov[q+i] = c0, c1
			large.Cov[i], large.Cov[q+i] = 3+c0, 0.7+c1
		}
		want := k.Value(small, nil)
		k.Base = 10
		if got := k.Value(large, nil); math.Abs(got-want) > 1e-14*math.Abs(want) {
			t.Errorf("%d outcomes: gain %.17g, want %.17g", n, got, want)
		}
	}
}

// TestKGWithoutNoise covers the question whose answer is known: v = σ = 0.
func TestKGWithoutNoise(t *testing.T) {
	m := gp.NewMoments(4)
	copy(m.Mean, []float64{1, 1, 3, 5})
	k := KG{Edges: []float64{0}}
	agree(t, "a fair coin", k.Value(m, nil), 4, 0)
	m.Mean[0] = 2
	agree(t, "the first wins", k.Value(m, nil), 5, 0)
	m.Mean[0] = 0
	agree(t, "the second wins", k.Value(m, nil), 3, 0)
	argmax := make([]int, 2)
	agree(t, "best of a list", k.Discrete([]float64{1, 7, 2}, make([]float64, 9), 0, 2, argmax), 7, 0)
	if argmax[0] != 1 || argmax[1] != 1 {
		t.Errorf("argmax = %v, want [1 1]", argmax)
	}
}

// TestDiscreteRareOutcome: the best option after an answer of probability e^{−6667} is still found.
func TestDiscreteRareOutcome(t *testing.T) {
	mean, cov := []float64{0, 200, 5}, []float64{1, 0, 0.9, 0, 1, 0, 0.9, 0, 1}
	argmax := make([]int, 2)
	KG{Edges: []float64{0}, Sigma: 1}.Discrete(mean, cov, 0, 1, argmax)
	if argmax[0] != 1 || argmax[1] != 1 {
		t.Errorf("argmax = %v", argmax)
	}
	mean[2] = 120 // 120 + 0.9·200/3 exceeds 200 − 200/3 once the first has won
	KG{Edges: []float64{0}, Sigma: 1}.Discrete(mean, cov, 0, 1, argmax)
	if argmax[0] != 1 || argmax[1] != 2 {
		t.Errorf("argmax = %v, want [1 2]", argmax)
	}
}

func BenchmarkKG(b *testing.B) {
	for _, n := range outcomeCounts {
		a, c := scale(n)
		k := NewKG(a, c, 1)
		benchmarkAcquisition(b, fmt.Sprintf("outcomes=%d", n), k)
	}
}

func benchmarkAcquisition(b *testing.B, name string, a Acquisition) {
	m, g := randomMoments(rand.New(rand.NewPCG(1, 91)), a.Points()), NewPartials(a.Points())
	b.Run(name+"/value", func(b *testing.B) {
		for b.Loop() {
			a.Value(m, nil)
		}
	})
	b.Run(name+"/partials", func(b *testing.B) {
		for b.Loop() {
			a.Value(m, g)
		}
	})
}

func BenchmarkKGDiscrete(b *testing.B) {
	const n = 256
	l := randomMoments(rand.New(rand.NewPCG(1, 92)), n)
	k := KG{Edges: []float64{0}, Sigma: 1}
	argmax := make([]int, 2)
	for b.Loop() {
		k.Discrete(l.Mean, l.Cov, 3, 200, argmax)
	}
}
