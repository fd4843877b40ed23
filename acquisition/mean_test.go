package acquisition

import (
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestMean: the acquisition and the posterior's own mean are one function.
func TestMean(t *testing.T) {
	post := testPosterior(t)
	eval := NewEvaluator(post, Mean{})
	m := gp.NewMoments(1)
	grad, want := make([]float64, 2), make([]float64, 2)
	for _, x := range [][]float64{{0, 0}, {0.3, 0.8}, {1, 0.5}} {
		agree(t, "mean", eval.At(x, grad), post.MeanGradient(m, x, want), 1e-14)
		for i := range grad {
			agree(t, "gradient", grad[i], want[i], 1e-13)
		}
	}
}
