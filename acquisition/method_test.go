package acquisition

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestMethods: every method of the list gives a pair in the box, the same one again, and the same one
// with any number of workers.
func TestMethods(t *testing.T) {
	if len(Methods()) == 0 {
		t.Fatal("no methods")
	}
	p := testPosterior(t)
	for _, name := range Methods() {
		t.Run(name, func(t *testing.T) {
			task := Task{Posterior: p, Shown: []float64{0.1, 0.2, 0.8, 0.9}, Seed: 3, Count: 7,
				Lower: []float64{0.1, 0.1}, Upper: []float64{0.9, 0.8}}
			ask := func(workers int) Choice {
				task.Search.Workers = workers
				c, err := Ask(t.Context(), name, task)
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			c := ask(1)
			for _, x := range [][]float64{c.A, c.B} {
				for j, v := range x {
					if !(v >= task.Lower[j] && v <= task.Upper[j]) {
						t.Errorf("option %v is outside the box", x)
					}
				}
			}
			if c.Partial {
				t.Error("marked partial without a deadline")
			}
			for _, workers := range []int{1, 8} {
				d := ask(workers)
				if !slices.Equal(c.A, d.A) || !slices.Equal(c.B, d.B) || math.Float64bits(c.Value) != math.Float64bits(d.Value) {
					t.Errorf("%d workers: %v, %v (%g), before %v, %v (%g)", workers, d.A, d.B, d.Value, c.A, c.B, c.Value)
				}
			}
		})
	}
}

// TestMethodsCutShort: an ended context still gives a pair, marked.
func TestMethodsCutShort(t *testing.T) {
	p := testPosterior(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range Methods() {
		c, err := Ask(ctx, name, Task{Posterior: p, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.A) != 2 || len(c.B) != 2 {
			t.Errorf("%s: no pair", name)
		}
		if !c.Partial && name != "random" {
			t.Errorf("%s: not marked partial", name)
		}
	}
}

func TestAccept(t *testing.T) {
	p := testPosterior(t)
	plain, err := Ask(t.Context(), "kg", Task{Posterior: p, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(a, b []float64) bool { return !closeTo(a, plain.A, 0.01) || !closeTo(b, plain.B, 0.01) }
	other, err := Ask(t.Context(), "kg", Task{Posterior: p, Seed: 3, Accept: refuse})
	if err != nil {
		t.Fatal(err)
	}
	if !refuse(other.A, other.B) || other.Value > plain.Value {
		t.Errorf("refused %v, %v but was asked %v, %v", plain.A, plain.B, other.A, other.B)
	}
}

// TestAvoid: a pair to be avoided is not asked while another gains a tenth as much; one that gains more than ten times as much as all others is.
func TestAvoid(t *testing.T) {
	p := testPosterior(t)
	plain, err := Ask(t.Context(), "kg", Task{Posterior: p, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	beyond := func(reach float64) func(a, b []float64) bool {
		return func(a, b []float64) bool {
			return closeTo(a, plain.A, reach) && closeTo(b, plain.B, reach) || closeTo(a, plain.B, reach) && closeTo(b, plain.A, reach)
		}
	}
	for _, reach := range []float64{0.01, 0.1, 0.3, 1} {
		avoid := beyond(reach)
		c, err := Ask(t.Context(), "kg", Task{Posterior: p, Seed: 3, Avoid: avoid})
		if err != nil {
			t.Fatal(err)
		}
		best, err := Ask(t.Context(), "kg", Task{Posterior: p, Seed: 3, Accept: func(a, b []float64) bool { return !avoid(a, b) }})
		if err != nil {
			t.Fatal(err)
		}
		other := !avoid(best.A, best.B) && best.Value >= avoidedGain*plain.Value
		if got := !avoid(c.A, c.B); other && !got || !got && c.Value != plain.Value || got && c.Value < avoidedGain*plain.Value {
			t.Errorf("within %g: the best question gains %g, the best other %g, and one that gains %g is asked", reach, plain.Value, best.Value, c.Value)
		}
	}
	if c, err := Ask(t.Context(), "eubo", Task{Posterior: p, Seed: 3, Avoid: func(a, b []float64) bool { return a[0] > 0.5 || b[0] > 0.5 }}); err != nil || c.A[0] > 0.5 || c.B[0] > 0.5 {
		t.Errorf("eubo asks %v | %v, %v, which it is to avoid", c.A, c.B, err)
	}
}

func TestUnknownMethod(t *testing.T) {
	if _, err := Ask(t.Context(), "magic", Task{Posterior: testPosterior(t)}); err == nil {
		t.Error("no error")
	}
	if _, err := Ask(t.Context(), "kg", Task{Posterior: testPosterior(t), Search: Search{Starts: -1}}); err == nil {
		t.Error("negative starts: no error")
	}
}

// TestQuadratic: close to x̂ the predicted gain of the quadratic model is the true one-shot gain at the
// predicted fantasy points, to first order.
func TestQuadratic(t *testing.T) {
	p := testPosterior(t)
	peaks := Recommend(t.Context(), nil, p, nil, nil, 1, 1)
	task := Task{Posterior: p, Seed: 2}.withDefaults()
	best := peaks[0].X
	for j, v := range best {
		if v < 0.02 || v > 0.98 {
			t.Fatalf("the test wants a peak inside the cube, coordinate %d is %g", j, v)
		}
	}
	near := []float64{best[0] + 0.003, best[1], best[0] - 0.003, best[1] + 0.002}
	c := newCandidates(task, peaks, near, nil, nil)
	kg := NewKG(p.Answers(), p.Hyper().Cuts, 1)
	kg.Base = peaks[0].Mean
	r := newRanking(kg, c, newQuadratic(p, c))
	i := len(peaks)
	pair := ranked{i: i, j: i + 1}
	s := r.outcomes(i, i+1)
	var want float64
	for o := range r.prob {
		w := r.tilt[o] / s
		want += w * w / (2 * r.prob[o]) * r.quad.spread(i, i+1)
	}
	x := make([]float64, 8)
	r.start(x, pair)
	got := NewEvaluator(p, kg).At(x, nil)
	if math.Abs(got/want-1) > 0.02 {
		t.Errorf("predicted gain %g, true gain %g", want, got)
	}
}

func TestRecommend(t *testing.T) {
	p := testPosterior(t)
	peaks := Recommend(t.Context(), nil, p, nil, nil, 1, 1)
	for i := 1; i < len(peaks); i++ {
		if peaks[i].Mean > peaks[i-1].Mean {
			t.Error("peaks are not in order")
		}
	}
	for i := range 50 * 50 {
		x := []float64{float64(i%50) / 49, float64(i/50) / 49}
		if m := p.Mean(x); m > peaks[0].Mean+1e-9 {
			t.Errorf("mean %g at %v beats the recommended %g at %v", m, x, peaks[0].Mean, peaks[0].X)
		}
	}
}

// TestFlatMean: before anything is known, and after nothing but ties, the mean has no peak and no
// curvature; every method still gives a pair.
func TestFlatMean(t *testing.T) {
	t.Parallel()
	ties := gp.Model{Answers: gp.Answers{Ties: true}}
	for n := range 5 {
		ds := &gp.Duels{Dim: 2}
		for i := range n {
			if err := ds.Add([]float64{0.1 * float64(i), 0.3}, []float64{0.9, 0.2 * float64(i)}, 0); err != nil {
				t.Fatal(err)
			}
		}
		p, err := ties.Fit(t.Context(), ds, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range Methods() {
			c, err := Ask(t.Context(), name, Task{Posterior: p, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range append(append([]float64(nil), c.A...), c.B...) {
				if !(v >= 0 && v <= 1) {
					t.Errorf("%s after %d ties: %v against %v", name, n, c.A, c.B)
				}
			}
			if name == "kg" && !(c.Value > 0) {
				t.Errorf("after %d ties the best question is worth %g", n, c.Value)
			}
		}
	}
}
