package acquisition

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Tries of Points: so many, and so many more for every point wanted. A feasible part of a thousandth of
// the domain still gives what is asked for in most cases.
const (
	pointTries     = 4000
	pointTriesEach = 200
)

// Points returns n quasi-random options, row by row: scrambled Sobol points over the parameters, levels with equal shares, infeasible ones passed over.
// Without a continuous parameter they are all different. There are fewer if many tries found no more, and none if the feasible set looks empty. The domain is
// not nil; see Cube.
func (d *Domain) Points(n int, seed uint64) []float64 {
	if d.List != nil {
		return d.rows(n, seed)
	}
	return d.points(n, seed, limits{ok: d.Feasible})
}

// points is Points for options within limits.
func (d *Domain) points(n int, seed uint64, s limits) []float64 {
	seq := sobol.Scrambled(len(d.Parts), seed)
	u, x := make([]float64, len(d.Parts)), make([]float64, d.coordinates())
	var out []float64
	seen := map[string]bool{}
	finite := d.finite()
	for range pointTries + pointTriesEach*n {
		if len(out) == n*len(x) {
			break
		}
		seq.Next(u)
		d.fromUnit(x, u)
		s.place(x)
		if !s.may(x) {
			continue
		}
		if finite {
			k := key(x)
			if seen[k] {
				continue
			}
			seen[k] = true
		}
		out = append(out, x...)
	}
	return out
}

// fromUnit writes the option of the parameters u in [0, 1)ᴾ into x.
func (d *Domain) fromUnit(x, u []float64) {
	for i, p := range d.Parts {
		p.Place(u[i], x)
	}
}

// Place writes the value at u of [0, 1) into x: level ⌊uL⌋ of L.
func (p Part) Place(u float64, x []float64) {
	switch {
	case p.Levels == nil && p.Circular:
		x[p.At], x[p.At+1] = Circle(u)
	case p.Levels == nil:
		x[p.At] = u
	default:
		copy(p.of(x), p.level(min(int(u*float64(p.count())), p.count()-1)))
	}
}

// rows returns n rows of the list, all of different number, or all there are.
func (d *Domain) rows(n int, seed uint64) []float64 {
	return pick(d.List, d.Dim, spreadRows(len(d.List)/d.Dim, n, seed))
}

// spreadRows returns n different numbers below total, evenly spread, or all of them.
func spreadRows(total, n int, seed uint64) []int {
	if n >= total {
		return upTo(total)
	}
	// A stride coprime to total visits every number once; one near the golden section, evenly.
	rng := rand.New(rand.NewPCG(seed, 0x5011))
	stride := max(1, int(0.6180339887498949*float64(total)))
	for gcd(stride, total) != 1 {
		stride++
	}
	var out []int
	at := rng.IntN(total)
	for range n {
		out = append(out, at)
		at = (at + stride) % total
	}
	return out
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// key returns the bits of x as a string: a map key.
func key(x []float64) string {
	b, _ := binary.Append(nil, binary.LittleEndian, x) // numbers have a size
	return string(b)
}

// neighbourTries bounds the tries for a feasible neighbour.
const neighbourTries = 8

// Around returns up to 2·count options round x, row by row: continuous coordinates x ± ηℓz as the function Around, circles by as long an arc, ordered levels
// by as many steps as that is, and each category changed with probability η/(number of categories). On a list they are the rows with the nearest coordinates,
// in lengthscales. Infeasible neighbours are drawn again a few times, then left out.
func (d *Domain) Around(p Utility, x []float64, count int, rng *rand.Rand) []float64 {
	if d == nil {
		return Around(p, x, count, rng)
	}
	ls := p.Hyper().Kernel.Lengthscale
	if d.List != nil {
		return d.nearest(ls, x, 2*count)
	}
	categories := xslices.Count(d.Parts, func(part Part) bool { return part.Levels != nil && !part.Ordered })
	var out []float64
	for range count {
		for range neighbourTries {
			eta := math.Exp(math.Log(0.03) * rng.Float64())
			plus, minus := clone(x), clone(x)
			for _, part := range d.Parts {
				part.step(plus, minus, ls, eta, categories, rng)
			}
			found := false
			for _, y := range [][]float64{plus, minus} {
				if !slices.Equal(x, y) && d.feasible(y) {
					out, found = append(out, y...), true
				}
			}
			if found {
				break
			}
		}
	}
	return out
}

// step moves the part's coordinates in plus one way and in minus the other.
func (p Part) step(plus, minus, ls []float64, eta float64, categories int, rng *rand.Rand) {
	z := rng.NormFloat64()
	switch {
	case p.Levels == nil && p.Circular:
		s := eta * math.Min(ls[p.At], 1) * z
		rotate(p.of(plus), s)
		rotate(p.of(minus), -s)
	case p.Levels == nil:
		s := eta * math.Min(ls[p.At], 1) * z
		plus[p.At] = min(max(plus[p.At]+s, 0), 1)
		minus[p.At] = min(max(minus[p.At]-s, 0), 1)
	case p.Ordered && p.Circular:
		n := p.count()
		s := int(math.Round(eta * math.Min(ls[p.At], 1) * z * float64(n) / math.Pi))
		at := p.find(plus)
		copy(p.of(plus), p.level(((at+s)%n+n)%n))
		copy(p.of(minus), p.level(((at-s)%n+n)%n))
	case p.Ordered:
		n := p.count()
		s := int(math.Round(eta * math.Min(slices.Min(p.of(ls)), 1) * z * float64(n-1)))
		at := p.find(plus)
		copy(p.of(plus), p.level(min(max(at+s, 0), n-1)))
		copy(p.of(minus), p.level(min(max(at-s, 0), n-1)))
	case rng.Float64()*float64(categories) < eta:
		copy(p.of(plus), p.level(rng.IntN(p.count())))
		copy(p.of(minus), p.level(rng.IntN(p.count())))
	}
}

// nearest returns the n rows of the list nearest to x and not equal to it, distances in lengthscales.
func (d *Domain) nearest(ls, x []float64, n int) []float64 {
	total := len(d.List) / d.Dim
	far := make([]float64, total)
	for i := range far {
		for j, v := range d.List[i*d.Dim : (i+1)*d.Dim] {
			t := (v - x[j]) / ls[j]
			far[i] -= t * t
		}
	}
	var out []float64
	for _, i := range topRows(far, n+1) {
		if row := d.List[i*d.Dim : (i+1)*d.Dim]; far[i] < 0 && len(out) < n*d.Dim {
			out = append(out, row...)
		}
	}
	return out
}
