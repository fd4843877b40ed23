package statements

import "testing"

func TestBins(t *testing.T) {
	s := Study{Smooth: true, Rater: "ordinary"}
	for i := range 100 {
		s.Statements = append(s.Statements, Statement{Kind: "forecast", Said: 0.5 + float64(i)/200, Held: 1})
	}
	n, odd := 0, s
	odd.Rater = "random"
	for _, b := range newBins([]Study{s, odd}) {
		if n += b.Statements; b.Said < b.From || b.Said >= b.Below {
			t.Errorf("mean %g in the bin from %g to %g", b.Said, b.From, b.Below)
		}
	}
	if n != 100 {
		t.Errorf("%d statements in the bins, want 100", n)
	}
}
