package gp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Model is what is believed before any answer, and how to learn from answers. The zero value is the
// default model: two outcomes, σ = 1, EP, and the paper's kernel and priors on the unit cube.
type Model struct {
	// Inference turns answers into a Gaussian posterior. Defaults to EP.
	Inference Inference `json:"inference"`

	// Answers is the scale of answers on offer. Defaults to two outcomes.
	Answers Answers `json:"answers"`

	// Noise is σ, the standard deviation of the noise on a difference (Eq. 2). It is not identifiable apart from the outputscale. Defaults to 1.
	Noise float64 `json:"noise"`

	// Scales says which lengthscale each coordinate uses (scales.go): coordinates with the same number, from 0 on without holes, share one, as the one-hot
	// coordinates of a categorical parameter do, and the two of a circle; a negative number marks an identity coordinate, whose values are integers that only
	// name things. Defaults to nil: one lengthscale per coordinate.
	Scales []int `json:"scales,omitempty"`

	// Lengthscale is the prior of each lengthscale. Defaults to Gamma(3, 6).
	Lengthscale Prior `json:"lengthscale"`

	// Outputscale is the prior of the outputscale. Defaults to Gamma(2, 0.15).
	Outputscale Prior `json:"outputscale"`

	// Trend is the prior of T, the variance of main effects in the utility averaged over the unit cube
	// (trend.go). Defaults to None: no trend.
	Trend Prior `json:"trend,omitzero"`

	// Effects are the functions of one coordinate the trend is made of; without a trend they say nothing. With Polynomials T is that variance over the mean
	// of 1/ℓ_j². Coordinates that only name things have no effect. Defaults to Cosines.
	Effects Effects `json:"effects,omitzero"`

	// Cut is the prior of the just-noticeable difference δ in units of σ. Defaults to LogNormal(log 0.3, 0.7).
	Cut Prior `json:"cut"`

	// Grade is the prior of the gap between two grades in units of σ (outcome.go). Defaults to that of δ, which is too near
	// for people: DefaultGrade is a prior for them. WithDefaults leaves it.
	Grade Prior `json:"grade,omitzero"`

	// RaterNoise is the prior of σ_r, the noise of rater r in units of Noise (rater.go). Defaults to None: all
	// raters are equally noisy, and Duels.Rater tells only whose level a level duel is of. DefaultRaterNoise is a prior for people.
	RaterNoise Prior `json:"rater_noise,omitzero"`

	// Position is the prior of τ, the standard deviation of raters' position bias in units of Noise (position.go). It matters where Duels.Side says on which
	// side options were shown. Defaults to None: no bias. DefaultPosition is a prior for people and judges.
	Position Prior `json:"position,omitzero"`

	// Kinship is the prior of the odds ρ/(1 − ρ) of the kinship of raters, each of whom then has a utility of their own (kinship.go).
	// Defaults to None: all share one utility. Sparse allows no other.
	Kinship Prior `json:"kinship,omitzero"`

	// Level is the prior of what a rater would take (level.go). It matters to level duels and to Posterior.Level alone. The zero
	// value stands for DefaultLevel; WithDefaults leaves it.
	Level Level `json:"level,omitzero"`

	// MaxEvals bounds the evaluations of the evidence in one fit. Defaults to 60.
	MaxEvals int `json:"max_evals"`

	// Tolerance ends the search for hyper-parameters when no derivative of the log posterior in a log hyper-parameter exceeds Tolerance·max(1, √(n/10)).
	// Curvature grows with the number of duels n, so this is a fixed fraction, about a hundredth at the default of 1e-2, of what the data leave uncertain
	// about them.
	Tolerance float64 `json:"tolerance"`

	// SparseOptions matter to Sparse only.
	SparseOptions SparseOptions `json:"sparse"`
}

// WithDefaults returns the model with every default spelled out, but for Level and Grade.
func (m Model) WithDefaults() Model {
	m.Lengthscale = m.Lengthscale.or(Gamma(3, 6))
	m.Outputscale = m.Outputscale.or(Gamma(2, 0.15))
	m.Cut = m.Cut.or(LogNormal(math.Log(0.3), 0.7))
	m.Noise = cmp.Or(m.Noise, 1)
	m.MaxEvals = cmp.Or(m.MaxEvals, 60)
	m.Tolerance = cmp.Or(m.Tolerance, 1e-2)
	m.SparseOptions = m.SparseOptions.withDefaults()
	return m
}

