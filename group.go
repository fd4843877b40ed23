package prefer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// Group is what a study per rater says about all of them together. What is compared is what was learned about each, with the
// doubt there is; docs/people.md has the formulas and how they fared.
type Group struct {
	Raters []string `json:"raters"` // who has preferred something and is not left out, by name

	// Weights say how much each counts in Best, that of whom most is known being 1: by how much is known of her taste, and how likely
	// it is that she answered by it.
	Weights []float64 `json:"weights"`

	// Best has the highest expected mean of the standardised utilities of those who answer by taste: each rater's utility less its
	// mean over the space, divided by its spread there, so that nobody counts for more by having stronger feelings. Score is that mean.
	Best  space.Option `json:"best"`
	Score float64      `json:"score"`

	// Favourites are the raters' own best options, Loss what each gives up, in her standardised units, if
	// Best is taken.
	Favourites []space.Option `json:"favourites"`
	Loss       []float64      `json:"loss"`

	// Agreement is the correlation of the utilities of each two raters over the space, as expected; it lies between Low and High
	// with probability 0.95. Of two of whom little is known it may be anything. Together is the mean over all pairs. Who is
	// careless has no part in Together, Disagrees and Camps, and an Agreement of 0, from −1 to 1.
	Agreement [][]float64 `json:"agreement"`
	Low       [][]float64 `json:"low"`
	High      [][]float64 `json:"high"`
	Together  Agreement   `json:"together"`

	// Disagrees names those of whom it is 95 % sure that they want the contrary of what the others want on average.
	Disagrees []string `json:"disagrees,omitempty"`

	// Camps are two groups with different tastes, where it is likely that there are such; else none. CampOdds is the log of how much
	// likelier two camps are than one group of individuals.
	Camps    []Camp  `json:"camps,omitempty"`
	CampOdds float64 `json:"camp_odds,omitempty"`

	// Careless names those who count for little because they hardly answer by taste (Rater.Careless).
	Careless []string `json:"careless,omitempty"`

	// Kinship is how alike people are in this study, the correlation of two people's utilities that the answers speak for: as far as it goes they
	// teach about each other. Nil where everybody learns from her own answers alone.
	Kinship *Agreement `json:"kinship,omitempty"`

	// Sentence says it in English. It is made of the other fields, which are complete.
	Sentence string `json:"sentence"`
}

// groupPoints is the number of options the utilities of a group are compared at.
const groupPoints = 128

// Group compares the raters of a study per rater. A study with contexts has one for each: see GroupFor.
func (s *Study) Group(ctx context.Context) (Group, error) { return s.GroupFor(ctx, nil) }

// GroupFor is Group about options with fixed values.
func (s *Study) GroupFor(ctx context.Context, fixed space.Option) (Group, error) {
	if s.people() != PerRater {
		return Group{}, fmt.Errorf("prefer: the raters of this study share one utility: Best and Raters say it all: %w", ErrShared)
	}
	var g Group
	var members []*member
	raters, err := s.Raters(ctx)
	if err != nil {
		return Group{}, err
	}
	all, err := s.whole(fixed)
	if err != nil {
		return Group{}, err
	}
	for _, r := range raters {
		v, err := s.look(ctx, Look{Rater: r.Name, Fixed: fixed})
		if err != nil {
			return Group{}, err
		}
		if r.Out || undecided(v.mine().duels) {
			continue
		}
		b, err := s.believe(ctx, v)
		if err == nil {
			err = b.Find(ctx)
		}
		if err != nil {
			return Group{}, err
		}
		if g.Kinship == nil {
			if g.Kinship, err = s.kinship(ctx, v); err != nil {
				return Group{}, err
			}
		}
		v.evidence = v.mine()
		own, err := s.believe(ctx, v)
		if err != nil {
			return Group{}, err
		}
		g.Raters, g.Favourites = append(g.Raters, r.Name), append(g.Favourites, b.Best())
		members = append(members, &member{name: r.Name, belief: b, own: own, honest: 1 - careless(r.Odds), careless: r.Careless})
		if r.Careless {
			g.Careless = append(g.Careless, r.Name)
		}
	}
	if len(members) == 0 {
		g.Sentence = "nobody has preferred anything yet"
		if slices.ContainsFunc(raters, func(r Rater) bool { return r.Out }) {
			g.Sentence = "nobody who is not left out has preferred anything yet"
		}
		return g, nil
	}
	code, shown := all.code, all.shown
	x := code.Sample(groupPoints, s.cfg.Seed)
	if err := s.drawTastes(ctx, members, code, x); err != nil {
		return Group{}, err
	}
	for _, m := range members {
		shown = append(shown, m.belief.favour()...)
	}
	if g.Best, g.Score, err = s.together(ctx, members, code, shown); err != nil {
		return Group{}, err
	}
	g.measure(members, code)
	g.agree(members)
	if err := g.camp(ctx, s, members, code, shown); err != nil {
		return Group{}, err
	}
	g.Sentence = g.sentence()
	return g, nil
}

