package gp

import (
	"math"
	"sync"
)

// maxHermite is the largest rule on offer.
const maxHermite = 200

// hermiteRules caches the Gauss–Hermite rules in use, keyed by their size.
var hermiteRules sync.Map

type hermiteRule struct{ z, w []float64 }

// hermite returns the n-node Gauss–Hermite rule for the standard normal: E[g(Z)] ≈ Σ w_k g(z_k).
//
// In the physicists' convention of the literature z = √2 t and w = w_t/√π. The nodes are the zeros of the orthonormal Hermite polynomial h_n, bracketed on a
// grid and polished by Newton; h_n is evaluated by its three-term recurrence in orthonormal form, which neither overflows nor cancels for the n ≤ 200 in use
// here. w_t = 1/(n h_{n−1}(t)²).
func hermite(n int) (z, w []float64) {
	if r, ok := hermiteRules.Load(n); ok {
		r := r.(hermiteRule)
		return r.z, r.w
	}
	if n < 1 || n > maxHermite {
		panic("gp: Gauss–Hermite rules have 1 to 200 nodes")
	}
	z, w = make([]float64, n), make([]float64, n)
	// eval returns h_n(t) and h_{n−1}(t), orthonormal under the weight e^{−t²}.
	eval := func(t float64) (hn, hm float64) {
		hm, hn = 0, math.Pow(math.Pi, -0.25)
		for k := range n {
			hm, hn = hn, t*math.Sqrt(2/float64(k+1))*hn-math.Sqrt(float64(k)/float64(k+1))*hm
		}
		return hn, hm
	}
	edge := math.Sqrt(2*float64(n) + 2)
	steps := 200 * n
	found := 0
	prev, _ := eval(edge)
	at := edge
	for i := 1; i <= steps && found < (n+1)/2; i++ {
		t := edge * (1 - float64(i)/float64(steps))
		if n%2 == 1 && i == steps {
			t = 0
		}
		cur, _ := eval(t)
		if prev*cur <= 0 && (prev != 0 || t == 0) {
			root := polish(eval, t, at, n)
			_, hm := eval(root)
			weight := 1 / (float64(n) * hm * hm) / math.Sqrt(math.Pi)
			z[found], w[found] = -math.Sqrt2*root, weight
			z[n-1-found], w[n-1-found] = math.Sqrt2*root, weight
			found++
		}
		prev, at = cur, t
	}
	if found != (n+1)/2 {
		panic("gp: Gauss–Hermite nodes not found")
	}
	hermiteRules.Store(n, hermiteRule{z, w})
	return z, w
}

// polish finds the zero of h_n in [lo, hi] by bisection to a Newton basin, then Newton with h_n' = √(2n) h_{n−1}.
func polish(eval func(float64) (float64, float64), lo, hi float64, n int) float64 {
	flo, _ := eval(lo)
	if flo == 0 {
		return lo
	}
	for range 20 {
		mid := (lo + hi) / 2
		f, _ := eval(mid)
		if f*flo > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	t := (lo + hi) / 2
	for range 4 {
		f, hm := eval(t)
		t -= f / (math.Sqrt(2*float64(n)) * hm)
	}
	return t
}
