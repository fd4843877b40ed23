package gp

import (
	"errors"
	"fmt"
	"math"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// State is all of a posterior that its model and duels do not say already: what a fit found out. It survives JSON to the last bit.
type State struct {
	Inference Inference `json:"inference"` // that made the posterior
	Hyper     Hyper     `json:"hyper"`
	Sites     Sites     `json:"sites"` // settled, one per duel

	// Inducing are the inducing points of Sparse, row by row: they depend on where the fit started.
	Inducing []float64 `json:"inducing,omitempty"`

	// Among is, for Reduced, the number of first duels that inducing duels were chosen among.
	Among  int `json:"among,omitempty"`
	chosen *inducingDuels

	// Known is, for Sparse, the number of first duels whose sums were known when the others were added; 0 if none were.
	Known int           `json:"known,omitempty"`
	known *sparsePrefix // of some first duels; nil after JSON

	// Imagined counts the answers of Posterior.Condition among the sites. A posterior that looks ahead cannot be restored.
	Imagined int `json:"imagined,omitempty"`

	Evidence    float64  `json:"evidence"`
	LogPrior    float64  `json:"log_prior"`
	Evaluations int      `json:"evaluations"`
	Warnings    []string `json:"warnings,omitempty"`
}

// State returns what Model.Restore needs to make this posterior again.
func (p *Posterior) State() State {
	s := State{
		Inference: p.maker, Hyper: p.Hyper(), Sites: p.Sites(), Inducing: append([]float64(nil), p.inducing...),
		Among: p.among, chosen: p.chosen, Known: p.summed, known: p.known, Imagined: p.imagined, Evidence: p.evidence, LogPrior: p.logPrior, Evaluations: p.evals,
	}
	s.Warnings = append(s.Warnings, xslices.Map(p.warnings, func(w error) string { return w.Error() })...)
	return s
}

// Restore returns the posterior whose state is s, of this very model and these very duels, without iterating: every inference ends in an update of its
// algebra from its last sites, so this one update makes the same bits (with the same Kernels). It cannot see whether the sites belong to the duels; their
// number must fit. O(n³) for n duels, about one evaluation of the evidence; O(nM² + M³) for Sparse with M inducing points.
func (m Model) Restore(duels *Duels, s State) (*Posterior, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	m = m.WithDefaults()
	if err := m.check(duels, s.Hyper); err != nil {
		return nil, err
	}
	if err := s.validate(m, duels); err != nil {
		return nil, err
	}
	m.SparseOptions.Points = append([]float64{}, s.Inducing...)
	known, err := m.known(duels, s)
	if err != nil {
		return nil, err
	}
	ev, err := m.evaluator(duels, s.Hyper, &Posterior{sites: s.Sites, among: s.Among, chosen: s.chosen, known: known})
	if err != nil {
		return nil, err
	}
	if !ev.settle(s.Hyper) {
		return nil, fmt.Errorf("gp: State: %v sites of %d duels give no posterior at lengthscales %.3g, outputscale %.3g",
			m.Inference, duels.Len(), s.Hyper.Kernel.Lengthscale, s.Hyper.Kernel.Outputscale)
	}
	p := ev.posterior(s.Hyper)
	if err := errors.Join(finite("weights", p.b), finite("precisions", p.r)); err != nil {
		return nil, err
	}
	p.evidence, p.logPrior, p.evals = s.Evidence, s.LogPrior, s.Evaluations
	p.warnings = append(p.warnings, xslices.Map(s.Warnings, errors.New)...)
	return p, nil
}

// Bare returns the state without what only saves time.
func (s State) Bare() State {
	s.chosen, s.known = nil, nil
	return s
}

// known returns the first duels whose sums the state began with, at their sites, nil if it began with none.
func (m Model) known(duels *Duels, s State) (*sparsePrefix, error) {
	if s.Known == 0 || s.known != nil {
		return s.known, nil
	}
	n := s.Known
	s.Known, s.Sites = 0, Sites{s.Sites.Lambda[:n], s.Sites.Nu[:n]}
	first, err := m.Restore(duels.some(evenly(n, n)), s)
	if err != nil {
		return nil, err
	}
	return first.known, nil
}

// Continue learns the utility at the hyper-parameters of s, the state of a posterior by this very model of the first of these duels,
// whose sites it starts from. It is Condition without the posterior, which holds n×n numbers where its state holds a few per duel.
func (m Model) Continue(duels *Duels, s State) (*Posterior, error) {
	if s.Inference != m.Inference {
		return nil, fmt.Errorf("gp: State.Inference = %v, want %v, the model's", s.Inference, m.Inference)
	}
	if n := len(s.Sites.Lambda); n != len(s.Sites.Nu) || n > duels.Len() {
		return nil, fmt.Errorf("gp: State.Sites has %d precisions and %d shifts, want as many of each and at most %d, one per duel", n, len(s.Sites.Nu), duels.Len())
	}
	if len(s.Inducing) > 0 {
		m.SparseOptions.Points = append([]float64{}, s.Inducing...)
	}
	if c := len(s.Sites.Lambda); m.Inference == Sparse && s.known == nil && c > fewDuels { // so that the bits are the same after JSON
		first, err := m.Restore(duels.some(evenly(c, c)), s)
		if err != nil {
			return nil, err
		}
		s.known = first.known
	}
	return m.Condition(duels, s.Hyper, &Posterior{sites: s.Sites, among: s.Among, chosen: s.chosen, known: s.known})
}

// validate checks what Hyper.validate does not.
func (s State) validate(m Model, duels *Duels) error {
	n, d := duels.Len(), duels.Dim
	switch {
	case s.Inference != m.Inference:
		return fmt.Errorf("gp: State.Inference = %v, want %v, the model's", s.Inference, m.Inference)
	case s.Imagined != 0:
		return fmt.Errorf("gp: State.Imagined = %d, want 0: a posterior that looks ahead cannot be restored", s.Imagined)
	case len(s.Sites.Lambda) != n || len(s.Sites.Nu) != n:
		return fmt.Errorf("gp: State.Sites has %d precisions and %d shifts for %d duels, want one of each per duel", len(s.Sites.Lambda), len(s.Sites.Nu), n)
	case m.Inference != Sparse && len(s.Inducing) > 0:
		return fmt.Errorf("gp: State.Inducing has %d coordinates, want none: %v inference has no inducing points", len(s.Inducing), m.Inference)
	case s.Among < 0 || s.Among > n || (m.Inference == Reduced) != (s.Among > 0):
		return fmt.Errorf("gp: State.Among = %d, want 1 to %d for reduced inference and 0 for any other", s.Among, n)
	case len(s.Inducing)%d != 0:
		return fmt.Errorf("gp: State.Inducing has %d coordinates, not a multiple of %d", len(s.Inducing), d)
	case s.Known < 0 || s.Known > n || s.Known > 0 && m.Inference != Sparse:
		return fmt.Errorf("gp: State.Known = %d, want 0 to %d, and 0 for any inference but sparse", s.Known, n)
	case s.Evaluations < 0:
		return fmt.Errorf("gp: State.Evaluations = %d, want at least 0", s.Evaluations)
	}
	for i, l := range s.Sites.Lambda {
		if l < 0 {
			return fmt.Errorf("gp: State.Sites.Lambda[%d] = %g, want at least 0", i, l)
		}
	}
	for i, v := range s.Inducing {
		if !(math.Abs(v) <= maxCoordinate) {
			return fmt.Errorf("gp: State.Inducing[%d] = %g, want a coordinate of at most %g in size", i, v, float64(maxCoordinate))
		}
	}
	return errors.Join(finite("Sites.Lambda", s.Sites.Lambda), finite("Sites.Nu", s.Sites.Nu),
		finite("Evidence", []float64{s.Evidence}), finite("LogPrior", []float64{s.LogPrior}))
}

// finite checks that all numbers of a state are.
func finite(what string, x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("gp: State: %s: number %d is %g, want a finite one", what, i, v)
		}
	}
	return nil
}
