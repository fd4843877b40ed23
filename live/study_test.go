package live

import "testing"

// TestWeight: the estimate is what BenchmarkStudyMemory measured of a study that was just opened, to a factor of two.
func TestWeight(t *testing.T) {
	for n, measured := range map[int]float64{500: 2.15e6, 100: 0.44e6} {
		r := &Study{}
		r.index.standing = n
		if got := float64(r.weight()); got < measured/2 || got > measured*2 {
			t.Errorf("%d answers weigh %.2g, measured %.2g", n, got, measured)
		}
	}
}
