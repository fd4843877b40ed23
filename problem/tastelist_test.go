package problem

import (
	"math"
	"testing"
)

// TestListFollowsFeatures: what features tell has 1/(1 + 0.3²) = 92 % of the variance of a list.
func TestListFollowsFeatures(t *testing.T) {
	var share, n float64
	for _, a := range tastes(t, 13, 40, TasteOptions{Shape: List, Family: "linear", Dim: 2, Items: 200}) {
		// Least squares on all levels and values is long; the nearest item by features must be near in utility.
		var near, any float64
		for i, x := range a.Items {
			best, at := math.Inf(1), 0
			for k, y := range a.Items {
				q := 0.0
				for j, p := range a.Parts {
					d := x[j] - y[j]
					if p.Kind != Continuous && d != 0 {
						d = 1
					}
					q += d * d
				}
				if k != i && q < best {
					best, at = q, k
				}
			}
			u := a.Utility([]float64{float64(i)})
			near += square(u - a.Utility([]float64{float64(at)}))
			any += 2 * square(a.Spread)
		}
		share += 1 - near/any
		n++
	}
	if share /= n; share < 0.8 || share > 0.95 {
		t.Errorf("features tell %.2f of the variance", share)
	}
}
