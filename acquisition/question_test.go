//go:build unix

package acquisition

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/gp"
)

// BenchmarkQuestion is a whole question of the knowledge gradient on Hartmann-6 after n answers, 24 of them to quasi-random
// pairs: hyper-parameters and utility from the centres of the priors, then the search, in one thread; "two" believes the plain model
// and cosines by halves. Three studies each, so that no single hill decides. What is reported is processor time, that of the collector
// included, which other people's work on the machine hardly touches.
func BenchmarkQuestion(b *testing.B) {
	for _, name := range []string{"plain", "cosines", "polynomials", "two"} {
		models := []gp.Model{asking()[name]}
		if name == "two" {
			models = []gp.Model{asking()["plain"], asking()["cosines"]}
		}
		at := []int{6, 12, 37, 75}
		var studies [][]frozen
		for i, q := range at {
			b.Run(fmt.Sprintf("%s/n=%d", name, 24+q), func(b *testing.B) {
				for seed := range uint64(3) {
					if len(studies) <= int(seed) {
						studies = append(studies, freezeUnder(b, models[len(models)-1], "hartmann6", 7+seed, at...))
					}
				}
				start := spent(b)
				for b.Loop() {
					for _, study := range studies {
						question(b, study[i].task, models)
					}
				}
				b.ReportMetric((spent(b)-start).Seconds()*1000/float64(b.N*len(studies)), "cpu-ms/question")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// question fits the models to the duels of a task and asks.
func question(b *testing.B, t Task, models []gp.Model) {
	b.Helper()
	var posts []*gp.Posterior
	for _, m := range models {
		p, err := m.Fit(context.Background(), t.Duels, nil)
		if err != nil {
			b.Fatal(err)
		}
		posts = append(posts, p)
	}
	if t.Posterior = posts[0]; len(posts) > 1 {
		t.Mixture = gp.NewMixture(posts, nil)
	}
	if _, err := Ask(context.Background(), "kg", t); err != nil {
		b.Fatal(err)
	}
}

// spent returns the processor time of this process.
func spent(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
