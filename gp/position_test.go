package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prefer-bo/prefer/internal/normal"
)

// sidedDuels draws duels of three raters with these position biases; in every sixth the side is not known.
func sidedDuels(rng *rand.Rand, n, d int, a Answers, cuts Cuts, bias [3]float64) *Duels {
	ds := &Duels{Dim: d}
	for ds.Len() < n {
		one := randomDuels(rng, 1, d, a, cuts)
		rater, side := rng.IntN(3), int8(1-2*rng.IntN(2))
		if ds.Len()%6 == 5 {
			side = 0
		}
		g := 3*(one.A[0]-one.B[0]) + float64(side)*bias[rater] + rng.NormFloat64()
		for _, o := range a.Outcomes() {
			if iv := cuts.Interval(o, 1); g > iv.Lo && g <= iv.Hi {
				if err := ds.AddSide(one.A, one.B, o, rater, side); err != nil {
					panic(err)
				}
			}
		}
	}
	return ds
}

// TestPositionOff: sides that a model has no prior for, and a prior without sides, change no bit.
func TestPositionOff(t *testing.T) {
	for _, inf := range []Inference{EP, Variational, Laplace, Sparse} {
		t.Run(inf.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(81, 1))
			sided := sidedDuels(rng, 20, 2, Answers{Ties: true}, Cuts{0.3}, [3]float64{1, 0, -1})
			bare := *sided
			bare.Side = nil
			unknown := bare
			unknown.Side = make([]int8, sided.Len())
			m := Model{Inference: inf, Answers: Answers{Ties: true}, RaterNoise: DefaultRaterNoise(), SparseOptions: SparseOptions{Inducing: 25}}
			with := m
			with.Position = DefaultPosition()
			none := m
			none.Position = None()
			want := fitOrFatal(t, m, &bare, nil)
			point := func() []float64 { return []float64{rng.Float64(), rng.Float64()} }
			for _, got := range []*Posterior{fitOrFatal(t, m, sided, nil), fitOrFatal(t, none, sided, nil), fitOrFatal(t, with, &bare, nil), fitOrFatal(t, with, &unknown, nil)} {
				sameBits(t, rng, got, want, point)
				if mean, v := got.Bias(0); mean != 0 || v != 0 {
					t.Errorf("bias %g, variance %g without one", mean, v)
				}
			}
			average := func(m Model, d *Duels) *Mixture {
				x, err := Average(context.Background(), d, m)
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
			if got, want := average(with, &unknown).Evidence(), average(m, &bare).Evidence(); got != want {
				t.Errorf("average %x, want %x", got, want)
			}
		})
	}
}

// TestPositionOneDuel: with one answer everything is known in closed form. With s² = v + t² + σ² and c = √(2/π)/s,
// E d = vc, Var d = v − v²·(2/π)/s², likewise b with t² in place of v and the sign of the side.
func TestPositionOneDuel(t *testing.T) {
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4}, Outputscale: 9}, Cuts: Cuts{0}, Position: 0.6}
	x, y := []float64{0.2}, []float64{0.7}
	v, t2 := 2*(9-h.Kernel.At(x, y)), 4*0.36
	for _, side := range []int8{1, -1} {
		ds := &Duels{Dim: 1}
		if err := ds.AddSide(x, y, 1, 3, side); err != nil {
			t.Fatal(err)
		}
		p, err := Model{Noise: 2, Position: DefaultPosition()}.Condition(ds, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		s2 := v + t2 + 4
		mean, variance := p.Bias(3)
		near(t, "E b", mean, float64(side)*t2*math.Sqrt(2/math.Pi/s2), 1e-9)
		near(t, "Var b", variance, t2-t2*t2*2/math.Pi/s2, 1e-9)
		near(t, "E d", p.Mean(x)-p.Mean(y), v*math.Sqrt(2/math.Pi/s2), 1e-9)
		near(t, "Var d", p.Variance(x)+p.Variance(y)-2*p.Covariance(x, y), v-v*v*2/math.Pi/s2, 1e-9)
		if mean, variance := p.Bias(0); mean != 0 || math.Abs(variance-t2) > 1e-15 {
			t.Errorf("a rater without answers has bias %g, variance %g", mean, variance)
		}
	}
}

