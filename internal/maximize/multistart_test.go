package maximize

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// wavy returns a function with many maxima in the unit cube, the global one near ⅔ in every coordinate, and scratch
// of its own: a data race if two workers shared one.
func wavy() Objective {
	var scratch []float64
	return func(x, grad []float64) float64 {
		scratch = append(scratch[:0], x...)
		var f float64
		for i, v := range scratch {
			f += math.Sin(9*v) - 2*(v-0.7)*(v-0.7)
			if grad != nil {
				grad[i] = 9*math.Cos(9*v) - 4*(v-0.7)
			}
		}
		return f
	}
}

func cube(d int) (lo, hi []float64) { return repeat(d, 0), repeat(d, 1) }

func uniform(seed uint64, n int) []float64 {
	r := rand.New(rand.NewPCG(9, seed))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.Float64()
	}
	return x
}

func TestMultiStartFindsGlobalMaximum(t *testing.T) {
	const d = 3
	lo, hi := cube(d)
	best, all := MultiStart{}.Maximize(context.Background(), wavy, lo, hi, uniform(1, 64*d))
	if unfinished(best) || len(all) != 8 {
		t.Fatalf("%d results, best %+v", len(all), best)
	}
	// One coordinate at a time on a grid: the function is separable.
	want := math.Inf(-1)
	f := wavy()
	for i := range 100001 {
		want = max(want, f([]float64{float64(i) / 1e5}, nil))
	}
	if !near(best.Value, d*want, 1e-8) {
		t.Errorf("maximum %v, want %v", best.Value, d*want)
	}
	for _, r := range all {
		if r.Value > best.Value || r.Status > Stalled {
			t.Errorf("result %+v beside the best %v", r, best.Value)
		}
	}
}

// TestMultiStartWorkers: the number of workers changes no bit.
func TestMultiStartWorkers(t *testing.T) {
	const d = 5
	lo, hi := cube(d)
	raw := uniform(2, 200*d)
	run := func(workers int) (Result, []Result) {
		best, all := MultiStart{Workers: workers, Starts: 20}.Maximize(context.Background(), wavy, lo, hi, raw)
		if unfinished(best) {
			t.Fatalf("%+v", best)
		}
		return best, all
	}
	best, all := run(1)
	for _, w := range []int{0, 2, 3, 8, 100} {
		if b, a := run(w); !reflect.DeepEqual(b, best) || !reflect.DeepEqual(a, all) {
			t.Errorf("%d workers differ from one", w)
		}
	}
}

// TestMultiStartTies: of equal maxima the earliest start wins.
func TestMultiStartTies(t *testing.T) {
	f := func() Objective {
		return func(x, grad []float64) float64 { // −(x² − ¼)²: two maxima, ±½, of equal value 0
			q := x[0]*x[0] - 0.25
			if grad != nil {
				grad[0] = -4 * q * x[0]
			}
			return -q * q
		}
	}
	for _, s := range [][]float64{{-0.5, 0.5}, {0.5, -0.5}} {
		best, all := MultiStart{}.From(context.Background(), f, []float64{-1}, []float64{1}, s)
		if unfinished(best) || len(all) != 2 || best.X[0] != s[0] {
			t.Errorf("starts %v: best %+v", s, best)
		}
	}
}

func TestMultiStartFrom(t *testing.T) {
	lo, hi := cube(2)
	starts := []float64{0.1, 0.1, 0.9, 0.9, 7, -7, 0.1, 0.1} // one outside, one twice
	best, all := MultiStart{Starts: 1}.From(context.Background(), wavy, lo, hi, starts)
	if unfinished(best) || len(all) != 4 {
		t.Fatalf("%d results, best %+v", len(all), best)
	}
	for i, r := range all {
		want := NewLocal(2, Settings{}).Maximize(context.Background(), wavy(), lo, hi, starts[2*i:][:2])
		if !slices.Equal(r.X, want.X) || r.Value != want.Value {
			t.Errorf("start %d: %+v, a local search gives %+v", i, r, want)
		}
	}
	// Results are the caller's: changing one changes no other.
	best.X[0] = 42
	for _, r := range all {
		if r.X[0] == 42 {
			t.Error("best shares memory with all")
		}
	}
}

// TestMultiStartNotFinite: NaN never wins, and where there is nothing else the status says so.
func TestMultiStartNotFinite(t *testing.T) {
	lo, hi := cube(1)
	half := func() Objective { // NaN or +Inf outside [0.4, 0.6]
		return func(x, grad []float64) float64 {
			if x[0] < 0.4 {
				return math.NaN()
			}
			if x[0] > 0.6 {
				return math.Inf(1)
			}
			if grad != nil {
				grad[0] = -2 * (x[0] - 0.5)
			}
			return -(x[0] - 0.5) * (x[0] - 0.5)
		}
	}
	best, all := MultiStart{Starts: 4}.Maximize(context.Background(), half, lo, hi, []float64{0.1, 0.9, 0.45, 0.2})
	if unfinished(best) || !near(best.X[0], 0.5, 1e-4) || len(all) != 4 {
		t.Errorf("best %+v of %d", best, len(all))
	}
	for _, bad := range []float64{math.NaN(), math.Inf(-1), math.Inf(1)} {
		f := func() Objective { return func(x, grad []float64) float64 { return bad } }
		best, all = MultiStart{}.Maximize(context.Background(), f, lo, hi, []float64{0.1, 0.9})
		if len(all) != 2 || best.X[0] != 0.1 || best.Status != NotFinite {
			t.Errorf("all %v: best %+v", bad, best)
		}
	}
}