// Validate reports the first field that makes no sense.
func (m Model) Validate() error {
	if m.Inference < EP || m.Inference > Reduced {
		return fmt.Errorf("gp: Model.Inference = %v is unknown", m.Inference)
	}
	if m.Noise < 0 || math.IsNaN(m.Noise) || math.IsInf(m.Noise, 0) {
		return fmt.Errorf("gp: Model.Noise = %g, want a positive number", m.Noise)
	}
	if m.MaxEvals < 0 {
		return fmt.Errorf("gp: Model.MaxEvals = %d, want at least 0", m.MaxEvals)
	}
	if m.Tolerance < 0 || math.IsNaN(m.Tolerance) {
		return fmt.Errorf("gp: Model.Tolerance = %g, want a positive number", m.Tolerance)
	}
	if m.Effects < Cosines || m.Effects > Lines {
		return fmt.Errorf("gp: Model.Effects = %v is unknown, want cosines, polynomials or lines", m.Effects)
	}
	if m.kin() && m.Inference == Sparse {
		return fmt.Errorf("gp: Model.Kinship = %v, want none: sparse inference knows one taste", m.Kinship)
	}
	for _, part := range []struct {
		name  string
		prior Prior
	}{{"Trend", m.Trend}, {"Kinship", m.Kinship}, {"RaterNoise", m.RaterNoise}, {"Position", m.Position}} {
		if !part.prior.present() {
			continue
		}
		if err := part.prior.validate(part.name); err != nil {
			return err
		}
	}
	return errors.Join(m.validateScales(), m.Answers.validate(), m.Level.validate(), m.Lengthscale.validate("Lengthscale"),
		m.Outputscale.validate("Outputscale"), m.Cut.validate("Cut"), m.Grade.validate("Grade"), m.SparseOptions.validate())
}

// trended reports whether the model has a trend.
func (m Model) trended() bool { return m.Trend.present() }

// Start returns the hyper-parameters a first fit in d dimensions starts from: the centres of the priors.
func (m Model) Start(d int) Hyper {
	m = m.WithDefaults()
	k := Kernel{Lengthscale: make([]float64, d), Outputscale: m.Outputscale.Center(), Effects: m.effects(), Circles: m.trendCircles()}
	if m.trended() {
		k.Trend = m.Trend.Center()
	}
	for j := range k.Lengthscale {
		k.Lengthscale[j] = m.Lengthscale.Center()
		if m.identity(j) {
			k.Lengthscale[j] = identityLengthscale
		}
	}
	gaps := xslices.Map(m.gaps(), func(g variable) float64 { return g.prior.Center() })
	h := Hyper{Kernel: k, Cuts: m.Answers.cuts(gaps)}
	if m.kin() {
		odds := m.Kinship.Center()
		h.Kinship = odds / (1 + odds)
	}
	return h
}

// finalTol returns how far the sites of a posterior that is handed out may be from their fixed point, as the move of a marginal in its own standard
// deviations. Where a sweep over many sites takes milliseconds, or every answer of any rater asks for all sites again, digits that cost most of the time are
// given up: EP gains one in two sweeps.
func (m Model) finalTol(n int) float64 {
	switch {
	case m.Inference == EP && n > 150:
		return 1e-4
	case m.Inference == Sparse && n > 1000, m.Inference == Reduced:
		return 1e-5
	case m.kin():
		return 1e-7
	}
	return 1e-10
}

// Fit learns hyper-parameters and utility from the duels: maximum a posteriori for the hyper-parameters, the model's inference for the rest. from, if not
// nil, is a posterior of the same study whose hyper-parameters and sites start the search; its duels must be a prefix of these, and it may have a trend or
// rater noise where this model has none or the other way round. From other Effects only cuts, noise of raters and sites are taken over. When ctx ends early
// the best hyper-parameters so far are used and a warning is left.
//
// The result depends on the duels and on from, on nothing else.
func (m Model) Fit(ctx context.Context, duels *Duels, from *Posterior) (*Posterior, error) {
	start := m.Start(duels.Dim)
	if from != nil {
		kernel, kinship := start.Kernel, start.Kinship
		start = from.Hyper()
		if start.Kernel.Effects != kernel.Effects { // relevances or not, lengthscales mean something else
			start.Kernel = kernel
		} else if from.trended() != m.trended() {
			start.Kernel.Trend, start.Kernel.Circles = kernel.Trend, kernel.Circles
		}
		if !m.rated() {
			start.Raters = nil
		}
		if m.kin() != (from.joint != nil) {
			start.Kinship = kinship
		}
		if !m.positioned() {
			start.Position = 0
		}
	}
	return m.fit(ctx, duels, start, from, true)
}

// Condition learns the utility at given hyper-parameters. from, if not nil, provides sites to start from.
func (m Model) Condition(duels *Duels, h Hyper, from *Posterior) (*Posterior, error) {
	return m.fit(context.Background(), duels, h, from, false)
}

