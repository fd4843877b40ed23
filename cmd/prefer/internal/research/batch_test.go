package research

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
)

// testPosterior is of twelve duels that a smooth function of two coordinates decided.
func testPosterior(t *testing.T) *gp.Posterior {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 12))
	d := &gp.Duels{Dim: 2}
	for range 12 {
		a, b := []float64{rng.Float64(), rng.Float64()}, []float64{rng.Float64(), rng.Float64()}
		o := gp.Outcome(1)
		if a[0]*(1-a[0])+a[1] < b[0]*(1-b[0])+b[1] {
			o = -1
		}
		if err := d.Add(a, b, o); err != nil {
			t.Fatal(err)
		}
	}
	p, err := gp.Model{}.Condition(d, gp.Hyper{Kernel: gp.Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: 4}, Cuts: gp.Cuts{0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// batchOf makes a function of one's own of a formula, and counts calls and rows.
func batchOf(t *testing.T, task acquisition.Task, acq acquisition.Acquisition, calls *[]int) batch {
	t.Helper()
	e := acquisition.NewEvaluator(task.Posterior, acq)
	d := task.Posterior.Dim()
	return func(rows, value, grad []float64) error {
		*calls = append(*calls, len(value))
		for i := range value {
			var g []float64
			if grad != nil {
				g = grad[i*2*d : (i+1)*2*d]
			}
			value[i] = e.At(rows[i*2*d:(i+1)*2*d], g)
		}
		return nil
	}
}

// TestBatchFindsWhatMaximizeFinds: a formula handed in as a function, with its gradient and without, ends at its maximum.
func TestBatchFindsWhatMaximizeFinds(t *testing.T) {
	task := acquisition.Task{Posterior: testPosterior(t), Seed: 2}
	for name, acq := range map[string]acquisition.Acquisition{"eubo": acquisition.EUBO{}, "bald": acquisition.NewBALD(task.Posterior.Answers(), task.Posterior.Hyper().Cuts, 1)} {
		want, err := acquisition.Maximize(t.Context(), task, acq, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, gradient := range []bool{true, false} {
			var calls, again []int
			got, err := maximizeBatch(t.Context(), task, batchOf(t, task, acq, &calls), gradient, 0)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Value-want.Value) > 1e-8 {
				t.Errorf("%s, gradient %t: %.12g, Maximize finds %.12g", name, gradient, got.Value, want.Value)
			}
			if err := task.Check(got); err != nil {
				t.Error(err)
			}
			if v := acquisition.NewEvaluator(task.Posterior, acq).At(slices.Concat(got.A, got.B), nil); v != got.Value {
				t.Errorf("%s: the value is %g, and %g at the question", name, got.Value, v)
			}
			wide := task
			wide.Search.Workers = 8
			same, err := maximizeBatch(t.Context(), wide, batchOf(t, task, acq, &again), gradient, 0)
			if err != nil || !slices.Equal(same.A, got.A) || !slices.Equal(same.B, got.B) || !slices.Equal(calls, again) {
				t.Errorf("%s: another run asks %v, %v in calls of %v: %v", name, same.A, same.B, again, err)
			}
		}
	}
}

func TestBatchHoldsAndBounds(t *testing.T) {
	task := acquisition.Task{Posterior: testPosterior(t), Seed: 2, Lower: []float64{0.2, 0.3}, Upper: []float64{0.6, 0.5}, Hold: []float64{0.9, 0.9}}
	var calls []int
	for _, gradient := range []bool{true, false} {
		c, err := maximizeBatch(t.Context(), task, batchOf(t, task, acquisition.EUBO{}, &calls), gradient, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := task.Check(c); err != nil {
			t.Error(err)
		}
	}
}

// TestBatchFails: an error of the function, at whatever call, ends the search.
func TestBatchFails(t *testing.T) {
	task := acquisition.Task{Posterior: testPosterior(t), Seed: 2}
	broken := errors.New("out of ink")
	for _, at := range []int{1, 3, 7} {
		var calls []int
		f := batchOf(t, task, acquisition.EUBO{}, &calls)
		_, err := maximizeBatch(t.Context(), task, func(rows, value, grad []float64) error {
			if err := f(rows, value, grad); err != nil || len(calls) == at {
				return errors.Join(err, broken)
			}
			return nil
		}, true, 0)
		if !errors.Is(err, broken) || len(calls) != at {
			t.Errorf("after %d calls: %v", len(calls), err)
		}
	}
	if _, err := maximizeBatch(t.Context(), task, nil, false, -1); err == nil || err.Error() != "step = -1, want more than 0 and at most 0.1, or 0 for 1e-05" {
		t.Errorf("a step of -1: %v", err)
	}
}
