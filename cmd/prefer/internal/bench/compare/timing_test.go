package compare

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
)

func TestTiming(t *testing.T) {
	var table Table
	timed := func(s Series, answers int, fit, ask, recommend, cpu float64) bench.Row {
		r := row(branin, s, 1, answers, 0.5)
		r.FitSeconds, r.AskSeconds, r.RecommendSeconds, r.CPUSeconds = fit, ask, recommend, cpu
		return r
	}
	add(t, &table, // binary fractions: seconds are kept in 32 bits
		timed(ours, 4, 64, 64, 64, 64), // the end of the initial pairs is no question
		timed(ours, 5, 0.25, 0.5, 0.125, 1), timed(ours, 6, 0.5, 1, 0.125, 2), timed(ours, 7, 1.5, 3, 0.125, 9),
		timed(theirs, 5, 8, 0, 0, 0), timed(theirs, 6, 6, 1, 0, 0))
	a := table.Timing(branin, ours, allQuestions)
	want := Timing{Questions: 3, Fit: Cost{0.5, 0.75}, Ask: Cost{1, 1.5}, Recommend: Cost{0.125, 0.125}, Total: Cost{1.625, 2.375}, CPU: Cost{2, 4}}
	if a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
	b := table.Timing(branin, theirs, allQuestions)
	if b.Total.Median != 7.5 || !math.IsNaN(b.Recommend.Median) || !math.IsNaN(b.CPU.Mean) {
		t.Errorf("rows without recommend and cpu: %+v", b)
	}
	if clock, cpu := b.Against(a); clock != 7.5/1.625 || !math.IsNaN(cpu) {
		t.Errorf("%v times the clock, %v times the processor", clock, cpu)
	}
	if late := table.Timing(branin, ours, Range{2, 2}); late.Questions != 1 || late.CPU != (Cost{2, 2}) {
		t.Errorf("question 2: %+v", late)
	}
	if none := table.Timing(branin, third, allQuestions); none.Questions != 0 || !math.IsNaN(none.Total.Mean) {
		t.Errorf("no rows: %+v", none)
	}
}