// TestPositionJointPrior: given its sites the posterior is the regression of f and of the biases, as further dimensions, on the differences,
// with a trend, with levels and with tastes of their own.
func TestPositionJointPrior(t *testing.T) {
	const d, n, q = 2, 18, 3
	rng := rand.New(rand.NewPCG(82, 1))
	for _, kin := range []float64{0, 0.4} {
		for _, trend := range []float64{0, 4} {
			h := trendHyper(d, Answers{})
			h.Kernel.Trend, h.Kinship, h.Position = trend, kin, 0.7
			m := Model{Position: DefaultPosition()}
			if trend > 0 {
				m.Trend = Flat()
			}
			if kin > 0 {
				m.Kinship = Flat()
			}
			duels := sidedDuels(rng, n, d, Answers{}, h.Cuts, [3]float64{1.5, 0, -1})
			for i, r := range []int{0, 2} {
				if err := errorOf(duels.AddAbove([]float64{0.1, float64(i)}, r), duels.AddBelow([]float64{0.9, float64(i)}, r)); err != nil {
					t.Fatal(err)
				}
			}
			p, err := m.Condition(duels, h, nil)
			if err != nil {
				t.Fatal(err)
			}
			x := make([]float64, q*d)
			for i := range x {
				x[i] = rng.Float64()
			}
			for who := range 3 {
				mean, cov := jointPosterior(h, m, duels, p.Sites(), x, who)
				moments := NewMoments(q)
				p.For(who).Moments(moments, x)
				for i := range q {
					near(t, "mean", moments.Mean[i], mean[i], 1e-8)
					for j := range q {
						near(t, "covariance", moments.Cov[i*q+j], cov.At(i, j), 1e-8)
					}
				}
				bias, variance := p.Bias(who)
				near(t, "bias", bias, mean[q], 1e-8)
				near(t, "its variance", variance, cov.At(q, q), 1e-8)
			}
		}
	}
}

func errorOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// jointPosterior returns the moments of f_who at the points x and of b_who after them, by Gaussian regression term by term.
func jointPosterior(h Hyper, m Model, duels *Duels, sites Sites, x []float64, who int) ([]float64, *mat.SymDense) {
	m = m.WithDefaults()
	d, n, q := duels.Dim, duels.Len(), len(x)/duels.Dim
	level, spread := m.Level.prior(h.Kernel)
	_ = level // an end of intervals, which sites know
	row := func(pts []float64, i int) []float64 { return pts[i*d : (i+1)*d] }
	same := func(a, b int) float64 {
		if a == b || h.Kinship == 0 {
			return 1
		}
		return h.Kinship
	}
	k := func(a, b []float64) float64 { return plainCov(h.Kernel, a, b) }
	diff := mat.NewSymDense(n, nil)
	cross := mat.NewDense(n, q+1, nil)
	for i := range n {
		by := duels.Rater[i]
		for j := range i + 1 {
			v := k(row(duels.A, i), row(duels.A, j))
			if !duels.against(j) {
				v -= k(row(duels.A, i), row(duels.B, j))
			}
			if !duels.against(i) {
				v -= k(row(duels.B, i), row(duels.A, j))
			}
			switch {
			case !duels.against(i) && !duels.against(j):
				v += k(row(duels.B, i), row(duels.B, j))
			case duels.against(i) && duels.against(j) && by == duels.Rater[j]:
				v += spread
			}
			v *= same(by, duels.Rater[j])
			if by == duels.Rater[j] {
				v += float64(duels.Side[i]) * float64(duels.Side[j]) * h.Position * h.Position
			}
			diff.SetSym(i, j, v)
		}
		for p := range q {
			v := k(row(duels.A, i), row(x, p))
			if !duels.against(i) {
				v -= k(row(duels.B, i), row(x, p))
			}
			cross.Set(i, p, v*same(by, who))
		}
		if by == who {
			cross.Set(i, q, float64(duels.Side[i])*h.Position*h.Position)
		}
	}
	// With sites λ, ν the differences are observed as ν/λ with noise 1/λ.
	y := mat.NewVecDense(n, nil)
	for i := range n {
		diff.SetSym(i, i, diff.At(i, i)+1/sites.Lambda[i])
		y.SetVec(i, sites.Nu[i]/sites.Lambda[i])
	}
	var chol mat.Cholesky
	if !chol.Factorize(diff) {
		panic("not positive definite")
	}
	var w mat.VecDense
	var gain mat.Dense
	if err := errorOf(chol.SolveVecTo(&w, y), chol.SolveTo(&gain, cross)); err != nil {
		panic(err)
	}
	var mean mat.VecDense
	mean.MulVec(cross.T(), &w)
	var less mat.Dense
	less.Mul(cross.T(), &gain)
	cov := mat.NewSymDense(q+1, nil)
	for i := range q {
		for j := range i + 1 {
			cov.SetSym(i, j, k(row(x, i), row(x, j))-less.At(i, j))
		}
	}
	cov.SetSym(q, q, h.Position*h.Position-less.At(q, q))
	return mean.RawVector().Data, cov
}

