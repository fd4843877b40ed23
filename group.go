package prefer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
)

// Group is what a study per rater says about all of them together.
type Group struct {
	Raters []string `json:"raters"` // who has preferred something and is not left out, by name

	// Best has the highest mean over raters of their standardised utilities: each rater's expected
	// utility less its mean over the space, divided by its spread there, so that nobody counts for more
	// by having stronger feelings. Score is that mean.
	Best  Option  `json:"best"`
	Score float64 `json:"score"`

	// Favourites are the raters' own best options, Loss what each gives up, in her standardised units, if
	// Best is taken.
	Favourites []Option  `json:"favourites"`
	Loss       []float64 `json:"loss"`

	// Agreement is the correlation of the expected utilities of each two raters over the space.
	Agreement [][]float64 `json:"agreement"`

	// Disagrees names those whose agreement with the others is negative on average.
	Disagrees []string `json:"disagrees,omitempty"`

	// Sentence says it in English. It is made of the other fields, which are complete.
	Sentence string `json:"sentence"`
}

// groupPoints is the number of options the utilities of a group are compared at.
const groupPoints = 256

// Group compares the raters of a study per rater. It looks at what they expect, not at how sure they are:
// with few answers agreement is near 0 because little is known.
func (s *Study) Group(ctx context.Context) (Group, error) {
	if s.people() != PerRater {
		return Group{}, fmt.Errorf("prefer: the raters of this study share one utility: Best and Raters say it all: %w", ErrShared)
	}
	var g Group
	var beliefs []*Belief
	raters, err := s.Raters(ctx)
	if err != nil {
		return Group{}, err
	}
	for _, r := range raters {
		v := s.view(r.Name)
		if r.Out || undecided(v.mine().duels) {
			continue
		}
		b, err := s.Belief(ctx, r.Name)
		if err != nil {
			return Group{}, err
		}
		g.Raters, beliefs = append(g.Raters, r.Name), append(beliefs, b)
		g.Favourites = append(g.Favourites, b.Best())
	}
	if len(beliefs) == 0 {
		g.Sentence = "nobody has preferred anything yet"
		return g, nil
	}
	s.compare(&g, beliefs)
	return g, nil
}

// compare fills in what takes all utilities at the same options: quasi-random ones, on which they are
// standardised, then everybody's favourites and what was shown.
func (s *Study) compare(g *Group, beliefs []*Belief) {
	s.mu.Lock()
	code, shown := s.state.code, s.state.shown(nil)
	s.mu.Unlock()
	x := code.sample(groupPoints, s.cfg.Seed)
	n := len(x) / code.dim
	for _, b := range beliefs {
		x = append(x, b.favour()...)
	}
	x = append(x, shown...)
	z := make([][]float64, len(beliefs))
	for r, b := range beliefs {
		z[r] = standardised(b.law, x, n)
	}
	mean := make([]float64, len(x)/code.dim)
	for _, u := range z {
		for i := range mean {
			mean[i] += u[i] / float64(len(z))
		}
	}
	top := slices.Index(mean, slices.Max(mean))
	g.Best, g.Score = code.option(x[top*code.dim:(top+1)*code.dim]), mean[top]
	g.Agreement = make([][]float64, len(z))
	for r := range z {
		g.Loss = append(g.Loss, z[r][n+r]-z[r][top])
		g.Agreement[r] = make([]float64, len(z))
		others := 0.0
		for q := range z {
			for i := range n {
				g.Agreement[r][q] += z[r][i] * z[q][i] / float64(n)
			}
			if q != r {
				others += g.Agreement[r][q]
			}
		}
		if others < 0 {
			g.Disagrees = append(g.Disagrees, g.Raters[r])
		}
	}
	g.Sentence = g.words()
}

func (g Group) words() string {
	switch {
	case len(g.Raters) == 1:
		return fmt.Sprintf("only %s has answered", g.Raters[0])
	case len(g.Disagrees) == 0:
		return fmt.Sprintf("%d raters; nobody goes against the others as a whole", len(g.Raters))
	}
	verb := "go"
	if len(g.Disagrees) == 1 {
		verb = "goes"
	}
	return fmt.Sprintf("%d raters; %s %s against the others as a whole", len(g.Raters), enumerate(g.Disagrees, "and"), verb)
}

// sample returns up to n quasi-random options, row by row.
func (c *coding) sample(n int, seed uint64) []float64 {
	if c.items != nil && len(c.items.back) <= n {
		return slices.Clone(c.items.rows)
	}
	return c.points(n, seed)
}

// standardised returns the posterior means at x, less their mean over the first n points and divided by
// their standard deviation there.
func standardised(p acquisition.Utility, x []float64, n int) []float64 {
	u := make([]float64, len(x)/p.Dim())
	p.Means(u, x, 1)
	var mean, square float64
	for _, v := range u[:n] {
		mean += v / float64(n)
	}
	for _, v := range u[:n] {
		square += (v - mean) * (v - mean) / float64(n)
	}
	sd := math.Sqrt(square)
	for i := range u {
		u[i] -= mean
		if sd > 0 {
			u[i] /= sd
		}
	}
	return u
}
