package simulate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// GroupConfig describes a simulation that answers "how many people until the group's pick is right?": of a study in which everybody has a
// utility of their own, and whose claim is about the people that its raters are a sample of. Only Study.Space has no default.
//
// In a population person r has the utility f_r = √ρ·g + √(1−ρ)·h_r, where g, which all have in common, and h_r, which is their own alone, are
// independent draws from the prior of the study's model, with hyper-parameters drawn once for the population: Cov(f_r, f_q) = ρ·k for
// any two, and ρ is the Similarity. The mean utility over so many people that the h_r cancel is √ρ·g; the pick of a group (prefer.Group) is held
// against the best of that, in a study with contexts under each of their settings: the largest share missed counts.
type GroupConfig struct {
	// Config has the study, the answers that each person gives (MaxQuestions, 20 by default), how careful people are (Noise, one level), Seed, Jobs
	// and Progress. Raters and Truth are not used.
	Config

	Sizes       []int   // the numbers of people, increasing. Defaults to 3, 6, 12 and 24. A smaller group is the first people of the larger one
	Similarity  float64 // the correlation ρ of the utilities of any two people, above 0 up to 1. Defaults to 0.5
	Populations int     // how many are drawn. Defaults to 24

	// Within is the share missed with which a pick is right: (max g − g(pick)) / (max g − mean g) at most. Defaults to the Share of the
	// study's Tolerance or, where that has none, a twentieth.
	Within float64
}

const (
	enough   = 0.8 // of the populations: a group of which so many are right is called large enough
	maxGroup = 1000
)

func (c GroupConfig) complete() (GroupConfig, error) {
	c.Sizes = xslices.Or(c.Sizes, 3, 6, 12, 24)
	c.Similarity, c.Populations, c.MaxQuestions = cmp.Or(c.Similarity, 0.5), cmp.Or(c.Populations, 24), cmp.Or(c.MaxQuestions, 20)
	c.Study.People = prefer.PerRater
	var err error
	if c.Config, err = c.Config.Complete(); err != nil {
		return c, err
	}
	c.Within = cmp.Or(c.Within, c.Study.Tolerance.Share, prefer.DefaultTolerance().Share)
	switch {
	case c.Truth != nil:
		return c, fmt.Errorf("simulate: GroupConfig.Truth: a group's people are drawn, want none")
	case len(c.Noise) != 1:
		return c, fmt.Errorf("simulate: GroupConfig.Noise has %d levels, want one", len(c.Noise))
	case !(c.Similarity > 0 && c.Similarity <= 1):
		return c, fmt.Errorf("simulate: GroupConfig.Similarity = %g, want a correlation above 0, at which there is nothing to agree on, and at most 1", c.Similarity)
	case c.Populations < 1 || c.Populations > maxRaters:
		return c, fmt.Errorf("simulate: GroupConfig.Populations = %d, want 1 to %d", c.Populations, maxRaters)
	case !(c.Within > 0 && c.Within < 1):
		return c, fmt.Errorf("simulate: GroupConfig.Within = %g, want a share between 0 and 1", c.Within)
	case c.Sizes[0] < 1 || slices.Max(c.Sizes) > maxGroup || !slices.Equal(c.Sizes, slices.Compact(slices.Sorted(slices.Values(c.Sizes)))):
		return c, fmt.Errorf("simulate: GroupConfig.Sizes = %v, want numbers of people from 1 to %d, each larger than the one before", c.Sizes, maxGroup)
	}
	return c, nil
}

// GroupResult is what came of it.
type GroupResult struct {
	Populations int         `json:"populations"` // that had finished
	Questions   int         `json:"questions"`   // answers of each person
	Similarity  float64     `json:"similarity"`
	Within      float64     `json:"within"`
	Noise       Noise       `json:"noise"`
	Seed        uint64      `json:"seed"`
	Sizes       []GroupSize `json:"sizes"`
}

// GroupSize is how the picks of groups of one size did.
type GroupSize struct {
	People int          `json:"people"`
	Right  prefer.Share `json:"right"`         // populations in which the pick missed at most Within
	Missed float64      `json:"median_missed"` // median of the share missed
	Shares []float64    `json:"missed"`        // that of each population
}

