package live

import (
	"runtime"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/space"
)

// TestJobsWait: while raters' searches take all there is, no part of a job begins.
func TestJobsWait(t *testing.T) {
	h := newTestStudies(t, func(c *Config) { c.Kinds = job.Studies{}.Kinds() })
	tea := prefer.Config{Space: space.Space{Items: []space.Item{{ID: "assam"}, {ID: "darjeeling"}, {ID: "keemun"}, {ID: "oolong"}}}, Method: "random", Seed: 3}
	h.create("tea", tea)
	for range runtime.NumCPU() {
		h.processors.Take(t.Context(), false)
	}
	j, err := h.Simulate(t.Context(), "tea", simulate.Config{Raters: 2, MaxQuestions: 5}, 5)
	if err != nil {
		t.Fatal(err)
	}
	await(t, "a part in the queue", func() bool {
		_, background := h.processors.Waiting()
		return background == 1
	})
	look := func() Job {
		j, err := h.Jobs.Get(t.Context(), "tea", j.ID)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	if j := look(); j.Done != 0 || j.Result != nil {
		t.Errorf("it is %+v, though there was no room", j)
	}
	for range runtime.NumCPU() {
		h.processors.Give()
	}
	await(t, "the end", func() bool { return look().Workers == nil })
	if j := look(); j.State != "done" || j.Done != 2 {
		t.Errorf("it ended as %+v", j)
	}
}
