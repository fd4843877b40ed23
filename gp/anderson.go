package gp

import "github.com/prefer-bo/prefer/internal/linalg"

// anderson accelerates a fixed-point iteration x ← F(x) on the stacked site parameters by the secant information of its last steps (Walker & Ni 2011): with
// residuals f = F(x) − x, the next iterate is x + f − (ΔX + ΔF)γ, γ minimising ‖f − ΔFγ‖.
type anderson struct {
	n, m   int
	count  int
	dx, df []float64 // m columns of n, oldest overwritten
	x, f   []float64
	gram   []float64
	gamma  []float64
}

func newAnderson(n, m int) *anderson {
	return &anderson{n: n, m: m, dx: make([]float64, n*m), df: make([]float64, n*m),
		x: make([]float64, n), f: make([]float64, n), gram: make([]float64, m*m), gamma: make([]float64, m)}
}

func (a *anderson) reset() { a.count = 0 }

// propose overwrites sites with the accelerated iterate given its image target under the map. It reports false, and leaves sites alone, while there is no
// history or if a precision would turn negative: then the caller takes a plain step.
func (a *anderson) propose(sites, target Sites) bool {
	h := len(sites.Lambda)
	k := min(a.count-1, a.m) // columns available before this call
	col := 0
	if a.count > 0 {
		col = (a.count - 1) % a.m
		dx, df := a.dx[col*a.n:(col+1)*a.n], a.df[col*a.n:(col+1)*a.n]
		for i := range h {
			set := func(at int, x, f float64) {
				dx[at], df[at] = x-a.x[at], f-a.f[at]
			}
			set(i, sites.Lambda[i], target.Lambda[i]-sites.Lambda[i])
			set(h+i, sites.Nu[i], target.Nu[i]-sites.Nu[i])
		}
		k = min(a.count, a.m)
	}
	for i := range h {
		a.x[i], a.x[h+i] = sites.Lambda[i], sites.Nu[i]
		a.f[i], a.f[h+i] = target.Lambda[i]-sites.Lambda[i], target.Nu[i]-sites.Nu[i]
	}
	a.count++
	if k < 1 || !a.solve(k) {
		return false
	}
	next := func(i int) float64 {
		v := a.x[i] + a.f[i]
		for c := range k {
			v -= (a.dx[c*a.n+i] + a.df[c*a.n+i]) * a.gamma[c]
		}
		return v
	}
	for i := range h {
		if next(i) < 0 {
			return false
		}
	}
	for i := range h {
		sites.Lambda[i], sites.Nu[i] = next(i), next(h+i)
	}
	return true
}

// solve finds γ from the normal equations with a relative ridge of 1e-12, enough to keep repeated directions harmless; accuracy of γ only affects speed.
func (a *anderson) solve(k int) bool {
	var trace float64
	for i := range k {
		fi := a.df[i*a.n : (i+1)*a.n]
		for j := range i + 1 {
			a.gram[i*k+j] = linalg.Dot(fi, a.df[j*a.n:(j+1)*a.n])
		}
		trace += a.gram[i*k+i]
		a.gamma[i] = linalg.Dot(fi, a.f)
	}
	for i := range k {
		a.gram[i*k+i] += 1e-12 * trace
	}
	if trace == 0 || !linalg.Cholesky(k, a.gram, k) {
		return false
	}
	linalg.SolveLowerVec(k, a.gram, k, a.gamma[:k])
	linalg.SolveLowerTVec(k, a.gram, k, a.gamma[:k])
	return true
}
