package judges

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/space"
)

// Tastes are what prompts may be worth, always with mean 0 and standard deviation 1: normal; the same with four close to the best; or with heavy tails (Student's t with 3 degrees
// of freedom), a few far above and below the rest. Seven tenths of the variance before that are a linear function of five features, the rest is the prompt's own.
var Tastes = []string{"gaussian", "close", "heavy"}

const features = 5

// newTaste draws prompts and what they are worth; known has their features in them.
func newTaste(name string, r *rand.Rand, n int, known bool) (items []space.Item, u []float64, err error) {
	if !slices.Contains(Tastes, name) {
		return nil, nil, fmt.Errorf("judges: taste %q, want one of %v", name, Tastes)
	}
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
	return items, standardised(u), nil
}

func sq(x float64) float64 { return x * x }

// byWorth returns places of u, best first.
func byWorth(u []float64) []int {
	order := make([]int, len(u))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case u[a] > u[b]:
			return -1
		case u[a] < u[b]:
			return 1
		}
		return 0
	})
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
	out := make([]float64, len(u))
	for i, v := range u {
		out[i] = (v - mean) / math.Sqrt(square)
	}
	return out
}
