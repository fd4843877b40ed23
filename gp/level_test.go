package gp

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/normal"
)

// levelDuels draws duels of three raters, in turn two of options and one of an option with the level of rater 0 or 2.
func levelDuels(rng *rand.Rand, n, d int, a Answers, cuts Cuts) *Duels {
	ds := &Duels{Dim: d}
	for ds.Len() < n {
		one := randomDuels(rng, 1, d, a, cuts)
		var err error
		switch rater := 2 * rng.IntN(2); {
		case ds.Len()%3 != 1:
			err = ds.AddBy(one.A, one.B, one.Outcome[0], rng.IntN(3))
		case sq(one.A, 0.5)+0.05*float64(d)*rng.NormFloat64() < 0.08*float64(d):
			err = ds.AddAbove(one.A, rater)
		default:
			err = ds.AddBelow(one.A, rater)
		}
		if err != nil {
			panic(err)
		}
	}
	return ds
}

// levelPrior is the joint prior covariance, term by term, of f at all A, then all B, then at the points x, then of ℓ of the
// raters 0, 1 and 2; and the n×(2n) + … matrix that takes these to the differences of the duels.
func levelPrior(k Kernel, kappa float64, duels *Duels, x []float64) (joint, side *mat.Dense) {
	d, n := k.Dim(), duels.Len()
	pts := append(append(append([]float64(nil), duels.A...), duels.B...), x...)
	f := len(pts) / d
	joint, side = mat.NewDense(f+3, f+3, nil), mat.NewDense(n, f+3, nil)
	for i := range f {
		for j := range f {
			joint.Set(i, j, plainCov(k, pts[i*d:(i+1)*d], pts[j*d:(j+1)*d]))
		}
	}
	for r := range 3 {
		joint.Set(f+r, f+r, kappa*(k.Outputscale+k.Trend))
	}
	for i := range n {
		side.Set(i, i, 1)
		if duels.Level[i] {
			side.Set(i, f+duels.Rater[i], -1)
		} else {
			side.Set(i, n+i, -1)
		}
	}
	return joint, side
}

// TestLevelDuelSpace: K_d is A K Aᵀ of the joint prior of utilities and levels.
func TestLevelDuelSpace(t *testing.T) {
	const d, n = 2, 16
	for _, trend := range []float64{0, 6} {
		k := trendHyper(d, Answers{}).Kernel
		k.Trend = trend
		duels := levelDuels(rand.New(rand.NewPCG(61, 1)), n, d, Answers{}, Cuts{0})
		s := newDuelSpace(duels, Level{Spread: 0.7})
		s.set(k, true)
		joint, side := levelPrior(k, 0.7, duels, nil)
		var half, want mat.Dense
		half.Mul(side, joint)
		want.Mul(&half, side.T())
		for i := range n {
			for j := range n {
				near(t, fmt.Sprintf("K_d[%d,%d]", i, j), s.kd[i*n+j], want.At(i, j), 1e-12)
			}
		}
	}
}

// TestLevelEvidenceGradient: in every hyper-parameter, those that move m_L and the noise of raters included.
func TestLevelEvidenceGradient(t *testing.T) {
	for _, inf := range []Inference{EP, Variational, Laplace} {
		for kind, a := range answerKinds {
			for _, trend := range []Prior{{}, Flat()} {
				t.Run(fmt.Sprintf("%v/%s/%v", inf, kind, trend), func(t *testing.T) {
					h := trendHyper(3, a)
					h.Raters = []float64{0.8, 1.3, 1}
					if trend == (Prior{}) {
						h.Kernel.Trend = 0
					}
					duels := levelDuels(rand.New(rand.NewPCG(62, uint64(len(kind)))), 24, 3, a, h.Cuts)
					m := Model{Inference: inf, Answers: a, Trend: trend, RaterNoise: DefaultRaterNoise(), Level: Level{Spread: 0.6, Accept: 0.8}}.WithDefaults()
					want := 3 + 1 + a.free() + 3
					if trend != (Prior{}) {
						want++
					}
					if got := checkEvidenceGradient(t, m, newDense(m, duels, nil), h); got != want {
						t.Errorf("%d derivatives, want %d", got, want)
					}
				})
			}
		}
	}
}

