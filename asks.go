package prefer

import (
	"fmt"
	"math"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
)

// Alternative is another prior that questions are chosen by, beside Config.Model: whether more is simply better or there
// are hills is for the answers to say.
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

// DefaultAlternatives is the plain taste. On tastes of real people questions by both miss half to nine tenths of what those of
// hills alone do; on most tastes with hills the answers soon speak against it. It must be nearly as stiff as a line, and its
// odds low, or it runs into corners where nothing can refute it.
func DefaultAlternatives() []Alternative { return []Alternative{{Model: plain(), Odds: 0.25}} }

// asked fills in by what a new study chooses its questions, where its configuration does not say.
func (c Config) asked() Config {
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
		c.Alternatives = DefaultAlternatives()
		for i := range c.Alternatives {
			c.Alternatives[i].Model.Inference = c.Model.Inference // evidence of one kind
		}
	}
	return c
}

// alternatives returns the priors that questions are chosen by in addition to Config.Model: only the knowledge gradient knows mixtures.
func (c Config) alternatives() (out []alternative) {
	if c.Method != "kg" || c.Chooser != nil {
		return nil
	}
	for _, a := range c.Alternatives {
		out = append(out, alternative(a))
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
	if m.Cut.Family == gp.Default {
		m.Cut = c.Model.Cut
	}
	if m.Grade.Family == gp.Default {
		m.Grade = c.Model.Grade
	}
	return m.WithDefaults()
}
