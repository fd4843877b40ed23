package gp

import (
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// Inference names a way to turn answers into a Gaussian posterior.
type Inference int

const (
	// EP is expectation propagation, the default: indistinguishable from the exact posterior at the sizes of a study, and the cheapest of the accurate ones.
	EP Inference = iota
	// Variational is the full-rank Gaussian maximiser of the evidence lower bound.
	Variational
	// Laplace expands the log posterior at its mode. It shrinks the mean; kept for comparison.
	Laplace
	// Sparse is the paper's sparse variational GP (§4): at most 200 inducing points. Faithful mode, and with per-duel sites the way to thousands of duels.
	Sparse
	// Reduced is EP for many duels, in the span of at most 200 of them. Studies beyond a few hundred answers use it by themselves.
	Reduced
)

var inferenceNames = [...]string{"ep", "variational", "laplace", "sparse", "reduced"}

func (i Inference) String() string {
	if i < 0 || int(i) >= len(inferenceNames) {
		return fmt.Sprintf("inference(%d)", int(i))
	}
	return inferenceNames[i]
}

// ParseInference is the inverse of String.
func ParseInference(name string) (Inference, error) {
	if i := slices.Index(inferenceNames[:], name); i >= 0 {
		return Inference(i), nil
	}
	return 0, fmt.Errorf("gp: unknown inference %q, want ep, variational, laplace, sparse or reduced", name)
}

// MarshalText writes the name.
func (i Inference) MarshalText() ([]byte, error) {
	if _, err := ParseInference(i.String()); err != nil {
		return nil, err
	}
	return []byte(i.String()), nil
}

// UnmarshalText reads a name.
func (i *Inference) UnmarshalText(text []byte) error {
	v, err := ParseInference(string(text))
	if err == nil {
		*i = v
	}
	return err
}

// Kernels names the arithmetic in use: "avx512", "avx2" or "generic". Bits are the same for the same
// binary and kernels; between kernels results agree to about 1e-8.
func Kernels() string { return linalg.Active().String() }

// engine is one inference in duel space, with an interval and a noise σ_i for each duel. It works on a siteAlgebra whose sites are its warm start
// and, after solve, its answer.
type engine interface {
	// start sets the sites from index fresh on, which no earlier posterior knows.
	start(sites Sites, fresh int, iv []Interval, sigma []float64)
	// solve refines the sites until no site moves its own marginal by more than tol standard
	// deviations (or relative variance) and returns the evidence. ok is false if it gave up before.
	solve(g *siteAlgebra, iv []Interval, sigma []float64, tol float64) (evidence float64, ok bool)
	// adjoint writes ∂evidence/∂K_d, n×n symmetric, after solve.
	adjoint(g *siteAlgebra, dst []float64)
	// ends writes ∂evidence/∂lo_i and ∂evidence/∂hi_i after solve.
	ends(g *siteAlgebra, iv []Interval, sigma []float64, dlo, dhi []float64)
	// spread writes ∂evidence/∂log σ_i after solve, the intervals staying where they are.
	spread(g *siteAlgebra, iv []Interval, sigma, dst []float64)
}

func newEngine(inf Inference, n int) engine {
	switch inf {
	case Variational:
		return newVariational(n, Rule{})
	case Laplace:
		return newLaplace(n)
	default:
		return newEP(n)
	}
}

// evaluator is the evidence of one data set as a function of the hyper-parameters.
type evaluator interface {
	// evaluate returns the log evidence at h and, unless grad is nil, overwrites grad with its
	// gradient in theta. ok is false where the inference had not settled.
	evaluate(h Hyper, tol float64, grad []float64) (evidence float64, ok bool)
	// current returns the sites, for the caller to read or to set where the next evaluation starts.
	current() Sites
	// settle brings everything in line with h and the sites as they are, where evaluate leaves it too. It reports false if they are impossible.
	settle(h Hyper) bool
	// posterior returns the posterior at the hyper-parameters last evaluated or settled at.
	posterior(h Hyper) *Posterior
}

// evaluator returns the evidence of duels under a model with defaults. Inducing points are chosen at h; sites start from those of from, which may be nil.
func (m Model) evaluator(duels *Duels, h Hyper, from *Posterior) (evaluator, error) {
	if m.Inference == Sparse {
		return newSparse(m, duels, h, from)
	}
	if m.Inference == Reduced {
		return newReduced(m, duels, from), nil
	}
	return newDense(m, duels, from), nil
}
