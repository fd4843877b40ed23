package learn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestRefitSchedule: every count up to 30, then at counts that grow by a tenth, at once; from 150 on at counts that grow by a twentieth, each in effect from
// the next one on.
func TestRefitSchedule(t *testing.T) {
	at := Evidence{}.refitAt
	for n := range 30 {
		if got := at(n); got != (refit{n, n, n + 1}) {
			t.Errorf("after %d: %v", n, got)
		}
	}
	for n, want := range map[int]refit{30: {30, 30, 33}, 32: {30, 30, 33}, 33: {33, 33, 36}, 148: {136, 136, 149}, 149: {149, 149, 163}, 162: {149, 149, 163},
		163: {163, 149, 171}, 170: {163, 149, 171}, 171: {171, 163, 179}, 179: {179, 171, 187}} {
		if got := at(n); got != want {
			t.Errorf("after %d: %v, want %v", n, got, want)
		}
	}
	last := at(30)
	for n := 31; n < 20000; n++ {
		r := at(n)
		fitted, part := last.since, 20
		if n < 164 {
			part = 10
		}
		if n <= 150 {
			fitted = n
		}
		switch growth := r.since - last.since; {
		case r == last:
		case r.since != n || r.since != last.next || r.fitted != fitted || growth != last.since/part:
			t.Fatalf("the schedule goes from %v to %v at %d", last, r, n)
		}
		last = r
	}
	perRater := Evidence{PerRater: true}.refitAt
	for n, want := range map[int]int{29: 29, 30: 30, 32: 30, 33: 33, 149: 149, 163: 149, 178: 149, 179: 163, 258: 215, 259: 236, 10000: 236} {
		if got := perRater(n).fitted; got != want {
			t.Errorf("per rater after %d: fitted to %d, want %d (%v)", n, got, want, perRater(n))
		}
	}
}

// simulated returns n duels in d dimensions about a bowl with its top at 0.3, answered with noise.
func simulated(n, d int, seed uint64) *gp.Duels {
	rng := rand.New(rand.NewPCG(seed, 1))
	duels := &gp.Duels{Dim: d}
	f := func(x []float64) (v float64) {
		for _, x := range x {
			v -= 20 * (x - 0.3) * (x - 0.3)
		}
		return v
	}
	a, b := make([]float64, d), make([]float64, d)
	for range n {
		for j := range d {
			a[j], b[j] = rng.Float64(), rng.Float64()
		}
		o := gp.Outcome(1)
		if g := f(a) - f(b) + rng.NormFloat64(); math.Abs(g) < 0.3 {
			o = 0
		} else if g < 0 {
			o = -1
		}
		if err := duels.Add(a, b, o); err != nil {
			panic(err)
		}
	}
	return duels
}

func head(d *gp.Duels, n int) *gp.Duels {
	return &gp.Duels{Dim: d.Dim, A: d.A[:n*d.Dim], B: d.B[:n*d.Dim], Outcome: d.Outcome[:n]}
}

var ctx = context.Background()

// tiesModel is the model of a shared study with ties.
func tiesModel() gp.Model {
	return gp.Model{Noise: 1, Answers: gp.Answers{Ties: true}, RaterNoise: gp.DefaultRaterNoise()}.WithDefaults()
}

// lower sets a limit for one test.
func lower[T any](t *testing.T, limit *T, to T) {
	old := *limit
	*limit = to
	t.Cleanup(func() { *limit = old })
}

// fingerprint is a posterior to the last bit: hyper-parameters, evidence, and mean and variance on a grid.
func fingerprint(p *gp.Posterior) []uint64 {
	h := p.Hyper()
	v := append(slices.Clone(h.Kernel.Lengthscale), h.Kernel.Outputscale, p.Evidence())
	v = append(v, h.Cuts...)
	x := make([]float64, p.Dim())
	for i := range 25 {
		for j := range x {
			x[j] = math.Mod(0.05+0.37*float64(i*(j+1)), 1)
		}
		v = append(v, p.Mean(x), p.Variance(x))
	}
	bits := make([]uint64, len(v))
	for i := range v {
		bits[i] = math.Float64bits(v[i])
	}
	return bits
}