// RunGroup simulates. If ctx ends before it is done, it returns the populations that had finished until then and the cause.
func RunGroup(ctx context.Context, c GroupConfig) (GroupResult, error) {
	c, err := c.complete()
	if err != nil {
		return GroupResult{}, err
	}
	l, err := newLandscape(c.Study.Space)
	if err != nil {
		return GroupResult{}, err
	}
	found, err := parallel(ctx, c.Config, c.Populations, slices.Max(c.Sizes)*c.MaxQuestions, func(ctx context.Context, i int, answered func()) ([]float64, error) {
		return c.population(ctx, l, i, answered)
	})
	return c.count(found), err
}

// population plays one population's study, person after person, and returns the share missed by each size of group.
func (c GroupConfig) population(ctx context.Context, l []*landscape, number int, answered func()) (missed []float64, err error) {
	seed := splitmix.At(c.Seed, uint64(number))
	from, err := newSource(c.Study.Model, l[0], rand.New(rand.NewPCG(seed, 0x6a0b)))
	if err != nil {
		return nil, err
	}
	common := from.next()
	tops, gains := make([]float64, len(l)), make([]float64, len(l))
	for i, part := range l {
		values, _, top, err := part.survey(common)
		if err != nil {
			return nil, err
		}
		tops[i], gains[i] = top, top-mean(values)
	}
	cfg := c.Study
	cfg.Seed = splitmix.At(cfg.Seed, seed)
	s, err := prefer.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	calm := context.WithoutCancel(ctx) // a search cut short would be another study
	for r := range c.Sizes[len(c.Sizes)-1] {
		p, err := newPerson(c.Config, l, truth{kindred(common, from.next(), c.Similarity), from.cuts}, c.Study.Model.Noise, c.Noise[0], splitmix.At(seed, uint64(r)))
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%s %d", everybody, r+1)
		for n := 1; n <= c.MaxQuestions; n++ {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			q, err := s.Ask(calm, prefer.Request{Rater: name, Fixed: l[(n-1)%len(l)].fixed})
			if err == nil {
				_, err = s.Tell(calm, q.ID, p.answer(q, n))
			}
			if err != nil {
				return nil, fmt.Errorf("simulate: person %d of population %d: %w", r+1, number+1, err)
			}
			answered()
		}
		if !slices.Contains(c.Sizes, r+1) {
			continue
		}
		most := 0.0 // under the contexts
		for i, part := range l {
			g, err := s.Group(calm, prefer.Look{Fixed: part.fixed})
			if err != nil {
				return nil, fmt.Errorf("simulate: population %d: %w", number+1, err)
			}
			share := 1.0 // of people none of whom preferred anything there is no pick
			if g.Best != nil {
				share = math.Max(0, tops[i]-common(g.Best)) / gains[i] // a climb may end short of what the study found
			}
			most = math.Max(most, share)
		}
		missed = append(missed, most)
	}
	return missed, nil
}

// kindred returns √ρ·g + √(1−ρ)·h.
func kindred(g, h func(space.Option) float64, rho float64) func(space.Option) float64 {
	a, b := math.Sqrt(rho), math.Sqrt(1-rho)
	return func(o space.Option) float64 { return a*g(o) + b*h(o) }
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

func (c GroupConfig) count(found []*[]float64) GroupResult {
	out := GroupResult{Questions: c.MaxQuestions, Similarity: c.Similarity, Within: c.Within, Noise: c.Noise[0], Seed: c.Seed}
	for i, n := range c.Sizes {
		size := GroupSize{People: n, Shares: []float64{}}
		for _, missed := range found {
			if missed != nil {
				size.Shares = append(size.Shares, (*missed)[i])
			}
		}
		right := xslices.Count(size.Shares, func(missed float64) bool { return missed <= c.Within })
		out.Populations = len(size.Shares)
		size.Right, size.Missed = share(right, out.Populations), median(size.Shares)
		out.Sizes = append(out.Sizes, size)
	}
	return out
}

// Enough returns the smallest group whose pick was right in four of five populations, there and in all larger ones; 0 if there is none.
func (r GroupResult) Enough() int {
	least := 0
	for _, s := range slices.Backward(r.Sizes) {
		if float64(s.Right.Count) < enough*float64(s.Right.Of) || s.Right.Of == 0 {
			break
		}
		least = s.People
	}
	return least
}

// Sentence is for a protocol.
func (r GroupResult) Sentence() string { return sentence("group", r) }
