package crowd

import "testing"

// TestFollow: by exact enumeration, looked at after every answer, a rater who answers by taste is taken for one who follows the order with a probability of
// 1.5 % within 100 answers and less than 2 % within 300; one who takes what is shown first in every second call is found within 60 answers with 85 %, and one
// who always does after ten.
func TestFollow(t *testing.T) {
	for _, c := range []struct {
		first    float64 // probability that a preference is for what was shown first
		answers  int
		from, to float64 // probability of being flagged after any of these answers
	}{
		{0.5, 100, 0.005, 0.015},
		{0.5, 300, 0.005, 0.02},
		{0.75, 30, 0.45, 1},
		{0.75, 60, 0.84, 1},
		{0.75, 100, 0.98, 1},
		{1, 9, 0, 0},
		{1, 10, 1, 1},
	} {
		flagged, open := 0.0, []float64{1} // of those not yet flagged, by how many preferences are for what was shown first
		for n := 1; n <= c.answers; n++ {
			next := make([]float64, n+1)
			for k, p := range open {
				next[k] += p * (1 - c.first)
				next[k+1] += p * c.first
			}
			for k, p := range next {
				if (Sides{First: k, Of: n}).Follow() {
					flagged, next[k] = flagged+p, 0
				}
			}
			open = next
		}
		if flagged < c.from || flagged > c.to {
			t.Errorf("first with %v: flagged within %d answers with %.4f, want %v to %v", c.first, c.answers, flagged, c.from, c.to)
		}
	}
}
