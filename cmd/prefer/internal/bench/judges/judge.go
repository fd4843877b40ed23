package judges

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Judge answers by a logistic law: it takes what is shown first with the probability 1/(1 + exp(−(u₁ − u₂)/Scale − Bias)), but for lapses, which are a fair
// coin, and for the share Always of calls, in which it takes what is shown first without looking.
type Judge struct {
	Scale  float64 `help:"Scale of the judge's logistic noise, in standard deviations of what prompts are worth." name:"noise" default:"0.4" placeholder:"S"`
	Bias   float64 `help:"The judge's bias towards what is shown first, in logits." default:"0.5" placeholder:"B"`
	Lapse  float64 `help:"Share of random answers." default:"0.15" placeholder:"P"`
	Always float64 `json:",omitempty" help:"Share of calls in which the judge takes what is shown first." placeholder:"P"`
}

// first is the probability that it takes what is shown first.
func (j Judge) first(u1, u2 float64) float64 {
	looked := j.Lapse/2 + (1-j.Lapse)/(1+math.Exp(-(u1-u2)/j.Scale-j.Bias))
	return j.Always + (1-j.Always)*looked
}

// wins is the probability that it takes a over b, sides at random.
func (j Judge) wins(a, b float64) float64 { return (j.first(a, b) + 1 - j.first(b, a)) / 2 }

// hearing is a judge before the prompts of one play. What it says of a pair for the k-th time depends on the pair and k alone, not on the player or the time:
// all players meet the same luck.
type hearing struct {
	judge Judge
	u     []float64
	seed  uint64
	asked map[[2]int]uint64
}

// ask shows two prompts, sides at random, and says whether it took a, and whether b was shown first.
func (h *hearing) ask(a, c int) (tookA, swapped bool) {
	pair := [2]int{min(a, c), max(a, c)}
	h.asked[pair]++
	r := rand.New(rand.NewPCG(h.seed, uint64(pair[0])<<40|uint64(pair[1])<<20|h.asked[pair]))
	one, two := pair[0], pair[1] // in the order in which they are shown
	if r.IntN(2) != 0 {
		one, two = two, one
	}
	tookOne := r.Float64() < h.judge.first(h.u[one], h.u[two])
	return tookOne == (one == a), one != a
}

// Tastes are what prompts may be worth, always with mean 0 and standard deviation 1: normal; the same with four close to the best; or with heavy tails
// (Student's t with 3 degrees of freedom), a few far above and below the rest. Seven tenths of the variance before that are a linear function of five
// features, the rest is the prompt's own.
var Tastes = []string{"gaussian", "close", "heavy"}

const features = 5

// newTaste draws prompts and what they are worth; known has their features in them.
func newTaste(name string, r *rand.Rand, n int, known bool) (items []space.Item, u []float64) {
	weights := make([]float64, features)
	var norm float64
	for k := range weights {
		weights[k] = r.NormFloat64()
		norm += weights[k] * weights[k]
	}
	items, u = make([]space.Item, n), make([]float64, n)
	for i := range items {
		items[i].ID = fmt.Sprint("p", i)
		x := space.Option{}
		for k, w := range weights {
			v := r.NormFloat64()
			x[fmt.Sprint("f", k)] = space.ValueOf(v)
			u[i] += math.Sqrt(0.7/norm) * w * v
		}
		u[i] += math.Sqrt(0.3) * r.NormFloat64()
		if known {
			items[i].Features = x
		}
		chi := (sq(r.NormFloat64()) + sq(r.NormFloat64()) + sq(r.NormFloat64())) / 3 // drawn for every taste, so that all have the same features
		if name == "heavy" {
			u[i] /= math.Sqrt(chi)
		}
	}
	if name == "close" {
		order := byWorth(u)
		for k, i := range order[1:min(5, n)] {
			u[i] = u[order[0]] - 0.1*float64(k+1)
		}
	}
	return items, standardised(u)
}

func sq(x float64) float64 { return x * x }

// byWorth returns places of u, best first.
func byWorth(u []float64) []int {
	order := xslices.Times(len(u), func(i int) int { return i })
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(u[b], u[a]) })
	return order
}

// standardised returns u with mean 0 and standard deviation 1.
func standardised(u []float64) []float64 {
	n := float64(len(u))
	var mean, square float64
	for _, v := range u {
		mean += v / n
	}
	for _, v := range u {
		square += sq(v-mean) / n
	}
	return xslices.Map(u, func(v float64) float64 { return (v - mean) / math.Sqrt(square) })
}