// TestRefitting: between two counts of the schedule hyper-parameters stay and answers still count.
func TestRefitting(t *testing.T) {
	all := simulated(171, 1, 4)
	f := &Cache{Model: tiesModel()}
	get := func(n int) *gp.Posterior {
		p, err := f.Get(ctx, Evidence{Duels: head(all, n)})
		if err != nil {
			t.Fatal(err)
		}
		return p.Post
	}
	at149, at156, at170, at171 := get(149), get(156), get(170), get(171)
	scale := func(p *gp.Posterior) float64 { return p.Hyper().Kernel.Lengthscale[0] }
	if scale(at149) != scale(at156) || scale(at149) != scale(at170) || scale(at170) == scale(at171) {
		t.Errorf("lengthscales at 149, 156, 170, 171: %v, %v, %v, %v; want the first three equal", scale(at149), scale(at156), scale(at170), scale(at171))
	}
	if fitted, err := f.Model.Fit(ctx, head(all, 163), nil); err != nil || scale(at171) != scale(fitted) {
		t.Errorf("lengthscale at 171: %v, want that of the first 163 (%v)", scale(at171), err)
	}
	if x := []float64{0.3}; at149.Variance(x) == at156.Variance(x) {
		t.Error("seven answers changed nothing")
	}
	want, err := f.Model.Condition(head(all, 156), at149.Hyper(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0, 0.3, 0.8} { // other starts of EP agree to its tolerance of so many answers, 1e-4 a site
		if got, want := at156.Mean([]float64{x}), want.Mean([]float64{x}); math.Abs(got-want) > 3e-4 {
			t.Errorf("mean at %g is %g, want %g", x, got, want)
		}
	}
}

// TestPrepare: while a study goes on the next hyper-parameters are fitted before they are needed, once, and a process that was opened later has the same bits.
func TestPrepare(t *testing.T) {
	lower(t, &RefitAlways, 40)
	lower(t, &RefitAtOnce, 40)
	lower(t, &RefitEarly, 20)
	lower(t, &DenseLimit, 46)
	lower(t, &PlainLimit, 52)
	all := simulated(56, 2, 8)
	for name, make := range map[string]func() *Cache{
		"fitted": func() *Cache {
			return &Cache{Model: tiesModel(), Alternatives: []Alternative{{Model: tiesModel(), Odds: 1}}}
		},
		"averaged": func() *Cache { return &Cache{Averaged: []gp.Model{tiesModel()}} },
	} {
		f := make()
		for n := 39; n <= 56; n++ {
			step := Evidence{}.refitAt(n)
			if n > 41 && n == step.since { // the fit before has begun to prepare it
				of := newFit(Evidence{Duels: head(all, n)})
				if f.prefix(of, of.Head(of.fitted)); !of.continued {
					t.Errorf("%s: after %d duels the hyper-parameters of %d are not prepared", name, n, step.fitted)
				}
			}
			got, err := f.Get(ctx, Evidence{Duels: head(all, n)})
			if err != nil {
				t.Fatal(err)
			}
			if n%3 > 0 && n != step.since {
				continue
			}
			want, err := make().Get(ctx, Evidence{Duels: head(all, n)})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(fingerprint(got.Post), fingerprint(want.Post)) || !slices.Equal(got.Belief.Weights, want.Belief.Weights) {
				t.Errorf("%s: after %d duels a process that lived through them believes other things than one that was opened", name, n)
			}
		}
	}
}

// TestFitDependsOnDuelsAlone: whatever was asked for before, the same list has the same bits.
func TestFitDependsOnDuelsAlone(t *testing.T) {
	all := simulated(40, 2, 5)
	fresh := func(n int) []uint64 {
		p, err := (&Cache{Model: tiesModel()}).Get(ctx, Evidence{Duels: head(all, n)})
		if err != nil {
			t.Fatal(err)
		}
		return fingerprint(p.Post)
	}
	f := &Cache{Model: tiesModel()}
	for _, n := range []int{0, 1, 40, 3, 40, 39, 20, 0} {
		p, err := f.Get(ctx, Evidence{Duels: head(all, n)})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(fingerprint(p.Post), fresh(n)) {
			t.Errorf("%d duels: the posterior depends on what was asked before", n)
		}
	}
}

// TestFitCache: the same list is not fitted twice; another one of the same length is.
func TestFitCache(t *testing.T) {
	f := &Cache{Model: tiesModel()}
	a, b := simulated(10, 2, 1), simulated(10, 2, 1)
	p, _ := f.Get(ctx, Evidence{Duels: a})
	if q, _ := f.Get(ctx, Evidence{Duels: b}); p != q {
		t.Error("equal duels were fitted twice")
	}
	for name, change := range map[string]func(*gp.Duels){
		"outcome": func(d *gp.Duels) { d.Outcome[9] = -d.Outcome[9] + 1 - d.Outcome[9]*d.Outcome[9] },
		"first":   func(d *gp.Duels) { d.A[19] = math.Nextafter(d.A[19], 2) },
		"second":  func(d *gp.Duels) { d.B[0] = math.Nextafter(d.B[0], 2) },
	} {
		c := simulated(10, 2, 1)
		change(c)
		if q, _ := f.Get(ctx, Evidence{Duels: c}); p == q {
			t.Errorf("another %s: an old posterior was returned", name)
		}
	}
}

// TestFitInAHurry: who cannot wait gets an error, and does not spoil the fit for who can.
func TestFitInAHurry(t *testing.T) {
	all := simulated(60, 2, 6)
	f := &Cache{Model: tiesModel()}
	cause := errors.New("no time")
	gone, cancel := context.WithCancelCause(ctx)
	cancel(cause)
	if _, err := f.Get(gone, Evidence{Duels: all}); !errors.Is(err, cause) {
		t.Fatalf("error %v, want the context's cause", err)
	}
	patient, err := f.Get(ctx, Evidence{Duels: all})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.kept) != 1 {
		t.Errorf("%d fits were started, want 1", len(f.kept))
	}
	if again, err := f.Get(gone, Evidence{Duels: all}); err != nil || again != patient {
		t.Errorf("a fit that is ready takes no time, but %v", err)
	}
	want, err := tiesModel().Fit(ctx, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(fingerprint(patient.Post), fingerprint(want)) {
		t.Error("the caller in a hurry changed the fit")
	}
}

func TestFitConcurrently(t *testing.T) {
	f := &Cache{Model: tiesModel()}
	all := simulated(20, 2, 7)
	var want [3][]uint64
	for k := range want {
		p := newFit(Evidence{Duels: head(all, 18+k)})
		if err := f.compute(p); err != nil {
			t.Fatal(err)
		}
		want[k] = fingerprint(p.Post)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 4 {
				k := (g*i + g) % 3
				p, err := f.Get(ctx, Evidence{Duels: head(all, 18+k)})
				if err != nil {
					t.Error(err)
				} else if !slices.Equal(fingerprint(p.Post), want[k]) {
					t.Errorf("goroutine %d got another posterior", g)
				}
			}
		})
	}
	wg.Wait()
}

