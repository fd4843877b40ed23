package prefer

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkVerdict is a verdict after so many answers about so many parameters, hyper-parameters and all.
func BenchmarkVerdict(b *testing.B) {
	for _, size := range [][2]int{{1, 12}, {2, 30}, {6, 60}, {6, 120}} {
		for _, kind := range []string{beliefLikeliest, beliefAveraged} {
			b.Run(fmt.Sprintf("%s/d=%d/n=%d", kind, size[0], size[1]), func(b *testing.B) {
				s := seen(b, size[0], size[1], Config{Modelling: Modelling{Belief: kind}}, func(u []float64) float64 { return -8 * (u[0] - 0.4) * (u[0] - 0.4) })
				for b.Loop() {
					again := reopen(b, s.Events(0))
					if _, err := again.Verdict(ctx, Look{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkMixedQuestion is a question of a study of five mixed parameters that three raters have answered so often: hyper-parameters and
// their average for the forecast, the noise of each rater, and the search; with and without a constraint.
func BenchmarkMixedQuestion(b *testing.B) {
	names := []string{"ann", "bob", "cem"}
	for _, walls := range []bool{false, true} {
		for _, n := range []int{30, 90} {
			b.Run(fmt.Sprintf("walls=%t/n=%d", walls, n), func(b *testing.B) {
				space := poster()
				if !walls {
					space.Constraints = nil
				}
				s := start(b, Config{Space: space, Method: "kg", Seed: 3})
				rng := rand.New(rand.NewPCG(3, uint64(n)))
				design := start(b, Config{Space: space, Method: "random", Seed: 4})
				for i := range n {
					q := ask(b, design, names[i%3])
					c := First
					if posterTaste(q.First)-posterTaste(q.Second)+0.5*rng.NormFloat64() < 0 {
						c = Second
					}
					tell(b, design, q.ID, c)
					if _, err := s.Observe(ctx, Duel{First: q.First, Second: q.Second, Rater: names[i%3], Answer: Answer{Choice: c}}); err != nil {
						b.Fatal(err)
					}
				}
				for b.Loop() {
					ask(b, reopen(b, s.Events(0)), names[0])
				}
			})
		}
	}
}
