package figure

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

const fewQuestions = 5

func newCaseStudy(t *testing.T, template prefer.Config) *CaseStudy {
	t.Helper()
	c, err := NewCaseStudy(context.Background(), template, fewQuestions)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The numbers of the figure are those of an ordinary study, asked from outside in the unit cube.
func TestCaseStudy(t *testing.T) {
	ctx := context.Background()
	c := newCaseStudy(t, prefer.Config{Seed: 3})
	p := problem.Levy(2)
	for _, r := range c.Runs {
		s, err := prefer.New(t.Context(), prefer.Config{
			Space:   space.Box(space.Float("x1", -10, 10), space.Float("x2", -10, 10)),
			Answers: prefer.Answers{Forced: true}, Method: r.Method, Seed: 3, Initial: 8, Separation: -1, Repeats: true,
			Modelling: prefer.Modelling{Belief: "likeliest"},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range append(slices.Clone(c.Initial), r.Questions...) {
			q, err := s.Ask(ctx, prefer.Request{})
			if err != nil {
				t.Fatal(err)
			}
			if place(q.First) != pair.First || place(q.Second) != pair.Second {
				t.Fatalf("%s: the figure has question %v, the study asks %v, %v", r.Method, pair, q.First, q.Second)
			}
			answer := prefer.Answer{Choice: prefer.First}
			if p.Utility(pair.First[:]) < p.Utility(pair.Second[:]) {
				answer.Choice = prefer.Second
			}
			if _, err := s.Tell(ctx, q.ID, answer); err != nil {
				t.Fatal(err)
			}
		}
		b, err := s.Belief(ctx, prefer.Look{})
		if err != nil {
			t.Fatal(err)
		}
		best := b.Best()
		if gap := p.Optimum - p.Utility([]float64{best.Float("x1"), best.Float("x2")}); r.Best != place(best) || gap < r.Gap-1e-12 || gap > r.Gap+1e-12 {
			t.Errorf("%s: the figure has best %v and gap %g, the study %v and %g", r.Method, r.Best, r.Gap, best, gap)
		}
		// Nowhere on the grid is the mean above that of the best.
		mean, _, err := b.Utility(best)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range r.mean {
			if hi := slices.Max(v.z); hi > mean+1e-9 {
				t.Errorf("%s: posterior mean %g on the grid, %g at the best", r.Method, hi, mean)
			}
		}
	}
}

func TestCaseStudyShape(t *testing.T) {
	c := newCaseStudy(t, prefer.Config{})
	if len(c.Initial) != 8 || len(c.Runs) != 2 || c.Runs[0].Method != "eubo" || c.Runs[1].Method != "kg" {
		t.Fatalf("%d initial questions, runs %v", len(c.Initial), c.Runs)
	}
	for _, r := range c.Runs {
		if len(r.Questions) != fewQuestions || paperGaps[r.Method] == 0 {
			t.Errorf("%s: %d questions, the paper's gap is %g", r.Method, len(r.Questions), paperGaps[r.Method])
		}
	}
	if reflect.DeepEqual(c.Runs[0].Questions, c.Runs[1].Questions) {
		t.Error("both methods ask the same questions")
	}
	// The close-up has the maximum, 0, in its middle.
	if z := c.truth[1].z; z[len(z)/2] != 0 {
		t.Errorf("the utility in the middle of the close-up is %g", z[len(z)/2])
	}
}

// The template's model, seed and look-ahead are the studies'; its space and method are not.
func TestCaseStudyTemplate(t *testing.T) {
	plain := newCaseStudy(t, prefer.Config{})
	last := func(c *CaseStudy) Pair { return c.Runs[1].Questions[fewQuestions-1] }
	for name, template := range map[string]prefer.Config{
		"seed": {Seed: 1}, "look-ahead": {Modelling: prefer.Modelling{LookAhead: 0.1}}, "model": {Modelling: prefer.Modelling{Model: gp.Model{Lengthscale: gp.LogNormal(-1, 0.1)}}},
	} {
		if c := newCaseStudy(t, template); last(c) == last(plain) {
			t.Errorf("another %s makes no difference", name)
		}
	}
	same := newCaseStudy(t, prefer.Config{Method: "random", Initial: 2, Space: space.Box(space.Float("a", 0, 1))})
	if !reflect.DeepEqual(same.Runs, plain.Runs) {
		t.Error("what is the paper's can be changed by the template")
	}
	if _, err := NewCaseStudy(context.Background(), prefer.Config{Modelling: prefer.Modelling{LookAhead: -1}}, 1); err == nil {
		t.Error("a template that makes no sense, no error")
	}
}