// whole returns what was shown to anybody with the fixed values, and the coding of these options.
func (s *Study) whole(fixed space.Option) (view, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return view{code: s.state.list, shown: s.state.list.Listed(s.state.shown(nil))}.under(fixed)
}

// member is a rater of a group.
type member struct {
	name     string
	belief   *Belief // with what others teach about the member
	own      *Belief // from the member's answers alone: what makes people agree is not that they were taken to be alike
	honest   float64 // probability that the member answers by taste
	careless bool    // Rater.Careless
	known
}

// together returns the option with the highest expected mean of what these members want.
//
//	score(x) = Σ_r h_r (E f_r(x) − c_r)/v_r / Σ_r h_r,   c_r = E mean_x f_r,   v_r² = E var_x f_r
//
// h_r is the probability that r answers by taste: the answers of one who does not say nothing about hers. The spread v_r is that of the
// utility, not of what is expected of it: where little is known E f_r is flat, and r counts for little.
func (s *Study) together(ctx context.Context, members []*member, code *coding.Coding, shown []float64) (space.Option, float64, error) {
	var c crowd
	all := 0.0
	for _, m := range members {
		all += m.honest
	}
	for _, m := range members {
		factor := m.honest / all / m.spread
		c.laws, c.factors, c.offset = append(c.laws, m.belief.law), append(c.factors, factor), c.offset-factor*m.centre
	}
	peaks := acquisition.Recommend(ctx, code.Domain(ctx), c, shown, nil, s.cfg.Seed, s.cfg.Search.Workers)
	if err := ended(ctx); err != nil {
		return nil, 0, err
	}
	return code.Option(peaks[0].X), peaks[0].Mean, nil
}

// measure fills in what each member counts, and what she gives up.
func (g *Group) measure(members []*member, code *coding.Coding) {
	best, err := code.Unit(g.Best)
	if err != nil {
		panic(err) // it was made of coordinates
	}
	for _, m := range members {
		g.Weights = append(g.Weights, m.honest*math.Sqrt(m.part))
		u := make([]float64, 2)
		m.belief.law.Means(u, slices.Concat(m.belief.favour(), best), 1)
		g.Loss = append(g.Loss, (u[0]-u[1])/m.spread)
	}
	if most := slices.Max(g.Weights); most > 0 {
		for i := range g.Weights {
			g.Weights[i] /= most
		}
	}
}

// crowd is a weighted sum of utilities, as a search for its maximum sees it.
type crowd struct {
	laws    []utility
	factors []float64
	offset  float64
}

func (c crowd) Dim() int        { return c.laws[0].Dim() }
func (c crowd) Noise() float64  { return 1 }
func (c crowd) Hyper() gp.Hyper { return c.laws[0].Hyper() }

func (c crowd) Means(dst, x []float64, workers int) {
	one := make([]float64, len(dst))
	for i := range dst {
		dst[i] = c.offset
	}
	for r, u := range c.laws {
		u.Means(one, x, workers)
		for i, v := range one {
			dst[i] += c.factors[r] * v
		}
	}
}

func (c crowd) MeanGradient(m *gp.Moments, x, grad []float64) float64 {
	mean := c.offset
	var one []float64
	if grad != nil {
		one = make([]float64, len(grad))
		clear(grad)
	}
	for r, u := range c.laws {
		mean += c.factors[r] * u.MeanGradient(m, x, one)
		for j, v := range one {
			grad[j] += c.factors[r] * v
		}
	}
	return mean
}

func (c crowd) MeanHessian(m *gp.Moments, x, dst []float64) {
	one := make([]float64, len(dst))
	clear(dst)
	for r, u := range c.laws {
		u.MeanHessian(m, x, one)
		for j, v := range one {
			dst[j] += c.factors[r] * v
		}
	}
}
