package prefer

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
)

// hilly is the prior of a new study, chosen on tastes (docs/dev/experiments.md): main effects that may be strong or weak,
// and beside them hills that are lower than the paper's. With a trend that may be absent (Gamma(1, 0.05)) people of mostly linear tastes miss more.
func hilly() gp.Model { return gp.Model{Outputscale: gp.Gamma(2, 0.6), Trend: gp.Gamma(1.5, 0.1)} }

// asksInitial is the number of quasi-random pairs before the method of a new study chooses: a model with main effects
// knows from the third question on what to ask.
const asksInitial = 2

// defaultAlternatives are the plain taste and, in one and two dimensions, a decisive person. On tastes of real people questions by both miss half to nine tenths of what those of hills alone do; on most tastes
// with hills the answers soon speak against it. It must be nearly as stiff as a line, and its odds low, or it runs into corners where nothing can refute it.
func defaultAlternatives(d int) []Alternative {
	plain := gp.Model{Outputscale: gp.Gamma(2, 6), Trend: gp.Gamma(2, 1.2), Effects: gp.Lines} // more of a thing is better, or less, and little else matters
	out := []Alternative{{Model: plain, Odds: 0.25}}
	if d <= decisiveMost {
		decisive := gp.Model{Outputscale: gp.LogNormal(4.6, 1), Trend: gp.LogNormal(2.3, 1)} // the noise is a tenth of what options differ by
		out = append(out, Alternative{Model: decisive, Odds: 0.5, Until: decisiveUntil})
	}
	return out
}

// A decisive person is reckoned with in one and two dimensions, for the first answers: there the pick is half as far from the best after ten, also of people
// who err. With more parameters, and once the pick is refined, it takes errors for taste.
const (
	decisiveMost  = 2
	decisiveUntil = 20
)

// withPriors fills in the priors that a new study chooses its questions by, where they are not configured.
func (c Config) withPriors() Config {
	if c.Initial == 0 {
		c.Initial = asksInitial
	}
	dense := c.Model.Inference != gp.Sparse
	if len(c.Space.Items) > 0 && !c.Space.Crossed() && len(coding.Features(c.Space.Items)) == 0 { // names have no effects
		return c
	}
	if c.Model.Trend.Family == gp.Default && dense {
		c.Model.Trend = hilly().Trend
	}
	if c.Model.Outputscale.Family == gp.Default && dense {
		c.Model.Outputscale = hilly().Outputscale
	}
	if c.Alternatives == nil && dense {
		c.Alternatives = defaultAlternatives(coding.Dimension(c.Space))
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

// withStudyPriors returns a model with what the study has to say about it: answers, noise, and what raters are like.
func (c Config) withStudyPriors(m gp.Model) gp.Model {
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
		models[i] = c.withStudyPriors(models[i])
	}
	return models
}

// tolerance returns the stated tolerance, or the default one.
func (c Config) tolerance() learn.Tolerance {
	if c.Tolerance.IsZero() {
		return learn.Tolerance(DefaultTolerance())
	}
	return learn.Tolerance(c.Tolerance)
}

// mixes reports whether a study has several utilities: one for each rater, or those of the raters of an earlier study.
func (c Config) mixes() bool {
	return (c.People == PerRater || len(c.Earlier) > 0) && c.Kinship.Family != gp.Default && c.Kinship.Family != gp.NoneFamily && c.Model.Inference != gp.Sparse
}

// fresh fills in what the zero value stands for in a new study, and not in a log from before there was a choice.
func (c Config) fresh() Config {
	if c.Belief == "" {
		c.Belief = beliefAveraged
	}
	c.BothBad = cmp.Or(c.BothBad, badAtLevel)
	if c.Tolerance.IsZero() {
		c.Tolerance = DefaultTolerance()
	}
	if c.Answers.Grades > 0 && c.Model.Grade.Family == gp.Default {
		c.Model.Grade = gp.DefaultGrade()
	}
	if c.Kinship.Family == gp.Default {
		c.Kinship = gp.LogNormal(0, 1.5) // of ρ/(1 − ρ): ρ is as likely above as below ½, and between 0.08 and 0.92 nine times in ten
	}
	if c.Model.Position.Family == gp.Default {
		c.Model.Position = gp.DefaultPosition()
	}
	return c.withPriors()
}

// withDefaults fills in what the zero value stands for. A config written to the log has its defaults
// spelled out, so that a later version with other defaults replays it unchanged.
func (c Config) withDefaults() Config {
	c.Space.Parameters, c.Space.Constraints, c.Space.Items = slices.Clone(c.Space.Parameters), slices.Clone(c.Space.Constraints), slices.Clone(c.Space.Items)
	c.Space.Circular = maps.Clone(c.Space.Circular)
	if c.People == "" {
		c.People = Shared
	}
	if c.People == Shared && c.Model.RaterNoise.Family == gp.Default {
		c.Model.RaterNoise = gp.DefaultRaterNoise()
	}
	if c.Prompt == "" {
		c.Prompt = "Which do you prefer?"
	}
	if c.Method == "" {
		c.Method = "kg"
		if c.Chooser != nil {
			c.Method = methodOwn
		}
	}
	if c.Initial == 0 { // a log of before; asked gives new studies theirs
		c.Initial = max(4, coding.Dimension(c.Space))
	}
	if c.Separation == 0 {
		c.Separation = 0.02
	}
	if c.Confidence == 0 {
		c.Confidence = 0.9
	}
	if d := coding.ContinuousCount(c.Space); c.Margin == 0 && c.Chooser != nil {
		c.Margin = -1
	} else if c.Margin == 0 && d > 0 {
		c.Margin = innerHalf(d)
	}
	c.Model.Answers = c.Answers.model()
	c.Model = c.Model.WithDefaults()
	c.Search = c.Search.WithDefaults(coding.Dimension(c.Space))
	c.Tolerance = c.Tolerance.clone()
	if c.BothBad == badAtLevel && c.Model.Level == (gp.Level{}) {
		c.Model.Level = gp.DefaultLevel()
	}
	c.Alternatives = slices.Clone(c.Alternatives)
	for i := range c.Alternatives {
		c.Alternatives[i].Model = c.withStudyPriors(c.Alternatives[i].Model)
	}
	if c.Belief == beliefAveraged {
		c.BeliefModels = c.beliefModels()
	}
	if c.LookAhead == 0 {
		c.LookAhead = c.Model.Noise
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// marginQuestions is the number of questions per parameter, chosen by the method, that keep the margin; more where several are
// open at once, until so many are not.
const marginQuestions = 3

// innerHalf returns the margin m at which (1 − 2m)^d = ½.
func innerHalf(d int) float64 { return (1 - math.Pow(0.5, 1/float64(d))) / 2 }

// methodOwn names a Chooser in the log that was given no name.
const methodOwn = "own"
