package gp

import (
	"context"
	"encoding/binary"
	"math"
	"reflect"
	"slices"

	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Mixture is the utility while its hyper-parameters are in doubt: with probability w_k it follows
// Posterior k. It is not a Gaussian process, but what is linear in the law of f is a weighted sum:
//
//	mean(x) = Σ_k w_k μ_k(x),   Pr(o) = Σ_k w_k Pr_k(o).
//
// It is immutable and safe for concurrent readers. The methods that Posterior has too mean the same.
type Mixture struct {
	posts    []*Posterior
	weights  []float64
	evidence float64 // of Average
}

// sumRounding is how far, per weight, weights that were divided by their sum may add up to something else than 1.
const sumRounding = 0x1p-52

// NewMixture returns the mixture of posteriors of the same study with weights in proportion to those
// given, or equal ones if weights is nil. Weights that add up to 1 but for rounding are taken as they are.
func NewMixture(posts []*Posterior, weights []float64) *Mixture {
	if len(posts) == 0 || weights != nil && len(weights) != len(posts) {
		panic("gp: NewMixture: want posteriors, and as many weights")
	}
	x := &Mixture{posts: append([]*Posterior(nil), posts...), weights: make([]float64, len(posts)), evidence: math.NaN()}
	var sum float64
	for k, p := range posts {
		if p.Dim() != posts[0].Dim() || p.noise != posts[0].noise || p.answers != posts[0].answers || len(p.hyper.Raters) != len(posts[0].hyper.Raters) {
			panic("gp: NewMixture: the posteriors are not of one study")
		}
		x.weights[k] = 1
		if weights != nil {
			x.weights[k] = weights[k]
		}
		if !(x.weights[k] >= 0) {
			panic("gp: NewMixture: a weight is negative or not a number")
		}
		sum += x.weights[k]
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		panic("gp: NewMixture: weights have no finite positive sum")
	}
	if math.Abs(sum-1) <= sumRounding*float64(len(posts)) {
		return x // so that the weights of a mixture make the same mixture again
	}
	for k := range x.weights {
		x.weights[k] /= sum
	}
	return x
}

// Len returns the number of posteriors.
func (x *Mixture) Len() int { return len(x.posts) }

// Posterior returns posterior k.
func (x *Mixture) Posterior(k int) *Posterior { return x.posts[k] }

// Weight returns the probability of posterior k.
func (x *Mixture) Weight(k int) float64 { return x.weights[k] }

// Evidence returns the log evidence of the answers with the hyper-parameters averaged out, log ∫ Z(θ) p(θ) dθ, as Average
// estimates it; NaN for a mixture made otherwise.
func (x *Mixture) Evidence() float64 { return x.evidence }

// Dim returns the number of coordinates of a point.
func (x *Mixture) Dim() int { return x.posts[0].Dim() }

// Noise returns σ, the noise of an answer.
func (x *Mixture) Noise() float64 { return x.posts[0].noise }

// Answers returns the scale of answers.
func (x *Mixture) Answers() Answers { return x.posts[0].answers }

// Hyper returns typical hyper-parameters, the weighted geometric means: a scale for steps and
// distances, at which nothing was fitted. It has a trend only where all posteriors have the same kind of one.
func (x *Mixture) Hyper() Hyper {
	m := Model{Answers: x.Answers(), Trend: Flat(), Effects: x.posts[0].hyper.Kernel.Effects}
	for _, p := range x.posts {
		if !p.trended() || p.hyper.Kernel.Effects != m.Effects {
			m.Trend, m.Effects = None(), Cosines
		}
	}
	var mean []float64
	for k, p := range x.posts {
		t := m.theta(p.hyper)
		if mean == nil {
			mean = make([]float64, len(t))
		}
		linalg.Axpy(x.weights[k], t, mean)
	}
	h := m.fromTheta(mean, x.Dim())
	for j, l := range x.posts[0].hyper.Kernel.Lengthscale {
		if l == identityLengthscale { // below what a fit may choose, and to be met exactly
			h.Kernel.Lengthscale[j] = l
		}
	}
	return h
}

// MeanGradient returns the mean at a point and, if grad is not nil, writes its gradient. It uses m, a workspace for any number of points, and leaves its
// moments undefined. It does not allocate after the first call. O(nD) per posterior.
func (x *Mixture) MeanGradient(m *Moments, at, grad []float64) float64 {
	var one []float64
	if grad != nil {
		// The rows of V = UR are idle while means are computed; they hold the gradient of one of them.
		if d := x.Dim(); cap(m.v) < d {
			m.v = make([]float64, d)
		}
		one = m.v[:x.Dim()]
		clear(grad)
	}
	var mean float64
	for k, p := range x.posts {
		mean += x.weights[k] * p.MeanGradient(m, at, one)
		linalg.Axpy(x.weights[k], one, grad)
	}
	return mean
}

// MeanHessian writes the Hessian of the mean at a point into dst (D×D), with a workspace m like MeanGradient.
func (x *Mixture) MeanHessian(m *Moments, at, dst []float64) {
	one := make([]float64, len(dst))
	clear(dst)
	for k, p := range x.posts {
		p.MeanHessian(m, at, one)
		linalg.Axpy(x.weights[k], one, dst)
	}
}

// MeanSum returns a mixture whose mean is Σ_i w_i times that of xs[i]. What several have learned from the same duels with the same kernel is evaluated once:
// there is one posterior for each kernel. As of Posterior.MeanOnly, only the mean may be asked for.
func MeanSum(xs []*Mixture, weights []float64) *Mixture {
	var posts []*Posterior
	var w []float64
	for i, x := range xs {
		for k, p := range x.posts {
			posts, w = append(posts, p), append(w, weights[i]*x.weights[k])
		}
	}
	var kernels [][]int // the numbers of the posteriors with each
	for i, p := range posts {
		at := slices.IndexFunc(kernels, func(some []int) bool { return reflect.DeepEqual(posts[some[0]].hyper.Kernel, p.hyper.Kernel) })
		if at < 0 {
			at, kernels = len(kernels), append(kernels, nil)
		}
		kernels[at] = append(kernels[at], i)
	}
	many := float64(len(kernels)) // the weights of a mixture add up to 1, and the posteriors make up for it
	sum := &Mixture{evidence: math.NaN(), posts: make([]*Posterior, len(kernels)), weights: slices.Repeat([]float64{1 / many}, len(kernels))}
	cooperate.Each(context.Background(), len(kernels), 0, func(j int) error {
		same := xslices.Map(kernels[j], func(i int) *Posterior { return posts[i] })
		sum.posts[j] = meanSum(same, xslices.Map(kernels[j], func(i int) float64 { return many * w[i] }))
		return nil
	})
	return sum
}

// meanSum is MeanSum of posteriors with one kernel: the mean is Σ_j b_j k(x, p_j) + h(x)ᵀw over their points p_j, each once.
func meanSum(posts []*Posterior, weights []float64) *Posterior {
	q := posts[0].MeanOnly()
	d, at := q.Dim(), map[string]int{}
	q.b, q.wb = nil, make([]float64, len(q.wb))
	var rows []float64 // of the points, scaled
	var key []byte
	for k, p := range posts {
		linalg.Axpy(weights[k], p.wb, q.wb)
		for i := range p.pts.n {
			first := len(rows)
			for j := range d {
				rows = append(rows, p.pts.z[j*p.pts.n+i])
			}
			key, _ = binary.Append(key[:0], binary.LittleEndian, rows[first:]) // cannot fail for numbers
			j, known := at[string(key)]
			if known {
				rows = rows[:first]
			} else {
				j, at[string(key)] = len(q.b), len(q.b)
				q.b = append(q.b, 0)
			}
			if i < p.n {
				q.b[j] += weights[k] * p.b[i]
			} else {
				q.b[j] -= weights[k] * p.b[p.singles+i-p.n]
			}
		}
	}
	q.n, q.singles = len(q.b), len(q.b)
	q.pts = Kernel{Lengthscale: slices.Repeat([]float64{1}, d)}.cloud(rows)
	q.cw = make([]float64, len(q.wb)*q.n) // Cᵀ with Cᵀb = w
	if square := linalg.Dot(q.b, q.b); square > 0 {
		for m, w := range q.wb {
			linalg.Axpy(w/square, q.b, q.cw[m*q.n:(m+1)*q.n])
		}
	}
	return q
}