// TestPositionEvidenceGradient: in every hyper-parameter, τ among them, beside all else that a model can have.
func TestPositionEvidenceGradient(t *testing.T) {
	for _, inf := range []Inference{EP, Variational, Laplace, Sparse} {
		for kind, a := range answerKinds {
			for _, kin := range []float64{0, 0.3} {
				if kin > 0 && inf == Sparse {
					continue
				}
				t.Run(fmt.Sprintf("%v/%s/%g", inf, kind, kin), func(t *testing.T) {
					h := trendHyper(3, a)
					h.Position, h.Kinship, h.Raters = 0.6, kin, []float64{0.8, 1.3, 1}
					m := Model{Inference: inf, Answers: a, Noise: 1.5, Position: DefaultPosition(), RaterNoise: DefaultRaterNoise(), Trend: Flat(),
						SparseOptions: SparseOptions{Inducing: 20, Nodes: -1}}.WithDefaults()
					want := 3 + 1 + 1 + 1 + a.free() + 3
					if kin > 0 {
						m.Kinship = Flat()
						want++
					}
					duels := sidedDuels(rand.New(rand.NewPCG(83, uint64(len(kind)))), 30, 3, a, h.Cuts, [3]float64{1, 0, -1})
					if inf == Sparse {
						m.Trend, h.Kernel.Trend, want = None(), 0, want-1
					}
					ev, err := m.evaluator(duels, h, nil)
					if err != nil {
						t.Fatal(err)
					}
					if got := checkEvidenceGradient(t, m, ev, h); got != want {
						t.Errorf("%d derivatives, want %d", got, want)
					}
				})
			}
		}
	}
}

// TestPositionSparse: with an inducing point at every option sparse inference is the variational one, in either of its two spaces, biases included.
func TestPositionSparse(t *testing.T) {
	const n = 14
	rng := rand.New(rand.NewPCG(84, 1))
	duels := sidedDuels(rng, n, 2, Answers{}, Cuts{0}, [3]float64{1.5, 0, -1})
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: 4}, Cuts: Cuts{0}, Position: 0.7}
	full := Model{Inference: Variational, Position: DefaultPosition()}.WithDefaults()
	want, err := full.Condition(duels, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := full
	m.Inference, m.SparseOptions = Sparse, SparseOptions{Inducing: 3 * n, Sobol: -1, Nodes: -1, Jitter: 1e-10}.withDefaults()
	for space := range 2 {
		ev, err := newSparse(m, duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ev.sparseAlgebra = newSparseDuels(ev); space == 1 {
			ev.sparseAlgebra = newSparseInducing(ev)
		}
		z, ok := ev.evaluate(h, 1e-11, make([]float64, 4))
		if !ok || ev.m != ev.points+3 {
			t.Fatalf("settled %t, %d columns, %d points", ok, ev.m, ev.points)
		}
		got := ev.posterior(h)
		near(t, "bound", z, want.Evidence(), 1e-6)
		for r := range 3 {
			m1, v1 := got.Bias(r)
			m2, v2 := want.Bias(r)
			near(t, "bias", m1, m2, 1e-6)
			near(t, "variance", v1, v2, 1e-6)
		}
		for range 5 {
			x := []float64{rng.Float64(), rng.Float64()}
			near(t, "mean", got.Mean(x), want.Mean(x), 1e-6)
			near(t, "variance", got.Variance(x), want.Variance(x), 1e-5)
		}
	}
	if all := duels.mostSided(2); len(all) != 2 || len(all[0].duels) < len(all[1].duels) {
		t.Errorf("the raters with most sided duels: %v", all)
	}
}

// TestPositionAgainstExact compares EP's win probabilities, which are of f alone, with those of the exact sampler.
func TestPositionAgainstExact(t *testing.T) {
	if testing.Short() {
		t.Skip("the sampler takes seconds; the full suite runs it")
	}
	const pairs = 60
	rng := rand.New(rand.NewPCG(85, 1))
	duels := sidedDuels(rng, 50, 2, Answers{}, Cuts{0}, [3]float64{1.5, 0, -1})
	m := Model{Position: DefaultPosition()}
	p := fitOrFatal(t, m, duels, nil)
	x, y := make([]float64, 2*pairs), make([]float64, 2*pairs)
	for i := range x {
		x[i], y[i] = rng.Float64(), rng.Float64()
	}
	e, err := m.SkewSampler(duels, p.Hyper(), rng)
	if err != nil {
		t.Fatal(err)
	}
	truth, se := e.WinProbabilities(x, y, 1000, 30000)
	off := make([]float64, pairs)
	for i := range off {
		off[i] = p.Prob(x[2*i:2*i+2], y[2*i:2*i+2], 1) - truth[i]
	}
	if got := rms(off); got > 0.004 || rms(se) > 0.002 {
		t.Errorf("rms %.4f, the sampler's own error %.4f", got, rms(se))
	}
}

// TestPositionLearned: biases are found, with honest uncertainty, and no bias where there is none; utilities are then nearer the truth.
func TestPositionLearned(t *testing.T) {
	bias := [3]float64{1.5, 0, -0.8}
	var scored, outside, better int
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(86, seed))
		duels := sidedDuels(rng, 120, 1, Answers{}, Cuts{0}, bias)
		p := fitOrFatal(t, Model{Position: DefaultPosition()}, duels, nil)
		old := fitOrFatal(t, Model{}, duels, nil)
		for r, want := range bias {
			mean, v := p.Bias(r)
			if scored++; math.Abs(mean-want) > 2*math.Sqrt(v) {
				outside++
			}
		}
		wrong := func(p *Posterior) float64 { return math.Abs(p.Mean([]float64{0.9}) - p.Mean([]float64{0.1}) - 2.4) }
		if wrong(p) <= wrong(old) {
			better++
		}
	}
	if outside > 5 || better < 7 { // of 36, 1.8 expected; of 12
		t.Errorf("%d of %d biases are off by more than two standard deviations; %d of 12 fits are better for them", outside, scored, better)
	}
}

