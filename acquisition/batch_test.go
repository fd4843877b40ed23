package acquisition

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// batchOf makes a function of one's own of a formula, and counts calls and rows.
func batchOf(t *testing.T, task Task, acq Acquisition, calls *[]int) Batch {
	t.Helper()
	e := NewEvaluator(task.Posterior, acq)
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
	task := Task{Posterior: testPosterior(t), Seed: 2}
	for name, acq := range map[string]Acquisition{"eubo": EUBO{}, "bald": NewBALD(task.Posterior.Answers(), task.Posterior.Hyper().Cuts, 1)} {
		want, err := Maximize(t.Context(), task, acq, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, gradient := range []bool{true, false} {
			var calls, again []int
			got, err := MaximizeBatch(t.Context(), task, batchOf(t, task, acq, &calls), gradient, 0)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Value-want.Value) > 1e-8 {
				t.Errorf("%s, gradient %t: %.12g, Maximize finds %.12g", name, gradient, got.Value, want.Value)
			}
			if err := task.Check(got); err != nil {
				t.Error(err)
			}
			if v := NewEvaluator(task.Posterior, acq).At(append(clone(got.A), got.B...), nil); v != got.Value {
				t.Errorf("%s: the value is %g, and %g at the question", name, got.Value, v)
			}
			wide := task
			wide.Search.Workers = 8
			same, err := MaximizeBatch(t.Context(), wide, batchOf(t, task, acq, &again), gradient, 0)
			if err != nil || !slices.Equal(same.A, got.A) || !slices.Equal(same.B, got.B) || !slices.Equal(calls, again) {
				t.Errorf("%s: another run asks %v, %v in calls of %v: %v", name, same.A, same.B, again, err)
			}
		}
	}
}

func TestBatchHoldsAndBounds(t *testing.T) {
	task := Task{Posterior: testPosterior(t), Seed: 2, Lower: []float64{0.2, 0.3}, Upper: []float64{0.6, 0.5}, Hold: []float64{0.9, 0.9}}
	var calls []int
	for _, gradient := range []bool{true, false} {
		c, err := MaximizeBatch(t.Context(), task, batchOf(t, task, EUBO{}, &calls), gradient, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := task.Check(c); err != nil {
			t.Error(err)
		}
	}
	task.Hold = nil
	task.Accept = func(a, b []float64) bool { return a[0] < 0.4 && b[0] < 0.4 }
	c, err := MaximizeBatch(t.Context(), task, batchOf(t, task, EUBO{}, &calls), true, 0)
	if err != nil || c.A[0] >= 0.4 || c.B[0] >= 0.4 {
		t.Errorf("chose %v and %v, %v", c.A, c.B, err)
	}
}

// TestBatchFails: an error of the function, at whatever call, is that of the search, and so is what is no value.
func TestBatchFails(t *testing.T) {
	task := Task{Posterior: testPosterior(t), Seed: 2}
	broken := errors.New("out of ink")
	for _, at := range []int{1, 3, 7} {
		var calls []int
		f := batchOf(t, task, EUBO{}, &calls)
		_, err := MaximizeBatch(t.Context(), task, func(rows, value, grad []float64) error {
			if err := f(rows, value, grad); err != nil || len(calls) == at {
				return errors.Join(err, broken)
			}
			return nil
		}, true, 0)
		if !errors.Is(err, broken) || len(calls) != at {
			t.Errorf("after %d calls: %v", len(calls), err)
		}
	}
	nan := func(rows, value, grad []float64) error {
		value[len(value)-1] = math.NaN()
		return nil
	}
	if _, err := MaximizeBatch(t.Context(), task, nan, false, 0); err == nil || !strings.Contains(err.Error(), "the function is NaN at [") {
		t.Errorf("NaN: %v", err)
	}
	if _, err := MaximizeBatch(t.Context(), task, nan, false, -1); err == nil || !strings.Contains(err.Error(), "step = -1") {
		t.Errorf("a step of -1: %v", err)
	}
	task.Domain = Cube(2)
	if _, err := MaximizeBatch(t.Context(), task, nan, false, 0); err == nil || !strings.Contains(err.Error(), "Task.Domain") {
		t.Errorf("a domain: %v", err)
	}
}
