package prefer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
)

// Alternative is another prior that questions are chosen by, beside Config.Model: whether more is simply better or there are hills is for the answers to say.
type Alternative struct {
	Model gp.Model `json:"model"`
	// Odds are those of it against Config.Model before any answer.
	Odds float64 `json:"odds"`
}

// hilly is the prior of a new study, chosen on tastes (docs/experiments.md): main effects that may be strong, and beside
// them hills that are lower than the paper's.
func hilly() gp.Model { return gp.Model{Outputscale: gp.Gamma(2, 0.6), Trend: gp.Gamma(2, 0.15)} }

// asksInitial is the number of quasi-random pairs before the method of a new study chooses: a model with main effects
// knows from the third question on what to ask.
const asksInitial = 2

// plain is a taste in which more of a thing is better, or less, and little else matters.
func plain() gp.Model {
	return gp.Model{Outputscale: gp.Gamma(2, 6), Trend: gp.Gamma(2, 1.2), Effects: gp.Lines}
}

// DefaultAlternatives is the plain taste. On tastes of real people questions by both miss half to nine tenths of what those of hills alone do; on most tastes
// with hills the answers soon speak against it. It must be nearly as stiff as a line, and its odds low, or it runs into corners where nothing can refute it.
func defaultAlternatives() []Alternative { return []Alternative{{Model: plain(), Odds: 0.25}} }

// withPriors fills in the priors that a new study chooses its questions by, where they are not configured.
func (c Config) withPriors() Config {
	if c.Initial == 0 {
		c.Initial = asksInitial
	}
	dense := c.Model.Inference != gp.Sparse
	if len(c.Space.Items) > 0 && !c.Space.Crossed() && len(c.Space.Features()) == 0 { // names have no effects
		return c
	}
	if c.Model.Trend.Family == gp.Default && dense {
		c.Model.Trend = hilly().Trend
	}
	if c.Model.Outputscale.Family == gp.Default && dense {
		c.Model.Outputscale = hilly().Outputscale
	}
	if c.Alternatives == nil && dense {
		c.Alternatives = defaultAlternatives()
		for i := range c.Alternatives {
			c.Alternatives[i].Model.Inference = c.Model.Inference // evidence of one kind
		}
	}
	return c
}

// alternatives returns the priors that questions are chosen by in addition to Config.Model: only the knowledge gradient knows mixtures.
func (c Config) alternatives() (out []learn.Alternative) {
	if c.Method != "kg" || c.Chooser != nil {
		return nil
	}
	for _, a := range c.Alternatives {
		out = append(out, learn.Alternative(a))
	}
	return out
}

// checkAlternatives reports the first one that makes no sense.
func (c Config) checkAlternatives(code *coding.Coding) error {
	for i, a := range c.Alternatives {
		where := fmt.Sprintf("prefer: Config.Alternatives[%d]", i)
		switch {
		case !(a.Odds > 0) || math.IsInf(a.Odds, 1):
			return fmt.Errorf("%s.Odds = %g, want a positive number", where, a.Odds)
		case a.Model.Scales != nil:
			return fmt.Errorf("%s.Model.Scales = %v, want none: the space decides them", where, a.Model.Scales)
		case a.Model.Inference == gp.Sparse || c.Model.Inference == gp.Sparse:
			return fmt.Errorf("%s beside sparse inference, want none: only dense ones are compared by their evidence", where)
		}
		m := c.like(a.Model)
		m.Scales = code.Scales
		if err := m.Validate(); err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
	}
	return nil
}

// like returns a model with what the study has to say about it: answers, noise, and what raters are like.
func (c Config) like(m gp.Model) gp.Model {
	m.Answers, m.Noise, m.Level = c.Answers.model(), c.Model.Noise, c.Model.Level
	if m.RaterNoise.Family == gp.Default {
		m.RaterNoise = c.Model.RaterNoise
	}
	if m.Position.Family == gp.Default {
		m.Position = c.Model.Position
	}
	if m.Cut.Family == gp.Default {
		m.Cut = c.Model.Cut
	}
	if m.Grade.Family == gp.Default {
		m.Grade = c.Model.Grade
	}
	return m.WithDefaults()
}

// How a study comes to what it says (Config.Belief).
const (
	// Averaged: by the model Config.BeliefModels, with hyper-parameters averaged over what the answers leave of them. What it
	// tells is true about as often as it says, from few answers on (docs/statements.md).
	beliefAveraged = "averaged"
	// Likeliest: by the model that chooses the questions, at the likeliest hyper-parameters, as if they were known. After
	// a few dozen answers that says 87 % where 60 to 77 are true.
	beliefLikeliest = "likeliest"
)

// defaultBeliefModels are the models behind what a study tells. The first has the priors of people, found on answers of 596 of them (peers/answers.py) and on
// simulated tastes: effects that are simply more or less come first, they may be weak, and what else there is may be smooth. The second is the paper's, for
// tastes that are strong and have hills: alone it makes untrue statements. The plain taste that questions are also chosen by (DefaultAlternatives) is not
// among them: it made picks of real people a little better and statements bolder than they were true.
func defaultBeliefModels() []gp.Model {
	return []gp.Model{
		{Lengthscale: gp.LogNormal(0.5, 1), Outputscale: gp.LogNormal(-1, 1.5), Trend: gp.LogNormal(0, 2), Effects: gp.Polynomials},
		{Trend: gp.None()},
	}
}

// beliefModels returns the models of Config.BeliefModels, or the default ones, with the answers and the noise of the study.
func (c Config) beliefModels() []gp.Model {
	models := slices.Clone(c.BeliefModels)
	if len(models) == 0 {
		models = defaultBeliefModels()
	}
	for i := range models {
		models[i] = c.like(models[i])
	}
	return models
}

// beliefModel returns the fit that statements about a view are made by.
func (s *Study) beliefModel(ctx context.Context, v view) (*learn.Fit, error) {
	if s.cfg.Belief != beliefAveraged {
		return s.questionModel(ctx, v)
	}
	return s.beliefFits.ForRater(ctx, v.Evidence, v.code.Scales, v.rater)
}

// questionModel returns the fit that the questions of a view are chosen by.
func (s *Study) questionModel(ctx context.Context, v view) (*learn.Fit, error) {
	return s.questionFits.ForRater(ctx, v.Evidence, v.code.Scales, v.rater)
}
