package arena

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// fitted is a Bradley–Terry model of some of the names: the probability that i is taken over j is 1/(1 + exp(θ_j − θ_i)).
type fitted struct {
	theta []float64   // mean 0
	cov   [][]float64 // of theta: the inverse of the observed information, on vectors with mean 0 if there is no prior
}

// fit maximises Σ_ij w_ij log σ(θ_i − θ_j) − λ/2 Σ θ_i² over θ, w being scores, in which a tie is half a win for each. The sum is concave, and strictly so but for a shift of all θ, so that Newton's
// method, with steps halved until the sum grows, goes to its only maximum with mean 0, if there is one: λ > 0, or everybody is led to from everybody by chains of scores. λ is 1/sd² of a normal prior.
func (s score) fit(of []int, lambda float64) (fitted, error) {
	n := len(of)
	f := fitted{theta: make([]float64, n)}
	value := func(theta []float64) (sum float64) {
		for i := range n {
			for j := range n {
				if w := s.won[of[i]][of[j]]; w > 0 {
					sum -= w * softplus(theta[j]-theta[i])
				}
			}
			sum -= lambda / 2 * theta[i] * theta[i]
		}
		return sum
	}
	const most = 200
	for range most {
		gradient, info := s.slopes(of, f.theta, lambda)
		var err error
		if f.cov, err = inverse(info, lambda == 0); err != nil {
			return f, err
		}
		step, size := make([]float64, n), 0.0
		for i := range n {
			for j := range n {
				step[i] += f.cov[i][j] * gradient[j]
			}
			size = math.Max(size, math.Abs(step[i]))
		}
		if size < 1e-12 {
			return f, nil
		}
		was, next := value(f.theta), make([]float64, n)
		for part := 1.0; ; part /= 2 {
			for i := range n {
				next[i] = f.theta[i] + part*step[i]
			}
			if value(next) >= was || part*size < 1e-12 { // in rounding nothing grows any more
				break
			}
		}
		f.theta = next
	}
	return f, fmt.Errorf("arena: no maximum in %d steps", most)
}

// slopes returns the gradient of what is maximised and its negative Hessian, the observed information.
func (s score) slopes(of []int, theta []float64, lambda float64) (gradient []float64, info [][]float64) {
	n := len(of)
	gradient, info = make([]float64, n), make([][]float64, n)
	for i := range n {
		info[i] = make([]float64, n)
	}
	for i := range n {
		gradient[i] -= lambda * theta[i]
		info[i][i] += lambda
		for j := range n {
			w := s.won[of[i]][of[j]]
			if w == 0 {
				continue
			}
			p := 1 / (1 + math.Exp(theta[j]-theta[i]))
			gradient[i] += w * (1 - p)
			gradient[j] -= w * (1 - p)
			h := w * p * (1 - p)
			info[i][i] += h
			info[j][j] += h
			info[i][j] -= h
			info[j][i] -= h
		}
	}
	return gradient, info
}

// softplus is log(1 + eˣ), in a form that does not overflow.
func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// inverse inverts a symmetric positive definite matrix by Cholesky's method or, shifted, one whose only null vector is that of ones: (A + 11ᵀ/n)⁻¹ − 11ᵀ/n is its pseudo-inverse.
func inverse(a [][]float64, shifted bool) ([][]float64, error) {
	n, ones := len(a), 0.0
	if shifted {
		ones = 1 / float64(n)
	}
	l, inv := make([]float64, n*n), make([]float64, n*n)
	for i := range l {
		l[i] = a[i/n][i%n] + ones
	}
	found := linalg.Cholesky(n, l, n)
	for i := range n {
		found = found && l[i*n+i]*l[i*n+i] > 1e-14*(a[i][i]+ones)
	}
	if !found {
		return nil, errors.New("arena: the answers do not tell all differences: ratings run away from each other")
	}
	linalg.InvertLower(n, l, n)
	linalg.GramLower(n, l, n, inv, n)
	linalg.Symmetrize(n, inv, n)
	for i := range inv {
		inv[i] -= ones
	}
	return slices.Collect(slices.Chunk(inv, n)), nil
}