// TestLevelIsAFarPoint: with κ = 1 and m_L = 0 a rater's level is the utility of a point so far away that it has nothing to
// do with any other: ordinary duels against it are the same model.
func TestLevelIsAFarPoint(t *testing.T) {
	const d, q = 2, 3
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: 5}, Cuts: Cuts{0}, Raters: []float64{0.8, 1.3, 1}}
	far := func(rater int) []float64 { return []float64{1e3 * float64(rater+1), 0.5} }
	rng := rand.New(rand.NewPCG(63, 1))
	duels := levelDuels(rng, 25, d, Answers{}, h.Cuts)
	plain := &Duels{Dim: d}
	for i, o := range duels.Outcome {
		b := duels.B[i*d : (i+1)*d]
		if duels.Level[i] {
			b = far(duels.Rater[i])
		}
		if err := plain.AddBy(duels.A[i*d:(i+1)*d], b, o, duels.Rater[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, inf := range []Inference{EP, Variational, Laplace} {
		m := Model{Inference: inf, RaterNoise: DefaultRaterNoise(), Level: Level{Spread: 1, Accept: 0.5}}.WithDefaults()
		g, w := make([]float64, 6), make([]float64, 6)
		z, _ := newDense(m, duels, nil).evaluate(h, 1e-11, g)
		zw, _ := newDense(m, plain, nil).evaluate(h, 1e-11, w)
		near(t, inf.String()+" evidence", z, zw, 1e-9)
		for i := range g {
			near(t, fmt.Sprintf("%v ∂log Z/∂θ[%d]", inf, i), g[i], w[i], 1e-8)
		}
		p, err := m.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		pw, err := m.Condition(plain, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string][2]*Posterior{
			inf.String():              {p, pw},
			inf.String() + " answer":  {p.Condition([]float64{0.2, 0.1}, []float64{0.6, 0.6}, 1), pw.Condition([]float64{0.2, 0.1}, []float64{0.6, 0.6}, 1)},
			inf.String() + " awaited": {p.Await([]float64{0.2, 0.1}, []float64{0.6, 0.6}), pw.Await([]float64{0.2, 0.1}, []float64{0.6, 0.6})},
		} {
			p, pw := c[0], c[1]
			x := make([]float64, q*d)
			for i := range x {
				x[i] = rng.Float64()
			}
			a, b, cov := NewMoments(q), NewMoments(q+3), make([]float64, q)
			p.Moments(a, x)
			pw.Moments(b, append(append(append(append([]float64(nil), x...), far(0)...), far(1)...), far(2)...))
			for r := range 3 {
				mean, v := p.Level(r)
				near(t, name+" E L", mean, b.Mean[q+r], 1e-9)
				near(t, name+" Var L", v, b.Cov[(q+r)*(q+3)+q+r], 1e-9)
				a.LevelCovariance(r, cov)
				for i := range q {
					near(t, name+" mean", a.Mean[i], b.Mean[i], 1e-9)
					near(t, name+" variance", a.Cov[i*q+i], b.Cov[i*(q+3)+i], 1e-9)
					near(t, name+" Cov[f, L]", cov[i], b.Cov[i*(q+3)+q+r], 1e-9)
					d, v := b.Difference(i, q+r)
					near(t, name+" acceptable", p.Acceptable(x[2*i:2*i+2], r), normal.CDF(d/math.Sqrt(v)), 1e-9)
				}
			}
		}
	}
}

// TestLevelAgainstRegression: at its sites the posterior is Gaussian regression on the joint prior of all utilities and
// levels; done by gonum.
func TestLevelAgainstRegression(t *testing.T) {
	const d, n, q = 2, 18, 4
	a := Answers{Ties: true}
	h := trendHyper(d, a)
	level := Level{Spread: 0.6, Accept: 0.8}
	for _, inf := range []Inference{EP, Variational, Laplace} {
		rng := rand.New(rand.NewPCG(64, 1))
		duels := levelDuels(rng, n, d, a, h.Cuts)
		p, err := Model{Inference: inf, Answers: a, Trend: Flat(), Level: level}.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, q*d)
		for i := range x {
			x[i] = rng.Float64()
		}
		joint, side := levelPrior(h.Kernel, level.Spread, duels, x)
		all, _ := joint.Dims()
		s := p.Sites()
		y := mat.NewVecDense(n, nil)
		var cross, c, sol, cov mat.Dense
		cross.Mul(side, joint)
		c.Mul(&cross, side.T())
		for i := range n {
			c.Set(i, i, c.At(i, i)+1/s.Lambda[i])
			y.SetVec(i, s.Nu[i]/s.Lambda[i])
		}
		if err := sol.Solve(&c, &cross); err != nil {
			t.Fatal(err)
		}
		var mean mat.VecDense
		mean.MulVec(sol.T(), y)
		cov.Mul(cross.T(), &sol)
		cov.Sub(joint, &cov)

		m, with := NewMoments(q), make([]float64, q)
		p.Moments(m, x)
		mL := -normal.Quantile(0.8) * math.Sqrt(1.6*(h.Kernel.Outputscale+h.Kernel.Trend))
		for i := range q {
			near(t, inf.String()+" mean", m.Mean[i], mean.AtVec(2*n+i), 1e-9)
			for j := range q {
				near(t, inf.String()+" cov", m.Cov[i*q+j], cov.At(2*n+i, 2*n+j), 1e-9)
			}
		}
		for r := range 3 {
			at := all - 3 + r
			l, v := p.Level(r)
			near(t, inf.String()+" E L", l, mL+mean.AtVec(at), 1e-9)
			near(t, inf.String()+" Var L", v, cov.At(at, at), 1e-9)
			m.LevelCovariance(r, with)
			for i := range q {
				near(t, inf.String()+" Cov[f, L]", with[i], cov.At(at, 2*n+i), 1e-9)
			}
		}
	}
}

// TestLevelAgainstExact: EP against the sampler: probabilities of winning, moments of f(x) − L_r, and Pr(f(x) > L_r), for which a
// normal with the right moments stands in. Of rater 2 one answer is known, "below": there f − L is skew, and that costs 0.012.
func TestLevelAgainstExact(t *testing.T) {
	const d, pairs, burn, sweeps = 2, 40, 1000, 100000
	h, model := trendHyper(d, Answers{}), Model{Trend: Flat()}
	rng := rand.New(rand.NewPCG(65, 1))
	duels := levelDuels(rng, 21, d, Answers{}, h.Cuts)
	p, err := model.Condition(duels, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := model.SkewSampler(duels, h, rng)
	if err != nil {
		t.Fatal(err)
	}
	x, y := make([]float64, pairs*d), make([]float64, pairs*d)
	for i := range x {
		x[i], y[i] = rng.Float64(), rng.Float64()
	}
	truth, se := e.WinProbabilities(x, y, burn, sweeps)
	off := make([]float64, pairs)
	for i := range off {
		off[i] = p.Prob(x[i*d:(i+1)*d], y[i*d:(i+1)*d], 1) - truth[i]
	}
	t.Logf("winning: rms %.4f (sampler ±%.4f)", rms(off), rms(se))
	if rms(off) > 0.005 || rms(se) > 0.001 {
		t.Errorf("win probabilities of EP are off by %.4f, of the sampler by %.4f", rms(off), rms(se))
	}

	for rater := range 3 {
		truth := exactLevel(e, model, duels, x, rater, sweeps)
		level, vl := p.Level(rater)
		m, with := NewMoments(1), make([]float64, 1)
		lo, hi := 1.0, 0.0
		offMean, offSD := make([]float64, pairs), make([]float64, pairs)
		for i, w := range truth {
			at := x[i*d : (i+1)*d]
			got := p.Acceptable(at, rater)
			off[i] = got - w.above
			lo, hi = min(lo, got), max(hi, got)
			p.Moments(m, at)
			m.LevelCovariance(rater, with)
			offMean[i] = (m.Mean[0] - level - w.mean) / w.sd
			offSD[i] = math.Sqrt(m.Cov[0]+vl-2*with[0])/w.sd - 1
		}
		t.Logf("acceptable to rater %d: %.2f to %.2f, rms %.4f; mean of f − L off by %.4f sd, its sd by %.4f", rater, lo, hi, rms(off), rms(offMean), rms(offSD))
		if rms(offMean) > 0.02 || rms(offSD) > 0.02 || rms(off) > 0.02 || hi-lo < 0.2 {
			t.Errorf("rater %d: Pr(acceptable) of EP, from %.2f to %.2f, is off by %.4f, the mean of f − L by %.4f of its sd, that by %.4f",
				rater, lo, hi, rms(off), rms(offMean), rms(offSD))
		}
	}
}

// aboveLevel is the law of f(x) − L_r.
type aboveLevel struct{ above, mean, sd float64 }

// exactLevel samples the law of f − L_r at the points x: given the noisy differences g, f(x) − ℓ_r is normal with mean cᵀC⁻¹g.
func exactLevel(e *SkewSampler, model Model, duels *Duels, x []float64, rater, sweeps int) []aboveLevel {
	d, n, k := duels.Dim, duels.Len(), e.hyper.Kernel
	mL, v := model.Level.prior(k)
	out := make([]aboveLevel, len(x)/d)
	cross, left, mean := make([]float64, len(out)*n), make([]float64, len(out)), make([]float64, len(out))
	row := make([]float64, n)
	for i := range out {
		at := x[i*d : (i+1)*d]
		for j := range n {
			c := plainCov(k, at, duels.A[j*d:(j+1)*d])
			switch {
			case !duels.Level[j]:
				c -= plainCov(k, at, duels.B[j*d:(j+1)*d])
			case duels.Rater[j] == rater:
				c += v
			}
			cross[i*n+j], row[j] = c, c
		}
		linalg.SolveLowerVec(n, e.chol, n, row)
		left[i] = plainCov(k, at, at) + v - linalg.Dot(row, row)
	}
	for s := range sweeps {
		e.Sweep()
		if s%64 == 0 {
			e.refresh()
		}
		linalg.Gemv(len(out), n, 1, cross, n, e.pg, 0, mean)
		for i := range out {
			z := mean[i] - mL
			out[i].above += normal.CDF(z/math.Sqrt(left[i])) / float64(sweeps)
			out[i].mean += z / float64(sweeps)
			out[i].sd += z * z / float64(sweeps)
		}
	}
	for i, o := range out {
		out[i].sd = math.Sqrt(left[i] + o.sd - o.mean*o.mean)
	}
	return out
}

// TestBothBadAgainstExact: one-sided answers make f − L skew; what EP says of an option is still near the truth.
func TestBothBadAgainstExact(t *testing.T) {
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.5, 0.5}, Outputscale: 10}, Cuts: Cuts{0}}
	x := []float64{0.9, 0.5, 1, 0, 0.7, 0.7, 0.3, 0.5}
	worst := 0.0
	for _, c := range []struct{ bad, take int }{{1, 0}, {3, 0}, {9, 0}, {18, 0}, {18, 3}} {
		rng := rand.New(rand.NewPCG(72, 1))
		duels := &Duels{Dim: 2}
		for range 2 * c.bad {
			if err := duels.AddBelow([]float64{0.6 * rng.Float64(), rng.Float64()}, 0); err != nil {
				t.Fatal(err)
			}
		}
		for range c.take {
			if err := duels.AddAbove(x[:2], 0); err != nil {
				t.Fatal(err)
			}
		}
		p, err := Model{}.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Model{}.SkewSampler(duels, h, rng)
		if err != nil {
			t.Fatal(err)
		}
		exactLevel(e, Model{}, duels, x, 0, 1000)
		for i, w := range exactLevel(e, Model{}, duels, x, 0, 30000) {
			got := p.Acceptable(x[2*i:2*i+2], 0)
			t.Logf("both bad %d times, taken %d times, at %v: %.3f, exactly %.3f", c.bad, c.take, x[2*i:2*i+2], got, w.above)
			worst = max(worst, math.Abs(got-w.above))
		}
	}
	if worst > 0.03 {
		t.Errorf("Pr(acceptable) is off by up to %.3f", worst)
	}
}

