package chaos

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// report prints what a run came to.
func report(w io.Writer, p plan, l *ledger, took time.Duration, found *findings, s size, f *fleet, memory []int64, counted map[string]float64, load string) {
	fmt.Fprintf(w, "%d servers, %d raters on %d studies, a rater looks %v on average; %.0f s, load average %s before and %s after\n",
		p.servers, p.raters, p.studies, p.think, took.Seconds(), load, loadAverage())
	down := map[string]time.Duration{}
	count := map[string]int{}
	for _, x := range l.faults {
		count[x.what]++
		down[x.what] += x.back.Sub(x.from)
	}
	for _, what := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(w, "%-22s %d times, back after %.1f s on average\n", what, count[what], down[what].Seconds()/float64(count[what]))
	}
	n := len(l.answers)
	fmt.Fprintf(w, "%-22s %d acknowledged, %.1f a second; stored: %d, and %d questions\n", "answers", n, float64(n)/took.Seconds(), found.answers, found.questions)
	failed := 0
	for _, k := range l.failed {
		failed += k
	}
	fmt.Fprintf(w, "%-22s %d attempts, %d failed (%.2f %%)\n", "requests", l.attempts, failed, 100*float64(failed)/float64(max(1, l.attempts)))
	for _, why := range slices.Sorted(maps.Keys(l.failed)) {
		fmt.Fprintf(w, "  %-20s %d\n", why, l.failed[why])
	}
	var calm, rough []wait
	for _, x := range l.waits {
		if l.disturbed(x) {
			rough = append(rough, x)
		} else {
			calm = append(calm, x)
		}
	}
	fmt.Fprintf(w, "%-22s %8s %8s %8s %8s %8s %8s\n", "waited, in ms", "count", "50 %", "90 %", "99 %", "99.9 %", "longest")
	for _, part := range []struct {
		name  string
		waits []wait
	}{{"", l.waits}, {" in calm", calm}, {" through faults", rough}} {
		for _, what := range []string{"ask", "tell"} {
			at, n := percentiles(part.waits, what, 0.5, 0.9, 0.99, 0.999, 1)
			fmt.Fprintf(w, "%-22s %8d", what+part.name, n)
			for _, d := range at {
				fmt.Fprintf(w, " %8.1f", float64(d.Microseconds())/1000)
			}
			fmt.Fprintln(w)
		}
	}
	if n > 0 {
		fmt.Fprintf(w, "%-22s %.1f ms of the servers' processor time per answer\n", "cost", float64(f.cpu.Microseconds())/1000/float64(n))
		fmt.Fprintf(w, "%-22s %.2f rows and %d bytes per answer, indexes included; snapshots %d bytes per study; %d rows chosen ahead, %d bytes\n", "database",
			float64(s.events)/float64(n), s.eventBytes/int64(n), s.snapshotBytes/int64(max(1, found.studies)), s.aheadRows, s.aheadBytes)
	}
	for _, name := range counters {
		fmt.Fprintf(w, "%-32s %.0f\n", name, counted[name])
	}
	for i, peak := range memory {
		fmt.Fprintf(w, "%-22s %d MB resident at most since its last start\n", fmt.Sprintf("server %d", i), peak>>20)
	}
	if len(found.broken) == 0 {
		fmt.Fprintln(w, "every acknowledged answer is there once, every log is linear and replays to the same bits, "+
			"nobody had two questions open, listeners heard of the last change")
		return
	}
	fmt.Fprintf(w, "%d promises were broken:\n", len(found.broken))
	for _, b := range found.broken {
		fmt.Fprintln(w, "  "+b)
	}
}