// TestPositionLookAhead measures what it costs to take a coming answer for one without a side. With d ~ N(m, v) and b ~ N(β, w) independent, the value of an
// answer E max(E[d | o], 0) − max(m, 0) is a sum over both outcomes and, in truth, over both sides.
func TestPositionLookAhead(t *testing.T) {
	value := func(m, v, bias, w float64) (sum float64) {
		s := math.Sqrt(v + w + 1)
		for _, sign := range []float64{1, -1} {
			z := (m + bias) / s // of the first outcome
			p := normal.CDF(sign * z)
			sum += math.Max(0, p*m+sign*v/s*normal.PDF(z))
		}
		return sum - math.Max(0, m)
	}
	// by bias: the share of its value that an answer between options of equal means has, and the largest error at other means, as a share of that value
	for _, c := range []struct{ bias, sd, equal, worst float64 }{{0, 0.3, 0.96, 0.04}, {0.5, 0.2, 0.9, 0.1}, {1, 0.2, 0.7, 0.3}, {2, 0.2, 0.2, 0.8}} {
		equal, worst := 1.0, 0.0
		for _, v := range []float64{0.5, 1, 4} {
			for m := 0.0; m < 2; m += 0.1 {
				said, most := value(m, v, 0, 0), value(0, v, 0, 0)
				is := (value(m, v, c.bias, c.sd*c.sd) + value(m, v, -c.bias, c.sd*c.sd)) / 2
				if worst = math.Max(worst, math.Abs(is-said)/most); m == 0 {
					equal = math.Min(equal, is/said)
				}
			}
		}
		t.Logf("bias %g ± %g: an answer is worth %.3f of what is said; error up to %.3f", c.bias, c.sd, equal, worst)
		if equal < c.equal || worst > c.worst {
			t.Errorf("bias %g ± %g: an answer is worth %.3f of what is said, want %g; error %.3f, want at most %g", c.bias, c.sd, equal, c.equal, worst, c.worst)
		}
	}
}