// TestLevelPrior: without level duels Pr(f(x) > L) is what the settings say, whatever the scale.
func TestLevelPrior(t *testing.T) {
	for _, scale := range []float64{0.1, 5, 1e4} {
		for _, l := range []Level{{}, {Spread: 0.3, Accept: 0.6}, {Spread: 4}} {
			for _, inf := range allInferences {
				h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: scale}, Cuts: Cuts{0}}
				m := Model{Inference: inf, Level: l}
				prior, err := m.Condition(&Duels{Dim: 2}, h, nil)
				if err != nil {
					t.Fatal(err)
				}
				want := l.withDefaults()
				near(t, "Pr(acceptable)", prior.Acceptable([]float64{0.2, 0.9}, 3), want.Accept, 1e-12)
				p, err := m.Condition(randomDuels(rand.New(rand.NewPCG(66, 1)), 12, 2, Answers{}, Cuts{0}), h, nil)
				if err != nil {
					t.Fatal(err)
				}
				mean, v := p.Level(0)
				near(t, "Var L", v, want.Spread*scale, 1e-12*scale)
				at := p.Mean([]float64{0.3, 0.4}) - mean
				near(t, "Pr(acceptable) after duels", p.Acceptable([]float64{0.3, 0.4}, 0),
					normal.CDF(at/math.Sqrt(p.Variance([]float64{0.3, 0.4})+v)), 1e-12)
			}
		}
	}
}

