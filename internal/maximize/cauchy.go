package maximize

import (
	"math"
)

// cauchy finds the generalised Cauchy point: the first local minimiser of the quadratic model
//
//	q(z) = gᵀ(z−x) + ½ (z−x)ᵀ B (z−x)
//
// along the projected gradient path x(t) = clip(x − t·g) (Byrd1995, §4). The path is a polyline that bends wherever a variable meets its bound; on each piece q
// is a parabola in t, whose slope f′ and curvature f″ are carried from piece to piece in O(k²) per bend.
type cauchy struct {
	h      *history
	point  []float64 // n: the Cauchy point xᶜ
	c      []float64 // 2m: Wᵀ(xᶜ − x), first 2k entries
	free   []int     // indices strictly inside their bounds at xᶜ; capacity n
	active []int     // the others
	d      []float64 // n: direction of the current piece
	p      []float64 // 2m: Wᵀd
	w, mw  []float64 // 2m: a row of W, and M times it
	breaks []bend    // of the path; those that it has met first, in their order; capacity n
}

// A bend is the place t of the path where variable i meets its bound.
type bend struct {
	t float64
	i int
}

func newCauchy(h *history) *cauchy {
	n, m := h.n, h.m
	return &cauchy{
		h:     h,
		point: make([]float64, n), c: make([]float64, 2*m),
		free: make([]int, 0, n), active: make([]int, 0, n),
		d: make([]float64, n), p: make([]float64, 2*m),
		w: make([]float64, 2*m), mw: make([]float64, 2*m),
		breaks: make([]bend, 0, n),
	}
}

// minCurvature keeps f″, a difference, from falling to zero or below by rounding: it may not fall below this part of
// its first value. B is positive definite, so f″ > 0 in exact arithmetic.
const minCurvature = 0x1p-52

// find sets point, c, free and active from the iterate x and the gradient g there.
func (a *cauchy) find(x, g, lo, hi []float64) {
	h := a.h
	k2 := 2 * h.k
	c, p := a.c[:k2], a.p[:k2]
	clear(c)
	copy(a.point, x)

	a.breaks = a.breaks[:0]
	var slope float64 // f′ = −dᵀd
	moving := 0
	for i, gi := range g {
		t := math.Inf(1)
		switch {
		case gi < 0:
			t = (x[i] - hi[i]) / gi
		case gi > 0:
			t = (x[i] - lo[i]) / gi
		}
		if gi == 0 || t <= 0 {
			a.d[i] = 0
			continue
		}
		a.d[i] = -gi
		slope -= gi * gi
		moving++
		if !math.IsInf(t, 1) {
			a.breaks = append(a.breaks, bend{t, i})
		}
	}
	if moving > 0 {
		h.mulWt(p, a.d)
		a.walk(slope, moving, x, g, lo, hi)
	}

	a.free, a.active = a.free[:0], a.active[:0]
	for i, v := range a.point {
		if lo[i] < v && v < hi[i] {
			a.free = append(a.free, i)
		} else {
			a.active = append(a.active, i)
		}
	}
}

// walk follows the path from t = 0, slope f′ there, until the model's first minimum on it.
func (a *cauchy) walk(slope float64, moving int, x, g, lo, hi []float64) {
	h := a.h
	k2 := 2 * h.k
	c, p, w, mw := a.c[:k2], a.p[:k2], a.w[:k2], a.mw[:k2]

	curve := -h.theta * slope // f″ = θdᵀd − pᵀMp
	if h.k > 0 {
		copy(mw, p)
		h.mulM(mw)
		curve -= dot(p, mw)
	}
	floor := -h.theta * slope * minCurvature
	curve = max(curve, floor)
	dt := -slope / curve // from the last bend to the minimum of this piece's parabola
	var t float64        // the last bend

	for at := range a.breaks { // mostly the path ends before the second bend, so they are not sorted
		first := at
		for k, b := range a.breaks[at:] {
			if b.t < a.breaks[first].t {
				first = at + k
			}
		}
		b := a.breaks[first]
		copy(a.breaks[at+1:first+1], a.breaks[at:first]) // of equal ones that of the lower variable stays first
		a.breaks[at] = b
		step := b.t - t
		if dt < step {
			break
		}
		t = b.t
		i, gi := b.i, g[b.i]
		if gi < 0 {
			a.point[i] = hi[i]
		} else {
			a.point[i] = lo[i]
		}
		z := a.point[i] - x[i]
		a.d[i] = 0
		moving--
		axpy(c, step, p)
		if moving == 0 {
			return // every variable has met its bound; the path ends here
		}

		// Byrd1995, Algorithm CP: variable i leaves the direction, d ← d + gᵢeᵢ.
		slope += step*curve + gi*gi + h.theta*gi*z
		curve -= h.theta * gi * gi
		if h.k > 0 {
			h.rowW(w, i)
			copy(mw, w)
			h.mulM(mw)
			slope -= gi * dot(mw, c)
			curve -= 2*gi*dot(mw, p) + gi*gi*dot(mw, w)
			axpy(p, gi, w)
		}
		curve = max(curve, floor)
		dt = -slope / curve
	}

	dt = max(dt, 0)
	t += dt
	axpy(c, dt, p)
	for i, di := range a.d {
		if di != 0 {
			// t is before the bend of i, so clip only undoes rounding.
			a.point[i] = clip(x[i]+t*di, lo[i], hi[i])
		}
	}
}
