package maximize

// subspace minimises the quadratic model over the variables that are free at the Cauchy point, the others held at
// their bounds (the direct primal method, Byrd1995 §5.1).
type subspace struct {
	h     *history
	gram  *gram
	point []float64 // n: the minimiser, brought into the box
	r     []float64 // n: reduced gradient, then the step; first len(free) entries
	v     []float64 // 2m
	p     []float64 // m × m, stride k: P, then its Cholesky factor R
	e     []float64 // m × m, stride k: E R⁻ᵀ
	q     []float64 // m × m, stride k: Q + E P⁻¹ Eᵀ, then its Cholesky factor
}

func newSubspace(h *history) *subspace {
	n, m := h.n, h.m
	return &subspace{
		h: h, gram: newGram(h),
		point: make([]float64, n), r: make([]float64, n), v: make([]float64, 2*m),
		p: make([]float64, m*m), e: make([]float64, m*m), q: make([]float64, m*m),
	}
}

// find sets point from the iterate x, the gradient g there and the Cauchy point. It returns false if the reduced
// model is not positive definite in floating point.
//
// With Z the columns of the identity that belong to free variables, the step from xᶜ is d = −B_Z⁻¹ r,
//
//	r     = Zᵀ(g + θ(xᶜ−x) − W M c)                                  (Byrd1995, Eq. 5.4)
//	B_Z   = ZᵀBZ = θI − W_Z M W_Zᵀ,   W_Z = ZᵀW
//	B_Z⁻¹ = I/θ + W_Z K⁻¹ W_Zᵀ/θ²,    K = M⁻¹ − W_ZᵀW_Z/θ            (Sherman–Morrison–Woodbury)
func (u *subspace) find(x, g, lo, hi []float64, cp *cauchy) bool {
	h := u.h
	k := h.k
	copy(u.point, cp.point)
	if k == 0 || len(cp.free) == 0 {
		return true
	}
	u.gram.sync(cp)

	v := u.v[:2*k]
	copy(v, cp.c[:2*k])
	h.mulM(v)
	r := u.r[:len(cp.free)]
	for f, i := range cp.free {
		r[f] = g[i] + h.theta*(cp.point[i]-x[i])
	}
	u.gram.addW(r, -1, v)

	u.gram.mulWt(v, r)
	if len(cp.active) == 0 {
		u.solveAllFree(v)
	} else {
		if !u.factor() {
			return false
		}
		u.solve(v)
	}
	d := r
	for f := range d {
		d[f] /= -h.theta
	}
	u.gram.addW(d, -1/(h.theta*h.theta), v)

	u.project(x, g, lo, hi, cp.free, d, cp.point)
	return true
}

// factor prepares solve. With S_F, Y_F the rows of free and S_A, Y_A those of active variables,
//
//	K = [ −P  Eᵀ ]     P = D + Y_FᵀY_F/θ
//	    [  E  Q  ]     Q = θSᵀS − θS_FᵀS_F = θS_AᵀS_A
//	                   E = L − S_FᵀY_F:  S_AᵀY_A below the diagonal, −S_FᵀY_F on and above it
//
// P and the Schur complement Q + E P⁻¹ Eᵀ are positive definite because B is, so two Cholesky factorisations of order
// k do. Sums over the active variables stand where differences of sums over all would cancel.
func (u *subspace) factor() bool {
	h, g := u.h, u.gram
	k, m := h.k, h.m
	for i := range k {
		for j := range i + 1 {
			u.p[i*k+j] = g.yy[i*m+j] / h.theta
		}
		u.p[i*k+i] += h.sy[i*m+i]
	}
	if !cholesky(u.p, k) {
		return false
	}
	for i := range k {
		ei := u.e[i*k:][:k]
		copy(ei, g.e[i*m:][:k])
		lowerSolve(u.p, ei)
		for j := range i + 1 {
			u.q[i*k+j] = h.theta*g.ss[i*m+j] + dot(ei, u.e[j*k:][:k])
		}
	}
	return cholesky(u.q, k)
}

// solve replaces v = (v₁, v₂) by K⁻¹ v = (a, b):
//
//	(Q + E P⁻¹ Eᵀ) b = v₂ + E P⁻¹ v₁,   a = P⁻¹ (Eᵀ b − v₁).
//
// With P = R Rᵀ, u.e holds E R⁻ᵀ, and R⁻¹v₁ is shared by both.
func (u *subspace) solve(v []float64) {
	k := u.h.k
	v1, v2 := v[:k], v[k:2*k]
	lowerSolve(u.p, v1)
	for i := range k {
		v2[i] += dot(u.e[i*k:][:k], v1)
	}
	cholSolve(u.q, v2)
	for l := range v1 {
		v1[l] = -v1[l]
	}
	for i := range k {
		axpy(v1, v2[i], u.e[i*k:][:k])
	}
	upperSolve(u.p, v1)
}

// solveAllFree is solve when no variable is active. Then Q = 0 and E = −U, U the part of SᵀY on and above the diagonal, so that
//
//	U a = −v₂,   Uᵀ b = −(v₁ + P a)
//
// are triangular and nothing is factored: the compact form of the inverse (Byrd1994, Theorem 2.2) falls out.
func (u *subspace) solveAllFree(v []float64) {
	h, g := u.h, u.gram
	k, m := h.k, h.m
	v1, a := v[:k], v[k:2*k]
	for i := k - 1; i >= 0; i-- {
		ei := g.e[i*m:][:k] // −U
		a[i] = (a[i] - dot(ei[i+1:], a[i+1:])) / ei[i]
	}
	b := v1
	for i := range b {
		b[i] += dot(g.yy[i*m:][:k], a)/h.theta + h.sy[i*m+i]*a[i]
	}
	for i := range b {
		ei := g.e[i*m:][:k]
		b[i] /= ei[i]
		axpy(b[i+1:], -b[i], ei[i+1:])
	}
	for i := range b {
		a[i], b[i] = b[i], a[i]
	}
}

// project brings xᶜ + d into the box. Clipping it keeps most of the subspace step, but can, rarely, leave no descent
// direction from x; then the step is cut back along d instead, which cannot (Morales2011).
func (u *subspace) project(x, g, lo, hi []float64, free []int, d, cp []float64) {
	clipped := false
	for f, i := range free {
		z := cp[i] + d[f]
		u.point[i] = clip(z, lo[i], hi[i])
		clipped = clipped || u.point[i] != z
	}
	if !clipped {
		return
	}
	var slope float64
	for i, gi := range g {
		slope += gi * (u.point[i] - x[i])
	}
	if slope < 0 {
		return
	}
	t := 1.0
	for f, i := range free {
		switch {
		case d[f] > 0:
			t = min(t, (hi[i]-cp[i])/d[f])
		case d[f] < 0:
			t = min(t, (lo[i]-cp[i])/d[f])
		}
	}
	for f, i := range free {
		u.point[i] = clip(cp[i]+t*d[f], lo[i], hi[i])
	}
}