// TestLevelFunctions: over many draws f and L have the joint moments of the posterior.
func TestLevelFunctions(t *testing.T) {
	for _, name := range []string{"ep level", "ep level trend+1"} {
		p := somePosteriors(t)[name]
		const q, count = 2, 600
		x := []float64{0.2, 0.3, 0.4, 0.9, 0.1, 0.7}
		m, cov := NewMoments(q), make([]float64, q)
		fs := p.Functions(rand.New(rand.NewPCG(67, 1)), count)
		for _, rater := range []int{0, 2} {
			mean, v := p.Level(rater)
			p.Moments(m, x)
			m.LevelCovariance(rater, cov)
			sd := []float64{math.Sqrt(m.Cov[0]), math.Sqrt(m.Cov[3])}
			mu := append([]float64(nil), m.Mean...)
			var first, second float64
			var cross [q]float64
			for _, f := range fs {
				l := (f.Level(rater) - mean) / math.Sqrt(v)
				first += l / count
				second += l * l / count
				for i := range q {
					cross[i] += l * (f.At(m, x[3*i:3*i+3], nil) - mu[i]) / sd[i] / count
				}
			}
			root := math.Sqrt(count)
			near(t, name+" E L", first, 0, 4/root)
			near(t, name+" Var L", second, 1, 6/root)
			for i := range q {
				near(t, name+" Cov[f, L]", cross[i], cov[i]/sd[i]/math.Sqrt(v), 5/root)
			}
		}
	}
}

