package prefer

import (
	"math"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

func jointOptions() []space.Option {
	var out []space.Option
	for _, u := range [][]float64{{0.1, 0.5}, {0.9, 0.5}, {0.4, 0.2}, {0.41, 0.2}} {
		out = append(out, optionOf(unitSpace(2), u))
	}
	return out
}

// TestJoint: the diagonal is what Utility says, differences are what Prefers goes by, and no combination has a negative variance.
func TestJoint(t *testing.T) {
	for _, kind := range []string{beliefAveraged, beliefLikeliest} {
		s := seen(t, 2, 15, Config{Modelling: Modelling{Belief: kind}}, tasteFor)
		b, err := s.Belief(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		options := jointOptions()
		mean, cov, err := b.Joint(options)
		if err != nil {
			t.Fatal(err)
		}
		n := len(options)
		for i, o := range options {
			m, sd, err := b.Utility(o)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(mean[i]-m) > 1e-12 || math.Abs(cov[i*n+i]-sd*sd) > 1e-12*math.Max(1, sd*sd) {
				t.Errorf("%s: option %d has mean %g and variance %g, Utility says %g and %g", kind, i, mean[i], cov[i*n+i], m, sd*sd)
			}
			for j := range n {
				if cov[i*n+j] != cov[j*n+i] {
					t.Errorf("%s: cov[%d,%d] = %g, cov[%d,%d] = %g", kind, i, j, cov[i*n+j], j, i, cov[j*n+i])
				}
				x, err := b.units([]space.Option{options[i], options[j]})
				if err != nil {
					t.Fatal(err)
				}
				_, want := b.utility.Sum(x, []float64{1, -1})
				if got := cov[i*n+i] + cov[j*n+j] - 2*cov[i*n+j]; math.Abs(got-want) > 1e-10 {
					t.Errorf("%s: Var[f%d − f%d] = %g by the covariances, %g at once", kind, i, j, got, want)
				}
			}
		}
	}
}

// TestSamples: moments within what chance allows, the same seed the same draws, more of them begin with fewer.
func TestSamples(t *testing.T) {
	const count = 20000
	s := seen(t, 2, 15, Config{}, tasteFor)
	b, err := s.Belief(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	if len(b.utility.Parts) < 2 {
		t.Fatal("the belief is in no doubt about its hyper-parameters, and the test of less than it should be")
	}
	options := jointOptions()
	mean, cov, err := b.Joint(options)
	if err != nil {
		t.Fatal(err)
	}
	draws, err := b.Samples(options, count, 4)
	if err != nil {
		t.Fatal(err)
	}
	n := len(options)
	got, square, fourth := make([]float64, n), make([]float64, n*n), make([]float64, n*n)
	for _, f := range draws {
		for i := range n {
			got[i] += (f[i] - mean[i]) / count
			for j := range n {
				p := (f[i] - mean[i]) * (f[j] - mean[j])
				square[i*n+j] += p / count
				fourth[i*n+j] += p * p / count
			}
		}
	}
	for i := range n {
		if se := math.Sqrt(cov[i*n+i] / count); math.Abs(got[i]) > 4.5*se {
			t.Errorf("mean of option %d is off by %g, its standard error is %g", i, got[i], se)
		}
		for j := range n {
			se := math.Sqrt((fourth[i*n+j] - square[i*n+j]*square[i*n+j]) / count) // by the draws' own fourth moments: they are no normal's
			if math.Abs(square[i*n+j]-cov[i*n+j]) > 4.5*se {
				t.Errorf("covariance of %d and %d is %g ± %g, want %g", i, j, square[i*n+j], se, cov[i*n+j])
			}
		}
	}
	again, _ := b.Samples(options, 10, 4)
	other, _ := b.Samples(options, 10, 5)
	for i := range again {
		if !slices.Equal(again[i], draws[i]) {
			t.Fatalf("draw %d of 10 is %v, of %d %v", i, again[i], count, draws[i])
		}
		if slices.Equal(other[i], again[i]) {
			t.Errorf("two seeds have the same draw %d", i)
		}
	}
	if _, err := b.Samples(options, 0, 1); err == nil {
		t.Error("no samples are samples")
	}
	if _, err := b.Samples([]space.Option{{"x1": space.ValueOf(1)}}, 1, 1); errcode.Of(err) != "option" {
		t.Errorf("samples of what is not an option: %v", err)
	}
}
