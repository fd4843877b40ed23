package problem

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/sobol"
)

// Calibration says how the error rate is measured among the best 1 % of a domain.
type Calibration struct {
	Points int    // quasi-random points of the domain; 0 means 2²¹
	Seed   uint64 // of the scrambled Sobol sequence
	Link   Link   // law of the noise
}

const (
	goodShare     = 0.01    // of the domain, the paper's "top 1 %"
	defaultPoints = 1 << 21 // σ then varies by 0.7 % (standard deviation) over seeds for Alpine1, 0.4 % or less for the others
)

// Calibrate returns the σ at which answers about pairs of good points are wrong with probability
// errorRate (§4 of the paper: 10 % for low noise, 30 % for high).
//
//	E Φ(−|f(x) − f(x')|/σ) = errorRate,   x, x' independent among the best 1 % of the domain
//
// The paper does not say how it tuned σ; this is the procedure of the qEUBO experiments (Astudillo et al. 2023), with all pairs instead of one random
// pairing, and bisection instead of a descent on an absolute value. The rate is strictly increasing in σ, so the solution is unique.
//
// It is deterministic. It returns an error unless 0 < errorRate < ½, and if σ does not matter because
// too many of the good points have the same utility. To solve for several rates use [NewTop].
func Calibrate(p Problem, errorRate float64, c Calibration) (float64, error) {
	t, err := NewTop(p, c)
	if err != nil {
		return 0, err
	}
	return t.Sigma(errorRate)
}

func checkRate(rate float64) error {
	if !(rate > 0 && rate < 0.5) {
		return fmt.Errorf("problem: error rate %g, want between 0 and 0.5", rate)
	}
	return nil
}

// Top is the distribution of the utility over the good part of a domain, ready for any error rate.
type Top struct {
	link      Link
	threshold float64
	blocks    []block
	pairs     float64 // number of pairs of points
}

// block stands for count neighbours in the sorted utilities.
type block struct {
	mean, width, count float64
}

// maxBlocks bounds the pairs of blocks at 2¹⁷. All pairs of the 2¹⁴ best points would take minutes to solve for σ, 2⁹ blocks take a tenth of a second, and σ
// is the same to 1e-4 at an error rate of 10 % and to 0.4 % at 1 % (TestBlocks).
const maxBlocks = 512

// NewTop evaluates the problem at the points of the calibration and keeps the best.
func NewTop(p Problem, c Calibration) (*Top, error) {
	values, err := best(p, c)
	if err != nil {
		return nil, err
	}
	return TopOf(values, c.Link), nil
}

// TopOf makes it of utilities that are known, in increasing order and at least two.
func TopOf(values []float64, link Link) *Top { return newTop(values, link, maxBlocks) }

// newTop groups the increasing values into at most n blocks of equal count.
func newTop(values []float64, link Link, n int) *Top {
	m := len(values)
	t := &Top{link: link, threshold: values[0], pairs: float64(m) * float64(m-1) / 2}
	n = min(m, n)
	for k := range n {
		b := values[k*m/n : (k+1)*m/n]
		count := float64(len(b))
		mean := sumOf(b, func(_ int, v float64) float64 { return v }) / count
		t.blocks = append(t.blocks, block{mean, b[len(b)-1] - b[0], count})
	}
	return t
}

// best returns the best utilities of the calibration's points in increasing order.
func best(p Problem, c Calibration) ([]float64, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	c.Points = cmp.Or(c.Points, defaultPoints)
	m := int(goodShare * float64(c.Points))
	if m < 2 {
		return nil, fmt.Errorf("problem: %d points leave %d in the best %g, want at least 2", c.Points, m, goodShare)
	}
	if c.Link != Probit && c.Link != Logistic {
		return nil, fmt.Errorf("problem: Calibration.Link = %v, want probit or logistic", c.Link)
	}
	// Keep up to 2m values; when full, drop the worse half. Most points then fail at the floor.
	keep, floor := make([]float64, 0, 2*m), math.Inf(-1)
	prune := func() {
		slices.Sort(keep)
		keep = keep[:copy(keep, keep[len(keep)-m:])]
		floor = keep[0]
	}
	points := sobol.Scrambled(p.Dim, c.Seed)
	u, x := make([]float64, p.Dim), make([]float64, p.Dim)
	for range c.Points {
		points.Next(u)
		p.raw(x, u)
		v := p.F(x)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("problem: %q has utility %g at %v", p.Name, v, x)
		}
		if v < floor {
			continue
		}
		if keep = append(keep, v); len(keep) == 2*m {
			prune()
		}
	}
	prune()
	return keep, nil
}

// ErrorRate returns the probability that an answer about two good points is wrong under noise σ > 0.
//
// Pairs from different blocks are at the distance of the means. Pairs from one block are at a third
// of its width, the mean distance of two uniform points in it, so that the rate goes to 0 with σ.
func (t *Top) ErrorRate(sigma float64) float64 {
	if !(sigma > 0) {
		panic("problem: σ is not positive")
	}
	far := t.link.reach() * sigma
	total := 0.0
	for k, a := range t.blocks {
		sum := (a.count - 1) / 2 * t.link.cdf(-a.width/3/sigma)
		for _, b := range t.blocks[k+1:] {
			diff := b.mean - a.mean
			if diff > far {
				break
			}
			sum += b.count * t.link.cdf(-diff/sigma)
		}
		total += a.count * sum
	}
	return total / t.pairs
}

// Sigma returns the noise at which ErrorRate is errorRate, by bisection on log σ.
func (t *Top) Sigma(errorRate float64) (float64, error) {
	if err := checkRate(errorRate); err != nil {
		return 0, err
	}
	const (
		width     = 40   // e^±40 of the spread: beyond any rate that float64 can tell from 0 and ½
		tolerance = 1e-8 // relative, in σ; the sample is good to 1e-2
	)
	spread := t.blocks[len(t.blocks)-1].mean - t.blocks[0].mean
	if !(spread > 0) || t.ErrorRate(spread*math.Exp(-width)) >= errorRate || t.ErrorRate(spread*math.Exp(width)) <= errorRate {
		return 0, fmt.Errorf("problem: no σ gives error rate %g: the best utilities span %g from %g, with ties", errorRate, spread, t.threshold)
	}
	lo, hi := math.Log(spread)-width, math.Log(spread)+width
	for hi-lo > tolerance {
		mid := lo + (hi-lo)/2
		if t.ErrorRate(math.Exp(mid)) < errorRate {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Exp(lo + (hi-lo)/2), nil
}