// TestMany: beyond DenseLimit inference is sparse; reduced where there are levels; with hyper-parameters and inducing duels or points of the first duels of the
// schedule.
func TestMany(t *testing.T) {
	lower(t, &DenseLimit, 35)
	lower(t, &RefitAlways, 30)
	lower(t, &RefitAtOnce, 30)
	lower(t, &RefitEarly, 20)
	for _, c := range []struct {
		limit  int
		levels bool
		want   gp.Inference
	}{{limit: 1000, want: gp.Sparse}, {limit: 1000, levels: true, want: gp.Reduced}, {limit: 39, levels: true, want: gp.Reduced}} {
		lower(t, &PlainLimit, c.limit)
		ev := Evidence{Duels: simulated(41, 2, 8)}
		if c.levels {
			ev.Duels.Level = make([]bool, 41)
			ev.Duels.Level[slices.Index(ev.Duels.Outcome, 1)] = true
		}
		model := tiesModel()
		model.Trend = gp.Gamma(2, 0.15)
		got, err := (&Cache{Model: model}).Get(ctx, ev)
		if err != nil {
			t.Fatal(err)
		}
		m := model
		m.Inference = c.want
		base, err := m.Fit(ctx, ev.Head(ev.refitAt(41).fitted).Duels, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := m.Continue(ev.Duels, base.State())
		if err != nil {
			t.Fatal(err)
		}
		if ev.refitAt(41).fitted == 41 || got.Post.State().Inference != c.want || !slices.Equal(fingerprint(got.Post), fingerprint(want)) {
			t.Errorf("beyond %d duels, levels %t: the posterior is not the %v one", c.limit, c.levels, c.want)
		}
	}
}

// TestResume: a cache that resumes from the states and the average of another one restores them, with the same bits.
func TestResume(t *testing.T) {
	lower(t, &RefitAlways, 20)
	for _, n := range []int{12, 24} {
		ev := Evidence{Duels: head(simulated(24, 2, 5), n)}
		ask, tell := &Cache{Model: tiesModel()}, &Cache{Averaged: []gp.Model{tiesModel()}}
		fit, err := ask.Get(ctx, ev)
		if err != nil {
			t.Fatal(err)
		}
		mean, err := tell.Get(ctx, ev)
		if err != nil {
			t.Fatal(err)
		}
		key, average := tell.Mean(mean)
		ask2, tell2 := &Cache{Model: ask.Model}, &Cache{Averaged: tell.Averaged}
		ask2.Resume(ask.States(fit), nil)
		tell2.Resume(nil, map[string]Average{key: average})
		if p := ask2.restore(ask.Model, ask.Model, ev, fit.fitted); p == nil || !slices.Equal(fingerprint(p), fingerprint(fit.Post)) {
			t.Errorf("%d duels: the states do not hold the posterior", n)
		}
		if x, _ := tell2.restoreAverage(tell.Averaged, mean); x == nil || x.Len() != len(mean.Belief.Parts) || !slices.Equal(fingerprint(x.Posterior(0)), fingerprint(mean.Post)) {
			t.Errorf("%d duels: the average is not restored", n)
		}
	}
}

// TestResumeAtFit: a cache that resumes from what another had after exactly the answers of the next fit learns the same later as one that does not: what was
// kept has older hyper-parameters.
func TestResumeAtFit(t *testing.T) {
	lower(t, &RefitAlways, 15)
	lower(t, &RefitAtOnce, 15)
	lower(t, &RefitGrowth, 5)
	all := Evidence{Duels: simulated(30, 2, 5)}
	c := all.refitAt(30).fitted
	if c == 30 || all.refitAt(c).fitted == c {
		t.Fatalf("after %d duels hyper-parameters of %d are in effect", c, all.refitAt(c).fitted)
	}
	for _, averaged := range []bool{false, true} {
		cache := func() *Cache {
			if averaged {
				return &Cache{Averaged: []gp.Model{tiesModel()}}
			}
			return &Cache{Model: tiesModel()}
		}
		get := func(f *Cache, n int) *Fit {
			fit, err := f.Get(ctx, all.Head(n))
			if err != nil {
				t.Fatal(err)
			}
			return fit
		}
		lived, opened := cache(), cache()
		if at := get(lived, c); averaged {
			key, mean := lived.Mean(at)
			opened.Resume(nil, map[string]Average{key: mean})
			ahead := newFit(all.Head(c)) // as Cache.prepare has it
			ahead.refit = all.refitAt(30)
			if x, _ := opened.restoreAverage(opened.Averaged, ahead); x != nil {
				t.Error("an average of older hyper-parameters is restored for newer ones")
			}
		} else {
			opened.Resume(lived.States(at), nil)
		}
		if a, b := get(lived, 30), get(opened, 30); !slices.Equal(fingerprint(a.Post), fingerprint(b.Post)) {
			t.Errorf("averaged %t: another posterior after resuming", averaged)
		}
	}
}

// TestKeepPrefix: what many raters learn from the same first answers stays while each is fitted alone.
func TestKeepPrefix(t *testing.T) {
	cache := new(Cache)
	crowd := prefixFit{Evidence: Evidence{Duels: simulated(40, 1, 1), PerRater: true}}
	cache.keepPrefix(newFit(crowd.Evidence), crowd)
	for seed := range uint64(9) {
		one := prefixFit{Evidence: Evidence{Duels: simulated(40, 1, 2+seed)}}
		cache.keepPrefix(newFit(one.Evidence), one)
	}
	if len(cache.prefixes) != 1+keptPrefixes || !cache.prefixes[0].TeachesSame(crowd.Evidence) {
		t.Errorf("%d are kept, the first per rater: %v", len(cache.prefixes), cache.prefixes[0].PerRater)
	}
}
