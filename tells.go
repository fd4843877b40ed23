package prefer

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// BeliefKind says how a study comes to what it tells.
type BeliefKind string

const (
	// Averaged: by the model Config.Tells, with hyper-parameters averaged over what the answers leave of them. What it
	// tells is true about as often as it says, from few answers on (docs/statements.md).
	Averaged BeliefKind = "averaged"
	// Likeliest: by the model that chooses the questions, at the likeliest hyper-parameters, as if they were known. After
	// a few dozen answers that says 87 % where 60 to 77 are true.
	Likeliest BeliefKind = "likeliest"
)

// DefaultTells are the models behind what a study tells. The first has the priors of people, found on answers of 596 of
// them (peers/answers.py) and on simulated tastes: effects that are simply more or less come first, they may be weak, and
// what else there is may be smooth. The second is the paper's, for tastes that are strong and have hills: alone it makes
// untrue statements. The plain taste that questions are also chosen by (DefaultAlternatives) is not among them: it made picks of
// real people a little better and statements bolder than they were true.
func DefaultTells() []gp.Model {
	return []gp.Model{
		{Lengthscale: gp.LogNormal(0.5, 1), Outputscale: gp.LogNormal(-1, 1.5), Trend: gp.LogNormal(0, 2), Effects: gp.Polynomials},
		{Trend: gp.None()},
	}
}

// told returns the models with what the study has to say about them.
func (c Config) told() []gp.Model {
	models := slices.Clone(c.Tells)
	if len(models) == 0 {
		models = DefaultTells()
	}
	for i := range models {
		models[i] = c.like(models[i])
	}
	return models
}

// tell returns the fit behind what a study tells about a view.
func (s *Study) tell(ctx context.Context, v view) (*fit, error) {
	if s.cfg.Belief != Averaged {
		return s.ask(ctx, v)
	}
	return s.tells.forRater(ctx, v.evidence, v.code.Scales, v.rater)
}

// ask returns the fit behind the questions of a view.
func (s *Study) ask(ctx context.Context, v view) (*fit, error) {
	return s.fits.forRater(ctx, v.evidence, v.code.Scales, v.rater)
}
