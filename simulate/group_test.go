package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// things is a list without features.
func things(n int) space.Space {
	var s space.Space
	for i := range n {
		s.Items = append(s.Items, space.Item{ID: fmt.Sprint("item ", i)})
	}
	return s
}

// TestKindred: the utilities of two people correlate by the similarity, and each varies as much as a draw from the prior; over 4000 items
// both are known to about 0.02.
func TestKindred(t *testing.T) {
	l, err := newLandscape(things(4000))
	if err != nil {
		t.Fatal(err)
	}
	study, err := Config{Study: prefer.Config{Space: things(4000)}}.Complete()
	if err != nil {
		t.Fatal(err)
	}
	for _, rho := range []float64{0.2, 0.5, 1} {
		from, err := newSource(study.Study.Model, l[0], rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		g := from.next()
		one, two := kindred(g, from.next(), rho), kindred(g, from.next(), rho)
		var xx, yy, xy, gg float64
		for _, o := range l[0].options {
			x, y := one(o), two(o)
			xx, yy, xy, gg = xx+x*x, yy+y*y, xy+x*y, gg+g(o)*g(o)
		}
		if r := xy / math.Sqrt(xx*yy); math.Abs(r-rho) > 0.06 || math.Abs(xx/gg-1) > 0.12 {
			t.Errorf("similarity %g: two people correlate by %.3f, and vary %.3f times as much as what they share", rho, r, xx/gg)
		}
	}
}

// TestRunGroup: the result is a function of the seed, however many populations are played at a time; a smaller group is the first people of
// the larger one; and what is counted is what was missed.
func TestRunGroup(t *testing.T) {
	c := GroupConfig{Config: Config{Study: forced(things(6)), MaxQuestions: 5, Seed: 3, Jobs: 1}, Sizes: []int{1, 3}, Populations: 4}
	one, err := RunGroup(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	c.Jobs = 3
	var last Progress
	c.Progress = func(p Progress) { last = p }
	many, err := RunGroup(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(one, many); d != "" {
		t.Errorf("one and three at a time differ:\n%s", d)
	}
	if want := (Progress{Runs: 4, Done: 4, Questions: 4 * 3 * 5, Share: 1}); last != want {
		t.Errorf("the last progress is %+v, want %+v", last, want)
	}
	c.Sizes, c.Populations = []int{3}, 2
	large, err := RunGroup(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(large.Sizes[0].Shares, one.Sizes[1].Shares[:2]); d != "" {
		t.Errorf("three people, asked for alone, miss something else:\n%s", d)
	}
	for _, s := range one.Sizes {
		right := 0
		for _, x := range s.Shares {
			if x <= 0.05 {
				right++
			}
		}
		if right != s.Right.Count || s.Right.Of != 4 || one.Within != 0.05 {
			t.Errorf("%d right of %v, within %g", right, s, one.Within)
		}
	}
	if text := one.Sentence(); !strings.Contains(text, "4 populations in which the utilities of two people correlate by 0.5") || !strings.Contains(text, "each person giving 5 answers") {
		t.Error(text)
	}
}

// TestRunGroupAlike: people who all want the same, answer without noise and see every pair have a pick that misses nothing.
func TestRunGroupAlike(t *testing.T) {
	r, err := RunGroup(t.Context(), GroupConfig{Config: Config{Study: forced(things(3)), MaxQuestions: 8, Noise: []Noise{{Sigma: 1e-3}}}, Sizes: []int{2}, Populations: 6, Similarity: 1})
	if err != nil || r.Sizes[0].Right.Count != 6 || r.Sizes[0].Missed != 0 || r.Enough() != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestEnough: a larger group that does worse by chance takes the smaller one along.
func TestEnough(t *testing.T) {
	of := func(counts ...int) int {
		var r GroupResult
		for i, n := range counts {
			r.Sizes = append(r.Sizes, GroupSize{People: 10 * (i + 1), Right: share(n, 10)})
		}
		return r.Enough()
	}
	for want, got := range map[int]int{20: of(7, 8, 9), 30: of(8, 7, 9), 0: of(9, 9, 7), 10: of(8, 8, 10)} {
		if got != want {
			t.Errorf("%d people, want %d", got, want)
		}
	}
}

// TestRunGroupStopped: a stopped run has the populations that had finished.
func TestRunGroupStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	c := GroupConfig{Config: Config{Study: forced(things(4)), MaxQuestions: 2, Jobs: 1, Progress: func(p Progress) {
		if p.Done == 2 {
			stop()
		}
	}}, Sizes: []int{2}, Populations: 50}
	r, err := RunGroup(ctx, c)
	if !errors.Is(err, context.Canceled) || r.Populations != 2 || r.Sizes[0].Right.Of != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestGroupConfigErrors(t *testing.T) {
	for want, change := range map[string]func(*GroupConfig){
		"Similarity = -0.5":         func(c *GroupConfig) { c.Similarity = -0.5 },
		"Similarity = 1.5":          func(c *GroupConfig) { c.Similarity = 1.5 },
		"Sizes = [6 3]":             func(c *GroupConfig) { c.Sizes = []int{6, 3} },
		"Sizes = [0 3]":             func(c *GroupConfig) { c.Sizes = []int{0, 3} },
		"Within = 1":                func(c *GroupConfig) { c.Within = 1 },
		"Populations = -1":          func(c *GroupConfig) { c.Populations = -1 },
		"Noise has 2 levels":        func(c *GroupConfig) { c.Noise = []Noise{Low, High} },
		"GroupConfig.Truth: a grou": func(c *GroupConfig) { c.Truth = func(int) func(space.Option) float64 { return nil } },
	} {
		c := GroupConfig{Config: Config{Study: forced(things(3)), MaxQuestions: 1}, Sizes: []int{1}, Populations: 1}
		change(&c)
		if _, err := RunGroup(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
}