// TestLevelCondition: one more answer and one that is awaited move a level as they move the utility.
func TestLevelCondition(t *testing.T) {
	p := somePosteriors(t)["ep level trend"]
	pts := []float64{0.2, 0.3, 0.4, 0.7, 0.6, 0.1}
	x, y := pts[:3], pts[3:]
	m, c := NewMoments(2), make([]float64, 2)
	p.Moments(m, pts)
	d, v := m.Difference(0, 1)
	for _, rater := range []int{0, 1, 2} {
		m.LevelCovariance(rater, c)
		mean, variance := p.Level(rater)
		for _, o := range []Outcome{1, -1} {
			tl := Cuts{0}.Interval(o, 1).Tilt(d, v, 1)
			gotMean, gotVariance := p.Condition(x, y, o).Level(rater)
			near(t, "E L", gotMean, mean+tl.Alpha*(c[0]-c[1]), 1e-12)
			near(t, "Var L", gotVariance, variance-tl.Beta*(c[0]-c[1])*(c[0]-c[1]), 1e-12)
		}
		gotMean, gotVariance := p.Await(x, y).Level(rater)
		near(t, "E L awaiting", gotMean, mean, 1e-12)
		if gotVariance > variance {
			t.Errorf("rater %d: the variance of the level grows from %g to %g while an answer is awaited", rater, variance, gotVariance)
		}
	}
}