// TestMultiStartCancelled cancels before, during the raw evaluations, and during the local searches: there is always
// a best point, the best seen.
func TestMultiStartCancelled(t *testing.T) {
	const d, raw = 4, 30
	lo, hi := cube(d)
	for _, after := range []int64{0, 1, 7, raw, raw + 1, raw + 10} {
		for _, workers := range []int{1, 4} {
			ctx, cancel := context.WithCancel(context.Background())
			if after == 0 {
				cancel()
			}
			var evals atomic.Int64
			var counting sync.Mutex // nobody evaluates between the count and the cancelling
			seen := make(chan float64, 10000)
			f := func() Objective {
				inner := wavy()
				return func(x, grad []float64) float64 {
					counting.Lock()
					if evals.Add(1) == after {
						cancel()
					}
					counting.Unlock()
					v := inner(x, grad)
					seen <- v
					return v
				}
			}
			best, all := MultiStart{Workers: workers}.Maximize(ctx, f, lo, hi, uniform(3, raw*d))
			close(seen)
			top := math.Inf(-1)
			for v := range seen {
				top = max(top, v)
			}
			if best.Status != Cancelled || best.Value != top || len(best.X) != d {
				t.Errorf("after %d, %d workers: best %+v of seen %v", after, workers, best, top)
			}
			if v := wavy()(best.X, nil); v != best.Value {
				t.Errorf("after %d: value %v at %v is really %v", after, best.Value, best.X, v)
			}
			if after <= 7 && all != nil || after > raw+1 && len(all) == 0 {
				t.Errorf("after %d: %d local results", after, len(all))
			}
			if n := evals.Load(); n > max(1, after)+int64(workers) {
				t.Errorf("after %d, %d workers: %d evaluations", after, workers, n)
			}
			cancel()
		}
	}

	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	slow := func() Objective {
		f := wavy()
		return func(x, grad []float64) float64 { time.Sleep(100 * time.Microsecond); return f(x, grad) }
	}
	if best, _ := (MultiStart{}).Maximize(ctx, slow, lo, hi, uniform(3, 1000*d)); best.Status != Cancelled {
		t.Errorf("deadline: best %+v", best)
	}
}

// TestMultiStartPanic: a panic in an objective reaches the caller's goroutine.
func TestMultiStartPanic(t *testing.T) {
	lo, hi := cube(1)
	for _, workers := range []int{1, 3} {
		func() {
			defer func() {
				s, _ := recover().(string)
				if !strings.Contains(s, "out of sugar") {
					t.Errorf("%d workers: recovered %q", workers, s)
				}
			}()
			f := func() Objective { return func(x, grad []float64) float64 { panic("out of sugar") } }
			MultiStart{Workers: workers}.Maximize(context.Background(), f, lo, hi, []float64{0.1, 0.2, 0.3})
		}()
	}
}

func TestMultiStartMisuse(t *testing.T) {
	lo, hi := cube(2)
	ctx := context.Background()
	for _, c := range []struct {
		name string
		m    MultiStart
		raw  []float64
	}{
		{"0 numbers", MultiStart{}, nil},
		{"3 numbers", MultiStart{}, make([]float64, 3)},
		{"Starts = -1", MultiStart{Starts: -1}, make([]float64, 2)},
		{"Workers = -1", MultiStart{Workers: -1}, make([]float64, 2)},
		{"Spread = NaN", MultiStart{Spread: math.NaN()}, make([]float64, 2)},
		{"settings", MultiStart{Settings: Settings{Memory: -1}}, make([]float64, 2)},
	} {
		mustPanic(t, c.name, func() { c.m.Maximize(ctx, wavy, lo, hi, c.raw) })
		if c.name[0] != 'S' {
			mustPanic(t, c.name, func() { c.m.From(ctx, wavy, lo, hi, c.raw) })
		}
	}
	mustPanic(t, "variable 0", func() { MultiStart{}.Maximize(ctx, wavy, hi, lo, make([]float64, 2)) })
}

// TestMultiStartObjectives: one per worker at most, however many phases and tasks there are.
func TestMultiStartObjectives(t *testing.T) {
	lo, hi := cube(2)
	for _, workers := range []int{1, 3} {
		var made atomic.Int64
		f := func() Objective { made.Add(1); return wavy() }
		if best, _ := (MultiStart{Workers: workers}).Maximize(context.Background(), f, lo, hi, uniform(4, 200)); unfinished(best) {
			t.Fatalf("%+v", best)
		}
		if n := made.Load(); n < 1 || n > int64(workers) {
			t.Errorf("%d objectives for %d workers", n, workers)
		}
	}
}

// TestMultiStartRawIsLowerBound: the result is at least as good as every raw point.
func TestMultiStartRawIsLowerBound(t *testing.T) {
	const d = 2
	lo, hi := cube(d)
	f := wavy()
	for seed := range uint64(30) {
		raw := uniform(seed, 20*d)
		best, _ := MultiStart{Starts: 1}.Maximize(context.Background(), wavy, lo, hi, raw)
		if unfinished(best) {
			t.Fatalf("%+v", best)
		}
		for i := 0; i < len(raw); i += d {
			if v := f(raw[i:][:d], nil); v > best.Value {
				t.Errorf("seed %d: raw value %v above the maximum %v", seed, v, best.Value)
			}
		}
	}
}

// unfinished reports whether a search was cut short, or found nothing finite.
func unfinished(best Result) bool { return best.Status == Cancelled || !finite(best.Value) }