func TestPositionErrors(t *testing.T) {
	duels := sidedDuels(rand.New(rand.NewPCG(87, 1)), 6, 1, Answers{}, Cuts{0}, [3]float64{})
	m, h := Model{Position: DefaultPosition()}, Model{}.Start(1)
	with := func(h Hyper, tau float64) Hyper { h.Position = tau; return h }
	short, wrong := *duels, *duels
	short.Side = short.Side[:5]
	wrong.Side = slices.Repeat([]int8{2}, 6)
	level := *duels
	level.Level = slices.Repeat([]bool{true}, 6)
	for _, c := range []struct {
		m     Model
		duels *Duels
		h     Hyper
		want  string
	}{
		{m, &short, h, "Duels.Side has 5 entries"},
		{m, &wrong, h, "side 2, want"},
		{m, &level, h, "against a level"},
		{m, duels, with(h, -1), "position bias = -1"},
		{Model{}, duels, with(h, 1), "in a model without one"},
		{Model{Position: Gamma(-1, 1)}, duels, h, "Model.Position"},
	} {
		if _, err := c.m.Condition(c.duels, c.h, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if err := duels.AddSide([]float64{0}, []float64{1}, 1, 0, 3); err == nil || duels.Len() != 6 {
		t.Errorf("a side 3 was added: %v", err)
	}
	// Hyper-parameters without a bias are taken as they are, and with one where no duel has a side.
	bare := *duels
	bare.Side = nil
	for _, ok := range []struct {
		duels *Duels
		h     Hyper
	}{{duels, h}, {&bare, with(h, 0.5)}} {
		p, err := m.Condition(ok.duels, ok.h, nil)
		if err != nil || p.Hyper().Position != ok.h.Position || math.IsInf(p.LogPrior(), 0) {
			t.Errorf("%v", err)
		}
	}
}

// TestPositionRestore: a posterior with biases is restored to the bit, dense and sparse.
func TestPositionRestore(t *testing.T) {
	for _, inf := range []Inference{EP, Sparse} {
		rng := rand.New(rand.NewPCG(88, 1))
		duels := sidedDuels(rng, 30, 2, Answers{}, Cuts{0}, [3]float64{1, 0, -1})
		m := Model{Inference: inf, Position: DefaultPosition(), RaterNoise: DefaultRaterNoise(), SparseOptions: SparseOptions{Inducing: 20}}
		want := fitOrFatal(t, m, duels, nil)
		got, err := m.Restore(duels, through(t, want.State()))
		if err != nil {
			t.Fatal(err)
		}
		sameBits(t, rng, got, want, func() []float64 { return []float64{rng.Float64(), rng.Float64()} })
		for r := range 3 {
			m1, v1 := got.Bias(r)
			m2, v2 := want.Bias(r)
			if m1 != m2 || v1 != v2 || v1 == 0 {
				t.Errorf("rater %d: bias %x, %x, want %x, %x", r, m1, v1, m2, v2)
			}
		}
		if mean, v := got.Cavity(duels, 0); math.IsNaN(mean) || !(v > 0) {
			t.Errorf("cavity %g, %g", mean, v)
		}
	}
}

// TestPositionChance: chance has the position bias of the model, with one rater a double integral; a rater who follows the order has no taste by that.
func TestPositionChance(t *testing.T) {
	m := Model{Position: DefaultPosition()}
	ds := &Duels{Dim: 1}
	for i := range 30 {
		side, o := int8(1-2*(i%2)), Outcome(1)
		if i%5 > 0 { // for what is shown first, four times in five
			o = Outcome(side)
		}
		if err := ds.AddSide([]float64{float64(i) / 30}, []float64{1 - float64(i)/30}, o, 0, side); err != nil {
			t.Fatal(err)
		}
	}
	first := 0.0
	for i, o := range ds.Outcome {
		if int8(o) == ds.Side[i] {
			first++
		}
	}
	var sum float64
	const step = 0.01
	for tau := step / 2; tau < 6; tau += step {
		prior, _ := m.Position.LogDensity(tau)
		for z := -8.0; z < 8; z += step {
			p := normal.CDF(tau * z)
			sum += step * step * math.Exp(prior+normal.LogPDF(z)+first*math.Log(p)+(30-first)*math.Log1p(-p))
		}
	}
	near(t, "log evidence of chance", m.Chance(ds), math.Log(sum), 0.02) // the settings of τ are 64
	near(t, "chance without bias", Model{}.Chance(ds), 30*math.Log(0.5), 1e-12)
	x, err := Average(context.Background(), ds, m)
	if err != nil {
		t.Fatal(err)
	}
	if odds := m.Chance(ds) - x.Evidence(); odds < -1 {
		t.Errorf("a rater who follows the order has a taste with log odds %.2f", -odds)
	}
	if odds := (Model{}).Chance(ds) - x.Evidence(); odds > -1 {
		t.Errorf("chance without bias explains the answers as well: %.2f", odds)
	}
}
