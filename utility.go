package prefer

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
)

// utility is what is believed of f: with probability weights[k] it follows parts[k]. A study that takes its
// hyper-parameters for known has one part.
type utility struct {
	acquisition.Utility
	parts   []*gp.Posterior
	weights []float64
}

func likeliest(p *gp.Posterior) utility { return utility{p, []*gp.Posterior{p}, []float64{1}} }

// mixture returns the average, nil if there is none.
func (u utility) mixture() *gp.Mixture {
	x, _ := u.Utility.(*gp.Mixture)
	return x
}

func averaged(x *gp.Mixture) utility {
	if x.Len() == 1 {
		return likeliest(x.Posterior(0))
	}
	u := utility{Utility: x}
	for k := range x.Len() {
		u.parts, u.weights = append(u.parts, x.Posterior(k)), append(u.weights, x.Weight(k))
	}
	return u
}

// lightest is the weight, relative to the first model, below which a later one is left out: it would cost as much and
// change nothing. The first one stays: where a plain taste is nearly sure, what is left to ask is about what it may be wrong in.
const lightest = 0.01

// weighed returns the mixture of posteriors with the logs of their weights.
func weighed(posts []*gp.Posterior, logs []float64) utility {
	top := slices.Max(logs)
	var kept []*gp.Posterior
	var weights []float64
	for k, p := range posts {
		if k == 0 || logs[k] >= logs[0]+math.Log(lightest) {
			kept, weights = append(kept, p), append(weights, math.Exp(logs[k]-top))
		}
	}
	return averaged(gp.NewMixture(kept, weights))
}

// sum returns the mean and the variance of Σ_i w_i f(x_i) for the points x, row by row:
//
//	E = Σ_k π_k E_k,   Var = Σ_k π_k (Var_k + E_k²) − E²
func (u utility) sum(x, w []float64) (mean, variance float64) {
	m := gp.NewMoments(len(w))
	means, square := make([]float64, len(u.parts)), 0.0
	for k, p := range u.parts {
		p.Moments(m, x)
		var v float64
		for i := range w {
			means[k] += w[i] * m.Mean[i]
			for j := range w {
				v += w[i] * w[j] * m.Cov[i*len(w)+j]
			}
		}
		mean += u.weights[k] * means[k]
		square += u.weights[k] * v
	}
	for k, e := range means {
		square += u.weights[k] * (e - mean) * (e - mean)
	}
	return mean, math.Max(0, square)
}

// at returns the mean and the standard deviation of f at a point, in units of the noise.
func (u utility) at(x []float64) (mean, sd float64) {
	mean, v := u.sum(x, []float64{1})
	return mean / u.Noise(), math.Sqrt(v) / u.Noise()
}

// prob returns the probability of an answer to a question (a, b) by a rater of whose number r little may be known; with
// forced set of the first being taken by one who must choose.
func (u utility) prob(a, b []float64, o gp.Outcome, r int, forced bool) float64 {
	m := gp.NewMoments(2)
	x := slices.Concat(a, b)
	var sum float64
	for k, p := range u.parts {
		p.Moments(m, x)
		mean, v := m.Difference(0, 1)
		cuts := p.Hyper().Cuts
		if forced {
			cuts = gp.Cuts{0}
		}
		sum += u.weights[k] * cuts.Interval(o, p.Noise()).Prob(mean, math.Max(0, v), p.RaterNoise(r))
	}
	return sum
}

// answers returns the scale of answers.
func (u utility) answers() gp.Answers { return u.parts[0].Answers() }
