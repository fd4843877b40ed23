package acquisition

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestRoot: LLᵀ = C, also where points repeat and where one is known.
func TestRoot(t *testing.T) {
	for _, at := range [][]int{{0, 1, 2, 3}, {0, 0, 1, 1}, {2, 2, 2, 2}, {1, 3, 0, 1}, {4, 0, 4, 1}} {
		l := randomMoments(rand.New(rand.NewPCG(5, 90)), 5)
		for i := range 5 {
			l.Cov[4*5+i], l.Cov[i*5+4] = 0, 0
		}
		m := momentsAt(l, at)
		var r choleskyRoot
		r.factor(4, m.Cov)
		for i := range 4 {
			for j := range 4 {
				sum := 0.0
				for k := range min(i, j) + 1 {
					sum += r.l[i*4+k] * r.l[j*4+k]
				}
				agree(t, "LLᵀ", sum, m.Cov[i*4+j], 1e-14)
			}
		}
		f := make([]float64, 4)
		r.draw(f, m.Mean, []float64{1, -1, 2, 0.5})
		for i := range at {
			for j := range i {
				if at[i] == at[j] && math.Abs(f[i]-f[j]) > 1e-14 {
					t.Errorf("points %v: copies drawn as %g", at, f)
				}
			}
		}
	}
}

// TestMustDraw: an acquisition without draws is a programmer's error, not a NaN.
func TestMustDraw(t *testing.T) {
	for name, a := range map[string]Acquisition{
		"no draws":     QEUBO{Q: 2},
		"half a draw":  LogEI{Q: 2, Normals: make([]float64, 3)},
		"too many":     QEUBO{Q: 9, Normals: make([]float64, 9)},
		"not even one": LogEI{Normals: make([]float64, 3)},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			a.Value(gp.NewMoments(a.Points()), nil)
		})
	}
}
