package normal

import (
	"math"
	"testing"
)

func TestPDF(t *testing.T) {
	pdf, log := track(t, "PDF", sharp), track(t, "LogPDF", sharp)
	for _, r := range golden(t, "scalar.json") {
		x := r["x"]
		pdf.rel(PDF(x), r["pdf"], x)
		if r["pdf"] > tiny {
			want := math.Log(r["pdf"])
			log.check(LogPDF(x), want, math.Abs(want), x)
		}
	}
}

func TestPDFLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, x := range []float64{inf, -inf, 1e200, -50} {
		if got := PDF(x); got != 0 {
			t.Errorf("PDF(%v) = %v, want 0", x, got)
		}
	}
	if got := PDF(38.5); got == 0 {
		t.Error("PDF(38.5) = 0, want a subnormal number")
	}
	if got := LogPDF(-inf); got != -inf {
		t.Errorf("LogPDF(-Inf) = %v, want -Inf", got)
	}
	if got := PDF(math.NaN()); !math.IsNaN(got) {
		t.Errorf("PDF(NaN) = %v", got)
	}
}
