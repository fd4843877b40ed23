//go:build unix

package live

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

// BenchmarkAnswerCost reports the processor time of an answer with all that follows from it: the next question,
// and in the background the verdict and, for a rater who is alone, the questions chosen ahead.
func BenchmarkAnswerCost(b *testing.B) {
	for _, d := range []int{2, 6} {
		for _, method := range []string{"random", "eubo", "kg"} {
			for _, crowd := range []bool{false, true} {
				for _, n := range []int{10, 50, 100, 200} {
					b.Run(fmt.Sprintf("D=%d/%s/crowd=%t/n=%d", d, method, crowd, n), func(b *testing.B) { answerCost(b, d, method, crowd, n) })
				}
			}
		}
	}
}

func answerCost(b *testing.B, d int, method string, crowd bool, n int) {
	h := openTestStudies(b, freshStore(b), nil)
	events := answered(b, d, n)
	events[0].Created.Config.Method = method
	if err := h.store.Import(context.Background(), "coffee", events); err != nil {
		b.Fatal(err)
	}
	if crowd {
		h.ask("bob")
	}
	q := h.ask("ann")
	r := h.open()
	settle := func() { // until nothing runs in the background
		for done := false; !done; time.Sleep(5 * time.Millisecond) {
			seq, _ := r.host().Export("ann")
			r.look(func(k *index) {
				lag := 0
				if crowd {
					lag = k.standing / 10
				}
				done = k.standing-r.verdicts[""].at.answers <= lag && (crowd || seq == k.seq)
			})
		}
	}
	settle()
	start := spent(b)
	rounds := 0
	for b.Loop() {
		for range 10 { // a crowd has a verdict now and then
			h.tell(q, prefer.First)
			q = h.ask("ann")
			settle()
			rounds++
		}
	}
	b.ReportMetric(float64((spent(b)-start).Microseconds())/1000/float64(rounds), "cpu-ms/answer")
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
