package normal

import (
	"math"
	"testing"
)

func TestTail(t *testing.T) {
	ratio, excess := track(t, "R", sharp), track(t, "D", sharp)
	variance, third, k4 := track(t, "V", sharp), track(t, "T", 2*sharp), track(t, "K", 2*sharp)
	for _, r := range golden(t, "tail.json") {
		x := r["x"]
		got := upperTail(x)
		ratio.rel(got.ratio, r["ratio"], x)
		excess.rel(got.excess(), r["excess"], x)
		variance.rel(got.variance, r["variance"], x)
		third.rel(got.third, r["third"], x)
		k4.rel(fourth(x), r["fourth"], x)
	}
}

func TestTailAtInfinity(t *testing.T) {
	got := upperTail(math.Inf(1))
	if got.ratio != 0 || got.excess() != 0 || got.variance != 0 || got.third != 0 || fourth(math.Inf(1)) != 0 {
		t.Errorf("upperTail(Inf) = %+v", got)
	}
}