// TestBothBad: what 18 times "both bad" and a few "I would take it" do, after a fit.
func TestBothBad(t *testing.T) {
	rng := rand.New(rand.NewPCG(68, 1))
	bad := &Duels{Dim: 2}
	for range 18 {
		for range 2 {
			if err := bad.AddBelow([]float64{0.6 * rng.Float64(), rng.Float64()}, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	fit := func(ds *Duels) *Posterior {
		p, err := Model{}.Fit(context.Background(), ds, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	best := func(p *Posterior) float64 {
		top := 0.0
		for i := range 21 {
			for j := range 21 {
				top = max(top, p.Acceptable([]float64{float64(i) / 20, float64(j) / 20}, 0))
			}
		}
		return top
	}
	after := fit(bad)
	prior := DefaultLevel().Accept
	shown, unseen := 0.0, 0.0
	for i := range 36 {
		shown += after.Mean(bad.A[2*i:2*i+2]) / 36
		unseen += after.Mean([]float64{0.8 + 0.2*rng.Float64(), rng.Float64()}) / 36
	}
	t.Logf("best Pr(acceptable): %.2f before, %.2f after 18 both bad; mean of bad ones %.2f, of unseen ones %.2f", prior, best(after), shown, unseen)
	if best(after) > 0.6*prior || shown >= unseen {
		t.Errorf("after 18 times both bad the best option is acceptable with probability %.2f; bad ones have mean %.2f, unseen ones %.2f", best(after), shown, unseen)
	}
	if l, v := after.Level(0); l <= after.level.mean || v >= after.level.variance {
		t.Errorf("the level went from %.2f ± %.2f to %.2f ± %.2f", after.level.mean, math.Sqrt(after.level.variance), l, math.Sqrt(v))
	}
	// Another rater's level is where it was, and what is bad to the first is no news about it.
	if l, v := after.Level(1); l != after.level.mean || v != after.level.variance {
		t.Errorf("a rater who said nothing has the level %g ± %g", l, math.Sqrt(v))
	}

	last := best(after)
	x := []float64{0.9, 0.5}
	before := after.Acceptable(x, 0)
	for range 3 {
		if err := bad.AddAbove(x, 0); err != nil {
			t.Fatal(err)
		}
	}
	taken := fit(bad)
	t.Logf("after three times \"I would take it\": %.2f there, where it was %.2f; best %.2f", taken.Acceptable(x, 0), before, best(taken))
	if taken.Acceptable(x, 0) <= before+0.2 || best(taken) <= last {
		t.Errorf("Pr(acceptable) goes from %.2f to %.2f, at the best from %.2f to %.2f", before, taken.Acceptable(x, 0), last, best(taken))
	}
}

// TestLevelAtBounds: evidence, gradient and posterior are finite in the corners of the search, with contradictory answers about
// one option.
func TestLevelAtBounds(t *testing.T) {
	m := Model{Trend: Flat()}.WithDefaults()
	duels := levelDuels(rand.New(rand.NewPCG(71, 1)), 12, 2, Answers{}, Cuts{0})
	x := []float64{0.2, 0.9, 1, 0.5}
	for i := range 8 {
		add := duels.AddBelow
		if i == 3 {
			add = duels.AddAbove
		}
		if err := add(x[:2], 0); err != nil {
			t.Fatal(err)
		}
	}
	checked := 0
	for _, l := range []float64{minLengthscale, maxLengthscale} {
		for _, s := range []float64{minOutputscale, maxOutputscale} {
			for _, trend := range []float64{minTrend, maxTrend} {
				h := Hyper{Kernel: Kernel{Lengthscale: []float64{l, l}, Outputscale: s, Trend: trend}, Cuts: Cuts{0}}
				grad := make([]float64, 4)
				z, ok := newDense(m, duels, nil).evaluate(h, 1e-7, grad) // at V = 2e5 rounding leaves 1e-8
				p, err := m.Condition(duels, h, nil)
				if err != nil || !ok {
					t.Fatal(ok, err)
				}
				level, v := p.Level(0)
				ms, c := NewMoments(2), make([]float64, 2)
				p.Moments(ms, x)
				ms.LevelCovariance(0, c)
				f := p.Functions(rand.New(rand.NewPCG(1, 1)), 1)[0]
				for _, v := range append(append(append([]float64(nil), grad...), c...), z, level, v, p.Acceptable(x[:2], 0), f.At(ms, x[:2], nil), f.Level(0)) {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Fatalf("lengthscale %g, outputscale %g, trend %g: evidence %g, gradient %g, level %g", l, s, trend, z, grad, level)
					}
					checked++
				}
				if !(v > 0 && v <= s+trend) {
					t.Errorf("variance %g of a level with prior variance %g", v, s+trend)
				}
			}
		}
	}
	if checked != 8*12 {
		t.Fatalf("%d numbers checked", checked)
	}
}

// TestLevelMixture: draws of hyper-parameters know the level, and a mixture averages what they think acceptable.
func TestLevelMixture(t *testing.T) {
	a := Answers{Ties: true}
	posts, err := Model{Answers: a}.Draws(context.Background(), levelDuels(rand.New(rand.NewPCG(69, 1)), 15, 2, a, Cuts{0.4}), nil, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0.5, 0.4}
	one, two := posts[0].Acceptable(x, 0), posts[1].Acceptable(x, 0)
	if one == two {
		t.Fatal("both draws think the same")
	}
	near(t, "acceptable", NewMixture(posts, []float64{1, 3}).Acceptable(x, 0), one/4+3*two/4, 1e-14)
}

func TestLevelJSON(t *testing.T) {
	for text, l := range map[string]Level{"": {}, `"level":{"accept":0.9}`: {Accept: 0.9}, `"level":{"spread":2,"accept":0.75}`: {Spread: 2, Accept: 0.75}} {
		m := Model{Level: l}.WithDefaults()
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if text == "" && strings.Contains(string(b), "level") || !strings.Contains(string(b), text) {
			t.Errorf("%v is written as %s", l, b)
		}
		var back Model
		if err := json.Unmarshal(b, &back); err != nil || back.Level != l {
			t.Errorf("%s is read as %v, %v", b, back.Level, err)
		}
	}
}

func TestLevelRefuses(t *testing.T) {
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: 5}, Cuts: Cuts{0.4}}
	ties := Answers{Ties: true}
	made := func(change func(*Duels)) *Duels {
		ds := levelDuels(rand.New(rand.NewPCG(70, 1)), 6, 2, ties, h.Cuts)
		change(ds)
		return ds
	}
	same := func(*Duels) {}
	for want, c := range map[string]struct {
		m  Model
		ds *Duels
	}{
		"sparse inference has no levels":                    {Model{Inference: Sparse}, made(same)},
		"Model.Level.Spread = -1":                           {Model{Level: Level{Spread: -1}}, made(same)},
		"Model.Level.Spread = NaN":                          {Model{Level: Level{Spread: math.NaN()}}, made(same)},
		"Model.Level.Accept = 1,":                           {Model{Level: Level{Accept: 1}}, made(same)},
		"Model.Level.Accept = -0.1":                         {Model{Level: Level{Accept: -0.1}}, made(same)},
		"duel 1: outcome 0 against a level":                 {Model{}, made(func(ds *Duels) { ds.Outcome[1] = 0 })},
		"Duels.Level has 5 entries for 6 duels, want one":   {Model{}, made(func(ds *Duels) { ds.Level = ds.Level[:5] })},
		"duel 1: option a[0] = +Inf, want a coordinate of ": {Model{}, made(func(ds *Duels) { ds.A[2] = math.Inf(1) })},
	} {
		c.m.Answers = ties
		if _, err := c.m.Condition(c.ds, h, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	ds := made(func(ds *Duels) { ds.Level = ds.Level[:5] })
	if err := ds.AddBelow([]float64{0, 0}, 0); err == nil || ds.Len() != 6 {
		t.Errorf("%v, want an error about Level, and %d duels", err, ds.Len())
	}
	ds = made(same)
	if err := ds.AddAbove([]float64{0}, 0); err == nil || ds.Len() != 6 || len(ds.Level) != 6 {
		t.Errorf("%v, want an error about a short point, and %d duels", err, ds.Len())
	}
	if _, err := (Model{Inference: Sparse, Answers: ties}).Condition(made(func(ds *Duels) { clear(ds.Level) }), h, nil); err != nil {
		t.Errorf("sparse inference with no duel against a level: %v", err)
	}
}

func TestLevelAllocatesNothing(t *testing.T) {
	p := somePosteriors(t)["ep level trend"]
	m, c := NewMoments(2), make([]float64, 2)
	p.Moments(m, make([]float64, 6))
	if a := testing.AllocsPerRun(20, func() {
		p.Level(0)
		m.LevelCovariance(0, c)
	}); a != 0 {
		t.Errorf("%g allocations", a)
	}
}

// Acceptable returns the probability that a point is above a rater's level.
func (x *Mixture) Acceptable(at []float64, rater int) float64 {
	var sum float64
	for k, p := range x.posts {
		sum += x.weights[k] * p.Acceptable(at, rater)
	}
	return sum
}
