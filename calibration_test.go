package prefer

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/problem"
)

var (
	calibrate = flag.Int("calibrate", 0, "number of simulated studies per row of the verdict's calibration table (500 take half an hour)")
	firstSeed = flag.Int("first", 0, "seed of the first simulated study; the factor on the doubt was fitted on 0 to 499")
	rows      = flag.String("rows", "", "only the rows whose name contains this")
)

// simulation is one simulated study run to its verdict.
type simulation struct {
	done       bool
	answers    int
	confidence float64
	right      bool    // f(x̂) ≥ f* − JND by the study's own JND
	track      []track // how the confidence rose
}

type track struct {
	answers    int
	confidence float64
	left       Range
}

// simulate plays a study against a utility on the unit cube, in units of the rater's noise, until the
// verdict or maxAnswers.
func simulate(cfg Config, f func(u []float64) float64, top float64, seed uint64, maxAnswers int) (simulation, error) {
	ctx := context.Background()
	s, err := New(ctx, cfg)
	if err != nil {
		return simulation{}, err
	}
	rng := rand.New(rand.NewPCG(seed, 0xca11))
	var r simulation
	look := s.cfg.Initial // the answers after which it is looked at next
	for r.answers < maxAnswers {
		q, err := s.Ask(ctx, "")
		if err != nil {
			return r, err
		}
		a, _ := cfg.Space.unit(q.First)
		b, _ := cfg.Space.unit(q.Second)
		g := f(a) - f(b) + rng.NormFloat64()
		ans := Answer{Choice: First}
		if g < 0 {
			ans.Choice = Second
		}
		if !cfg.Answers.Forced && math.Abs(g) < 0.3 {
			ans.Choice = Tie
		}
		if _, err := s.Tell(ctx, q.ID, ans); err != nil {
			return r, err
		}
		if r.answers++; r.answers < look {
			continue
		}
		best, err := s.Best(ctx, "")
		if err != nil {
			return r, err
		}
		r.track = append(r.track, track{r.answers, best.Confidence,
			left(best.Confidence, s.cfg.Confidence, s.cfg.Space.dim(), !s.cfg.Answers.Forced)})
		if best.Confidence < s.cfg.Confidence {
			if *calibrate == 0 {
				look = r.answers + patience // a verdict takes as many sure answers in a row: none can come before
			}
			continue // no verdict can follow; its other half need not be computed
		}
		v, err := s.Verdict(ctx, "")
		if err != nil {
			return r, err
		}
		if v.Kind != KeepGoing {
			r.done, r.confidence = true, v.Best.Confidence
			u, _ := cfg.Space.unit(v.Best.Option)
			p, err := s.fits.get(ctx, s.view("").evidence, nil)
			if err != nil {
				return r, err
			}
			r.right = f(u) >= top-jnd(p.post)
			break
		}
	}
	return r, nil
}

func unitSpace(d int) Space {
	var s Space
	for j := range d {
		s.Parameters = append(s.Parameters, Float(fmt.Sprintf("x%d", j+1), 0, 1))
	}
	return s
}

// priorDraw draws hyper-parameters from their priors and a utility from the Gaussian process, and
// finds its maximum.
func priorDraw(d int, seed uint64) (func(u []float64) float64, float64) {
	rng := rand.New(rand.NewPCG(seed, 0xd4a3))
	gamma := func(shape int, rate float64) float64 {
		var s float64
		for range shape {
			s += rng.ExpFloat64()
		}
		return s / rate
	}
	h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: make([]float64, d), Outputscale: gamma(2, 0.15)}, Cuts: gp.Cuts{0}}
	for j := range d {
		h.Kernel.Lengthscale[j] = gamma(3, 6)
	}
	prior, err := gp.Model{}.Condition(&gp.Duels{Dim: d}, h, nil)
	if err != nil {
		panic(err)
	}
	fn := prior.Functions(rng, 1)[0]
	var pool sync.Pool
	f := func(u []float64) float64 {
		m, ok := pool.Get().(*gp.Moments)
		if !ok {
			m = gp.NewMoments(1)
		}
		defer pool.Put(m)
		return fn.At(m, u, nil)
	}
	ms := maximize.MultiStart{Starts: 12 * d, Workers: 1, Settings: maximize.Settings{MaxEvals: 200}}
	lo, hi := make([]float64, d), make([]float64, d)
	for j := range hi {
		hi[j] = 1
	}
	best, _, err := ms.Maximize(context.Background(), func() maximize.Objective {
		m := gp.NewMoments(1)
		return func(x, g []float64) float64 { return fn.At(m, x, g) }
	}, lo, hi, sobol.Points(d, 1024*d, seed))
	if err != nil {
		panic(err)
	}
	return f, best.Value
}