// check validates what is asked of the model.
func (m Model) check(duels *Duels, h Hyper) error {
	if err := duels.validate(m.Answers); err != nil {
		return err
	}
	if err := h.validate(duels.Dim, m); err != nil {
		return err
	}
	if count := len(duels.levels()); count > 0 && m.Inference == Sparse {
		return fmt.Errorf("gp: Duels.Level marks %d duels, want none: sparse inference has no levels", count)
	}
	return errors.Join(m.names("Duels.A", duels.A), m.names("Duels.B", duels.B))
}

func (m Model) fit(ctx context.Context, duels *Duels, h Hyper, from *Posterior, learn bool) (*Posterior, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	m = m.WithDefaults()
	if err := m.check(duels, h); err != nil {
		return nil, err
	}
	var warnings []error
	evals := 0
	if learn && m.Inference == Reduced {
		p, err := m.learnReduced(ctx, duels)
		if err != nil {
			return nil, err
		}
		h, warnings, evals, learn = p.hyper, p.warnings, p.evals, false
	}
	if learn {
		m, h = m.forSides(duels, h)
	}
	ev, err := m.evaluator(duels, h, from)
	if err != nil {
		return nil, err
	}
	if learn {
		h.Raters = m.startRaters(duels, h.Raters)
		var res maximize.Result
		h, res = m.search(ctx, ev, h, duels.Len())
		evals = res.Evals
		warnings = append(warnings, unsettled(res)...)
	}
	p, err := m.posterior(ev, h, duels.Len())
	if err != nil {
		return nil, err
	}
	p.warnings, p.evals = append(warnings, p.warnings...), evals+1
	return p, nil
}

// posterior returns the posterior at h of n duels, with its sites settled.
func (m Model) posterior(ev evaluator, h Hyper, n int) (*Posterior, error) {
	z, ok := ev.evaluate(h, m.finalTol(n), nil)
	if math.IsNaN(z) || math.IsInf(z, 0) {
		return nil, fmt.Errorf("gp: %v inference broke down on %d duels (evidence %g at lengthscales %.3g, outputscale %.3g)",
			m.Inference, n, z, h.Kernel.Lengthscale, h.Kernel.Outputscale)
	}
	p := ev.posterior(h)
	p.evidence, p.logPrior = z, m.logPrior(h, nil)
	if !ok {
		p.warnings = []error{fmt.Errorf("gp: %v inference not settled on %d duels", m.Inference, n)}
	}
	return p, nil
}

// unsettled returns a warning if a search for hyper-parameters stopped early.
func unsettled(res maximize.Result) []error {
	switch res.Status {
	case maximize.EvalLimit, maximize.IterLimit, maximize.NotFinite, maximize.Cancelled:
		return []error{fmt.Errorf("gp: hyper-parameters not settled: %v after %d evaluations", res.Status, res.Evals)}
	}
	return nil
}

// search maximises log evidence + log prior over theta. The curvature it starts from is that of a Gamma(3, 6) prior at its mean, 3, plus a twentieth per
// duel; measured over n = 20 … 256 and D = 2, 6, 20 this saves a tenth of the evaluations of a warm fit.
func (m Model) search(ctx context.Context, ev evaluator, h Hyper, n int) (Hyper, maximize.Result) {
	d := h.Kernel.Dim()
	lo, hi := m.box(h)
	local := maximize.NewLocal(len(lo), maximize.Settings{MaxEvals: m.MaxEvals, GradTol: m.gradTol(n), ValueTol: m.Tolerance * m.Tolerance / 100,
		Curvature: 3 + 0.05*float64(n)})
	res := local.Maximize(ctx, m.objective(ev, d, n), lo, hi, m.theta(h))
	return m.fromTheta(res.X, d), res
}

// siteTol returns how far sites may be from their fixed point while hyper-parameters are moving: the evidence errs by the square of it, its
// gradient in proportion. Beyond a thousand duels it grows as gradTol does; at ten thousand that takes a sixth off the time, and the
// log posterior ends within 1e-5 of where it did.
func (m Model) siteTol(n int) float64 {
	if n > 1000 {
		return m.Tolerance / 10 * math.Sqrt(float64(n)/1000)
	}
	return m.Tolerance / 30
}

// gradTol is the tolerance on the gradient of the log posterior after n duels.
func (m Model) gradTol(n int) float64 { return m.Tolerance * math.Max(1, math.Sqrt(float64(n)/10)) }

// objective is the log posterior of theta.
func (m Model) objective(ev evaluator, d, n int) maximize.Objective {
	return func(theta, grad []float64) float64 {
		h := m.fromTheta(theta, d)
		z, _ := ev.evaluate(h, m.siteTol(n), grad)
		return z + m.logPrior(h, grad)
	}
}
