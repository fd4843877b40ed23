package judges

import (
	"context"
	"math"
	"math/rand/v2"
)

// alpha of the confidence bounds, as in Wu and Liu's experiments.
const alpha = 0.51

// thompson is double Thompson sampling (Wu and Liu, "Double Thompson Sampling for Dueling Bandits", 2016, Algorithm 1): the first of a pair is the one that beats most others in a draw
// from the posterior of all win probabilities, among those that by their upper confidence bounds may beat most; the second the one that, in another draw, is likeliest to beat it, among those not known to
// be worse. Theirs may compare one with itself, which is how regret ends; here that would be a call that tells nothing, and the second is somebody else. The best beats most others in
// the mean of the posterior.
type thompson struct {
	r    *rand.Rand
	wins [][]float64 // B_ij: how often i beat j
	t    float64
	a, b int
}

func newThompson(r *rand.Rand, n int) *thompson {
	w := make([][]float64, n)
	for i := range w {
		w[i] = make([]float64, n)
	}
	return &thompson{r: r, wins: w}
}

// bound returns B_ij/(B_ij + B_ji) ± √(α log t / (B_ij + B_ji)); x/0 is 1.
func (p *thompson) bound(i, j int, side float64) float64 {
	n := p.wins[i][j] + p.wins[j][i]
	if n == 0 {
		return 1 + side
	}
	return p.wins[i][j]/n + side*math.Sqrt(alpha*math.Log(p.t)/n)
}

func (p *thompson) next(context.Context) (int, int, error) {
	p.t++
	n := len(p.wins)
	may, top := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			if i != j && p.bound(i, j, 1) > 0.5 {
				may[i]++
			}
		}
		top = max(top, may[i])
	}
	beats := make([]float64, n)
	for i := range n {
		for j := range i {
			if p.beta(i, j) > 0.5 {
				beats[i]++
			} else {
				beats[j]++
			}
		}
	}
	for i := range n {
		if may[i] < top {
			beats[i] = -1
		}
	}
	p.a = most(p.r, beats)
	draw := make([]float64, n)
	for i := range n {
		switch {
		case i == p.a:
			draw[i] = -2
		case p.bound(i, p.a, -1) > 0.5: // known to be better: not among those the paper draws from
			draw[i] = -1
		default:
			draw[i] = p.beta(i, p.a)
		}
	}
	p.b = most(p.r, draw)
	return p.a, p.b, nil
}

func (p *thompson) told(_ context.Context, tookA, _ bool) error {
	if tookA {
		p.wins[p.a][p.b]++
	} else {
		p.wins[p.b][p.a]++
	}
	return nil
}

func (p *thompson) pick(context.Context) (int, float64, error) {
	score := make([]float64, len(p.wins))
	for i := range p.wins {
		for j := range p.wins {
			if i == j {
				continue
			}
			mean := (p.wins[i][j] + 1) / (p.wins[i][j] + p.wins[j][i] + 2)
			switch {
			case mean > 0.5:
				score[i]++
			case mean == 0.5:
				score[i] += 0.5
			}
			score[i] += mean / float64(2*len(p.wins)) // of those that beat as many, the one that beats them more often
		}
	}
	return most(p.r, score), 0, nil
}

// beta draws from Beta(B_ij + 1, B_ji + 1), whose parameters are whole: the a-th smallest of a + b − 1 even draws is the ratio of sums of exponential ones.
func (p *thompson) beta(i, j int) float64 {
	gamma := func(k int) (sum float64) {
		for range k {
			sum += p.r.ExpFloat64()
		}
		return sum
	}
	x, y := gamma(int(p.wins[i][j])+1), gamma(int(p.wins[j][i])+1)
	return x / (x + y)
}
