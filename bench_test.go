package prefer

import (
	"fmt"
	"testing"
)

// BenchmarkVerdict is a verdict after so many answers about so many parameters, hyper-parameters and all.
func BenchmarkVerdict(b *testing.B) {
	for _, size := range [][2]int{{1, 12}, {2, 30}, {6, 60}, {6, 120}} {
		for _, kind := range []BeliefKind{Likeliest, Averaged} {
			b.Run(fmt.Sprintf("%s/d=%d/n=%d", kind, size[0], size[1]), func(b *testing.B) {
				s := seen(b, size[0], size[1], Config{Belief: kind}, func(u []float64) float64 { return -8 * (u[0] - 0.4) * (u[0] - 0.4) })
				for b.Loop() {
					again := reopen(b, s.Events())
					if _, err := again.Verdict(ctx, ""); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