// calibrationRow plays studies and returns what became of them.
func calibrationRow(t *testing.T, n int, play func(i int) (simulation, error)) []simulation {
	t.Helper()
	out := make([]simulation, n)
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				r, err := play(i)
				if err != nil {
					t.Error(err)
				}
				out[i] = r
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

// wilson returns the 95 % Wilson interval of k successes in n.
func wilson(k, n int) (lo, hi float64) {
	const z = 1.959963984540054
	p, m := float64(k)/float64(n), float64(n)
	c := (p + z*z/(2*m)) / (1 + z*z/m)
	h := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return c - h, c + h
}

// TestSimulation: the calibration in small. Twenty studies of one parameter all come to a verdict, and it
// is right far more often than not.
func TestSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("twenty studies; the full suite runs it")
	}
	right := 0
	for _, r := range calibrationRow(t, 20, func(i int) (simulation, error) {
		f, top := priorDraw(1, uint64(i))
		return simulate(Config{Space: unitSpace(1), Seed: uint64(i), Answers: Answers{Forced: true}, Search: little}, f, top, uint64(i), 60)
	}) {
		if !r.done {
			t.Errorf("no verdict after %d answers", r.answers)
		}
		if r.right {
			right++
		}
	}
	if right < 15 {
		t.Errorf("%d of 20 verdicts at 90 %% were right", right)
	}
}

// TestVerdictCalibration simulates studies and compares how often a verdict is right with how sure it
// said it was. -calibrate=500 makes the table of docs/verdict.md.
func TestVerdictCalibration(t *testing.T) {
	n := *calibrate
	if n == 0 {
		t.Skip("minutes; run with -calibrate=500")
	}
	report := func(name string, rs []simulation) {
		done, right := 0, 0
		var said float64
		var answers []int
		hit, seen := 0, 0
		for _, r := range rs {
			if !r.done {
				continue
			}
			done++
			said += r.confidence
			answers = append(answers, r.answers)
			if r.right {
				right++
			}
			for _, k := range r.track[:len(r.track)-1] {
				seen++
				if rest := r.answers - k.answers; rest >= k.left.Low && rest <= k.left.High {
					hit++
				}
			}
		}
		if done == 0 {
			t.Logf("%-28s no verdict in %d studies", name, len(rs))
			return
		}
		var ratio []int
		for _, r := range rs {
			if r.done {
				for _, k := range r.track[:len(r.track)-1] {
					if doubt := math.Log((1 - k.confidence) / 0.1); doubt > 0.2 {
						ratio = append(ratio, int(100*float64(r.answers-k.answers-patience)/doubt))
					}
				}
			}
		}
		if len(ratio) > 0 {
			t.Logf("%-28s 100·answers per e-fold of doubt %s", name, quantiles(ratio))
		}
		lo, hi := wilson(right, done)
		t.Logf("%-28s verdicts %3d/%d  said %.3f  right %.3f [%.3f, %.3f]  answers %v  range held %.2f", name, done, len(rs),
			said/float64(done), float64(right)/float64(done), lo, hi, quantiles(answers), float64(hit)/float64(max(1, seen)))
	}
	for _, forced := range []bool{true, false} {
		for _, d := range []int{1, 2} {
			name := fmt.Sprintf("prior d%d forced=%t", d, forced)
			if !strings.Contains(name, *rows) {
				continue
			}
			report(name, calibrationRow(t, n, func(i int) (simulation, error) {
				seed := uint64(*firstSeed + i)
				f, top := priorDraw(d, seed)
				return simulate(Config{Space: unitSpace(d), Seed: seed, Answers: Answers{Forced: forced}}, f, top, seed, 60)
			}))
		}
	}
	for _, p := range problem.Paper() {
		for _, level := range []float64{0.1, 0.3} {
			name := fmt.Sprintf("%s noise %g", p.Name, level)
			if !strings.Contains(name, *rows) {
				continue
			}
			sigma, err := problem.Calibrate(p, level, problem.Calibration{})
			if err != nil {
				t.Fatal(err)
			}
			report(name, calibrationRow(t, max(10, n/25), func(i int) (simulation, error) {
				f := func(u []float64) float64 { return p.UnitUtility(u) / sigma }
				return simulate(Config{Space: unitSpace(p.Dim), Seed: uint64(i), Answers: Answers{Forced: true}}, f, p.Optimum/sigma, uint64(i), 100)
			}))
		}
	}
}

func quantiles(x []int) string {
	s := append([]int(nil), x...)
	for i := range s {
		for j := range i {
			if s[j] > s[i] {
				s[i], s[j] = s[j], s[i]
			}
		}
	}
	at := func(q float64) int { return s[int(q*float64(len(s)-1))] }
	return fmt.Sprintf("%d/%d/%d/%d/%d", at(0.1), at(0.25), at(0.5), at(0.75), at(0.9))
}
