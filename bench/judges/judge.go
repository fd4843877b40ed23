package judges

import (
	"math"
	"math/rand/v2"
)

// Judge answers by a logistic law: it takes what is shown first with the probability 1/(1 + exp(−(u₁ − u₂)/Scale − Bias)), but for lapses, which are a fair coin.
type Judge struct {
	Scale float64 // of the noise, in units of the utilities
	Bias  float64 // to what is shown first, in logits
	Lapse float64 // share of answers that are random
}

// first is the probability that it takes what is shown first.
func (j Judge) first(u1, u2 float64) float64 {
	return j.Lapse/2 + (1-j.Lapse)/(1+math.Exp(-(u1-u2)/j.Scale-j.Bias))
}

// wins is the probability that it takes a over b, sides at random.
func (j Judge) wins(a, b float64) float64 { return (j.first(a, b) + 1 - j.first(b, a)) / 2 }

// bench is a judge before the prompts of one play. What it says of a pair for the k-th time depends on the pair and k alone, whoever asks and when: all players meet
// the same luck.
type bench struct {
	judge Judge
	u     []float64
	seed  uint64
	asked map[[2]int]uint64
}

// ask shows two prompts, sides at random, and says whether it took a, and whether b was shown first.
func (b *bench) ask(a, c int) (tookA, swapped bool) {
	pair := [2]int{min(a, c), max(a, c)}
	b.asked[pair]++
	r := rand.New(rand.NewPCG(b.seed, uint64(pair[0])<<40|uint64(pair[1])<<20|b.asked[pair]))
	low := r.IntN(2) == 0 // the one with the lower number is shown first
	one, two := pair[0], pair[1]
	if !low {
		one, two = two, one
	}
	taken := two
	if r.Float64() < b.judge.first(b.u[one], b.u[two]) {
		taken = one
	}
	return taken == a, one != a
}
