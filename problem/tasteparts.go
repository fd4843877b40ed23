package problem

import (
	"math"
	"math/rand/v2"
)

// drawParts returns d parts: of a mixed space and of features of a list half are continuous, at least one is not.
func drawParts(rng *rand.Rand, d int, shape Shape) []Part {
	parts := make([]Part, d)
	if shape == Box {
		return parts
	}
	discrete := func() Part {
		if rng.IntN(2) == 0 {
			return Part{Ordered, 3 + rng.IntN(6)}
		}
		return Part{Unordered, 2 + rng.IntN(4)}
	}
	for j := range parts {
		if rng.IntN(2) == 0 {
			parts[j] = discrete()
		}
	}
	if shape == Mixed && d > 1 {
		at := rng.Perm(d)
		parts[at[0]], parts[at[1]] = discrete(), Part{}
	} else if shape == Mixed {
		parts[0] = Part{Ordered, 5 + rng.IntN(20)}
	}
	return parts
}

// positions returns where levels lie on the axes of the unit cube that the families are functions of: those of an ordered
// part evenly, choices anywhere, so that neighbours by number have nothing in common. Nil for continuous parts.
func positions(rng *rand.Rand, parts []Part) [][]float64 {
	out := make([][]float64, len(parts))
	for j, p := range parts {
		for i := range p.Levels {
			at := float64(i) / float64(p.Levels-1)
			if p.Kind == Unordered {
				at = rng.Float64()
			}
			out[j] = append(out[j], at)
		}
	}
	return out
}

// close makes circles of the first so many continuous parts, and returns how many there are.
func (t *Taste) close(most int) (n int) {
	for j, p := range t.Parts {
		if p.Kind == Continuous && n < most {
			t.Parts[j].Kind = Circular
			n++
		}
	}
	return n
}

// rounded returns the taste that a function of a cube of higher dimension is on the circles in it: each takes two coordinates,
// and goes round in a square.
func (t *Taste) rounded(f func(u []float64) float64, place [][]float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		var u []float64
		for j, v := range x {
			switch {
			case t.Parts[j].Kind == Circular:
				s, c := math.Sincos(2 * math.Pi * v)
				u = append(u, (1+c)/2, (1+s)/2)
			case place[j] != nil:
				u = append(u, place[j][int(v)])
			default:
				u = append(u, v)
			}
		}
		return f(u)
	}
}
