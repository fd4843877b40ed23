package figure

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// CaseStudy is the data of Fig. 4: where EUBO and the knowledge gradient put their questions on the
// two-dimensional Levy function, answered without noise.
type CaseStudy struct {
	Title   string // of the figure, to be set by the caller: which model it was. Defaults to none
	Problem problem.Problem
	Initial []Pair // 4d quasi-random questions, the same for every method
	Runs    []Run

	truth views
}

// Pair is a question, in the units of the problem.
type Pair struct{ First, Second [2]float64 }

// Run is the study of one method.
type Run struct {
	Method    string
	Questions []Pair // after the initial ones, in the order asked
	Best      [2]float64
	Gap       float64 // f* − f(Best)

	mean views
}

// views are a function on the whole domain and around the optimum.
type views [2]surface

// paperGaps are those of the caption of Fig. 4.
var paperGaps = map[string]float64{"eubo": 0.0182, "kg": 0.0191}

// parts of the domain that are looked at, and the number of points along a side of each.
var parts = [2]float64{1, 0.2}

const caseGrid = 81

// NewCaseStudy runs a study of each method, eubo and kg as in the paper. Of template the model, the search,
// the look-ahead, the margin and the seed count; the rest is the paper's: two outcomes, 4d initial pairs,
// questions of any distance, also twice. The paper asks 50 questions.
func NewCaseStudy(ctx context.Context, template prefer.Config, questions int) (*CaseStudy, error) {
	if questions < 0 {
		return nil, fmt.Errorf("figure: NewCaseStudy has %d questions, want at least 0", questions)
	}
	p, err := problem.ByName("levy2")
	if err != nil {
		return nil, err
	}
	c := &CaseStudy{Problem: p}
	c.truth = c.view(p.Utility)
	for _, method := range []string{"eubo", "kg"} {
		cfg := prefer.Config{
			Method: method, Modelling: prefer.Modelling{Model: template.Model, Search: template.Search, LookAhead: template.LookAhead, Margin: template.Margin, Belief: "likeliest"},
			Seed: template.Seed, // the model the paper draws
		}
		if err := c.run(ctx, cfg, questions); err != nil {
			return nil, fmt.Errorf("figure: case study of %s: %w", method, err)
		}
	}
	return c, nil
}

// coordinates are the names of the parameters of the studies.
var coordinates = [2]string{"x1", "x2"}

func (c *CaseStudy) run(ctx context.Context, cfg prefer.Config, questions int) error {
	p := c.Problem
	cfg.Space = space.Box(space.Float(coordinates[0], p.Lower[0], p.Upper[0]), space.Float(coordinates[1], p.Lower[1], p.Upper[1]))
	cfg.Answers = prefer.Answers{Forced: true}
	cfg.Initial, cfg.Separation, cfg.Repeats = 4*p.Dim, -1, true
	study, err := prefer.New(ctx, cfg)
	if err != nil {
		return err
	}
	rater := problem.Rater{Problem: p}
	var asked []Pair
	for i := range cfg.Initial + questions {
		q, err := study.Ask(ctx, prefer.Request{})
		if err != nil {
			return err
		}
		pair := Pair{place(q.First), place(q.Second)}
		answer := prefer.Answer{Choice: prefer.Second}
		if rater.Prefers(p.Utility(pair.First[:]), p.Utility(pair.Second[:]), problem.At(cfg.Seed, uint64(i))) {
			answer.Choice = prefer.First
		}
		if _, err := study.Tell(ctx, q.ID, answer); err != nil {
			return err
		}
		asked = append(asked, pair)
	}
	belief, err := study.Belief(ctx, prefer.Look{})
	if err != nil {
		return err
	}
	r := Run{Method: cfg.Method, Questions: asked[cfg.Initial:], Best: place(belief.Best())}
	r.Gap = p.Optimum - p.Utility(r.Best[:])
	r.mean = c.view(func(x []float64) float64 {
		mean, _, e := belief.Utility(space.Option{coordinates[0]: space.ValueOf(x[0]), coordinates[1]: space.ValueOf(x[1])})
		if e != nil && err == nil {
			err = e
		}
		return mean
	})
	c.Initial = asked[:cfg.Initial]
	c.Runs = append(c.Runs, r)
	return err
}

func place(o space.Option) [2]float64 {
	return [2]float64{o.Float(coordinates[0]), o.Float(coordinates[1])}
}

// window returns a part of a side of the domain around the optimum, or the whole side.
func (c *CaseStudy) window(j int, part float64) scale {
	lo, hi := c.Problem.Lower[j], c.Problem.Upper[j]
	if part == 1 {
		return scale{lo: lo, hi: hi}
	}
	at, half := c.Problem.Maximisers[0][j], part*(hi-lo)/2
	return scale{lo: at - half, hi: at + half}
}

// view returns a function on the grids of its views.
func (c *CaseStudy) view(f func(x []float64) float64) (out views) {
	for k, part := range parts {
		x, y := c.window(0, part), c.window(1, part)
		z := make([]float64, caseGrid*caseGrid)
		for i := range z {
			z[i] = f([]float64{x.along(i%caseGrid, caseGrid), y.along(i/caseGrid, caseGrid)})
		}
		out[k] = surface{caseGrid, z}
	}
	return out
}
