package renders

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer"
)

// Taste is a person who knows what she likes about scenes, and errs.
type Taste struct {
	peak, weight [8]float64
	slope        [8]float64
	own          float64
	seed         uint64
}

// NewTaste draws a person: about three of the eight traits of a scene matter to her; of each she likes a certain amount, or the more the better; of hue
// a certain one. own is the share of the variance of her utility that nothing about a scene explains: what a single picture has for her.
func NewTaste(r *rand.Rand, own float64) Taste {
	t := Taste{own: own, seed: r.Uint64()}
	for i, j := range r.Perm(8) {
		t.peak[j] = r.Float64()
		if i >= 3 {
			continue
		}
		size := 0.5 + r.Float64()
		if j == 0 || r.IntN(2) == 0 {
			t.weight[j] = size
		} else {
			t.slope[j] = size * float64(2*r.IntN(2)-1)
		}
	}
	return t
}

// Utilities returns what the pictures are worth to her, with mean 0 and variance 1.
func (t Taste) Utilities(scenes []Scene) []float64 {
	out, alone := make([]float64, len(scenes)), make([]float64, len(scenes))
	for i, s := range scenes {
		for j, v := range [8]float64{s.Hue, s.Vivid, s.Ground, s.Density, s.Size, s.Bars, s.Height, s.Tint} {
			d := math.Abs(v - t.peak[j])
			if j == 0 {
				d = 2 * math.Min(d, 1-d)
			}
			out[i] += t.weight[j]*math.Exp(-d*d/0.18) + t.slope[j]*v
		}
		alone[i] = rand.New(rand.NewPCG(t.seed, s.Chance)).NormFloat64()
	}
	standardize(out)
	standardize(alone)
	for i := range out {
		out[i] = math.Sqrt(1-t.own)*out[i] + math.Sqrt(t.own)*alone[i]
	}
	standardize(out)
	return out
}

func standardize(v []float64) {
	var mean, square float64
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for i := range v {
		v[i] -= mean
		square += v[i] * v[i] / float64(len(v))
	}
	if square > 0 {
		for i := range v {
			v[i] /= math.Sqrt(square)
		}
	}
}

// answer is what she says: the better one, but wrong once in so many times.
func answer(r *rand.Rand, first, second, errs float64) prefer.Choice {
	better := first >= second
	if r.Float64() < errs {
		better = !better
	}
	if better {
		return prefer.First
	}
	return prefer.Second
}

// best reports which of the pictures are among the best part.
func best(u []float64, part float64) []bool {
	sorted := slices.Sorted(slices.Values(u))
	least := sorted[len(u)-max(1, int(math.Round(part*float64(len(u)))))]
	out := make([]bool, len(u))
	for i, v := range u {
		out[i] = v >= least
	}
	return out
}
