package problem

import "testing"

var sink float64

func BenchmarkUtility(b *testing.B) {
	for _, p := range All() {
		x := p.Raw(constant(p.Dim, 0.3))
		b.Run(p.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = p.Utility(x)
			}
		})
	}
}

func BenchmarkUnitUtility(b *testing.B) {
	p, u := Hartmann6(), constant(6, 0.3)
	b.ReportAllocs()
	for b.Loop() {
		sink = p.UnitUtility(u)
	}
}

func BenchmarkAnswer(b *testing.B) {
	r := Rater{Problem: Hartmann6(), Sigma: 0.1}
	u1, u2 := constant(6, 0.3), constant(6, 0.4)
	i := uint64(0)
	for b.Loop() {
		r.Answer(u1, u2, At(1, i))
		i++
	}
}

func BenchmarkCalibrate(b *testing.B) {
	for _, p := range Paper() {
		b.Run(p.Name, func(b *testing.B) {
			for b.Loop() {
				sink, _ = Calibrate(p, 0.1, Calibration{})
			}
		})
	}
}
