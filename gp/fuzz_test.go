package gp

import (
	"encoding/binary"
	"math"
	"testing"
)

// FuzzDuels feeds arbitrary duels, outcomes and hyper-parameters to every inference: either an
// error, or a posterior whose means and variances are finite and not larger than the prior allows.
func FuzzDuels(f *testing.F) {
	seed := func(v ...float64) []byte {
		var b []byte
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	f.Add(uint8(0), uint8(0), 0.3, 2.0, []byte{1, 255}, seed(0.1, 0.2, 0.3, 0.4))
	f.Add(uint8(1), uint8(3), 0.01, 1e5, []byte{0, 1, 2}, seed(0.5, 0.5, 0.5, 0.5, 0, 1))
	f.Add(uint8(2), uint8(1), 50.0, 1e-3, []byte{0}, seed(math.NaN(), 1))
	f.Add(uint8(3), uint8(2), 1.0, 1.0, []byte{1, 1, 1}, seed(0, 1e-300, 1, 1, 1e9, -1e9))
	f.Fuzz(func(t *testing.T, inf, kind uint8, length, scale float64, outcomes, coords []byte) {
		a := []Answers{{}, {Ties: true}, {Grades: 1}, {Ties: true, Grades: 2}}[kind%4]
		ds := &Duels{Dim: 1}
		for i := 0; i < len(outcomes) && i < 12 && 16*(i+1) <= len(coords); i++ {
			x := math.Float64frombits(binary.LittleEndian.Uint64(coords[16*i:]))
			y := math.Float64frombits(binary.LittleEndian.Uint64(coords[16*i+8:]))
			if err := ds.Add([]float64{x}, []float64{y}, Outcome(outcomes[i])); err != nil {
				continue // refused, and nothing changed: the next one may be fine
			}
		}
		m := Model{Inference: Inference(inf % 4), Answers: a, SparseOptions: SparseOptions{Sobol: 5}}
		h := Hyper{Kernel: Kernel{Lengthscale: []float64{length}, Outputscale: scale}, Cuts: testCuts(a)}
		p, err := m.Condition(ds, h, nil)
		if err != nil {
			return
		}
		if scale > maxOutputscale || scale < minOutputscale || length < minLengthscale || length > maxLengthscale {
			return // beyond the bounds of a fit nothing is promised but an answer or an error
		}
		for _, x := range []float64{0, 0.5, 1} {
			mean, v := p.Mean([]float64{x}), p.Variance([]float64{x})
			if math.IsNaN(mean) || math.IsInf(mean, 0) || !(v >= -1e-6*scale && v <= scale*(1+1e-6)) {
				t.Errorf("%v: mean %g, variance %g at %g (outputscale %g, %d duels)", m.Inference, mean, v, x, scale, ds.Len())
			}
		}
	})
}
