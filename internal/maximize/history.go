package maximize

// history is the quadratic model's memory: the last k ≤ m steps s and changes of gradient y, and the compact form of
// the BFGS matrix they define (Byrd1994, Theorem 2.3; Byrd1995, Eq. 3.2–3.4):
//
//	B = θI − W M Wᵀ,   W = [Y θS]  (n × 2k),   M⁻¹ = [ −D   Lᵀ  ]
//	                                                  [  L  θSᵀS ]
//
// S and Y hold the steps as columns, oldest first; D is the diagonal of SᵀY and L its part strictly below the
// diagonal; θ = yᵀy/sᵀy of the newest pair. With k = 0, B = θI.
//
// The products of the columns are kept, so that a new pair costs O(kn) and never more.
type history struct {
	n, m, k int
	added   int // pairs added so far; a reset counts as m more, so that none of the earlier ones is taken for present
	theta   float64
	s, y    []float64 // m × n: row j is pair j
	ss, sy  []float64 // m × m, lower triangles: sᵢᵀsⱼ and sᵢᵀyⱼ (L and D)
	j       []float64 // m × m, stride k: Cholesky factor of θSᵀS + L D⁻¹ Lᵀ
	invD    []float64 // m: 1/D
}

func newHistory(n, m int) *history {
	return &history{
		n: n, m: m, theta: 1,
		s: make([]float64, m*n), y: make([]float64, m*n),
		ss: make([]float64, m*m), sy: make([]float64, m*m),
		j: make([]float64, m*m), invD: make([]float64, m),
	}
}

func (h *history) reset() {
	h.k = 0
	h.added += h.m
	h.theta = 1
}

func (h *history) stepRow(j int) []float64  { return h.s[j*h.n : (j+1)*h.n] }
func (h *history) deltaRow(j int) []float64 { return h.y[j*h.n : (j+1)*h.n] }

// curvatureTol is the smallest sᵀy, relative to yᵀy, that updates the model: Byrd1995, Eq. 3.9, with the unit roundoff as there.
const curvatureTol = 0x1p-52

// update adds the pair (s, y) and drops the oldest one if there are m already. A pair without positive curvature is skipped. If the pairs are too close to
// dependent for the model to be positive definite in floating point, all are forgotten.
func (h *history) update(s, y []float64) {
	sy, yy := dot(s, y), dot(y, y)
	if !(sy > curvatureTol*yy) || !finite(sy) || !finite(yy) {
		return
	}
	if h.k == h.m { // the oldest pair makes room
		dropFirst(h.s, h.n)
		dropFirst(h.y, h.n)
		dropFirst(h.ss, h.m+1)
		dropFirst(h.sy, h.m+1)
		h.k--
	}
	k, m := h.k, h.m
	copy(h.stepRow(k), s)
	copy(h.deltaRow(k), y)
	h.k++
	h.added++
	for i := range k {
		si, yi := h.stepRow(i), h.deltaRow(i)
		h.ss[k*m+i] = dot(si, s)
		h.sy[k*m+i] = dot(s, yi)
	}
	h.ss[k*m+k] = dot(s, s)
	h.sy[k*m+k] = sy
	h.theta = yy / sy
	if !h.factor() {
		h.reset()
	}
}

// dropFirst moves the entries of a forward by count. In a matrix of pairs as rows, count = n drops the first pair; in an m × m matrix of their products, count
// = m+1 moves each entry up one row and left one column. What is left at the end is stale.
func dropFirst(a []float64, count int) { copy(a, a[min(count, len(a)):]) }

// factor prepares mulM: the Schur complement of −D in M⁻¹ is θSᵀS + L D⁻¹ Lᵀ, positive definite.
func (h *history) factor() bool {
	k, m := h.k, h.m
	for i := range k {
		h.invD[i] = 1 / h.sy[i*m+i]
	}
	for i := range k {
		li := h.sy[i*m : i*m+i]
		for j := range i + 1 {
			t := h.theta * h.ss[i*m+j]
			for l, lj := range h.sy[j*m : j*m+j] {
				t += li[l] * lj * h.invD[l]
			}
			h.j[i*k+j] = t
		}
	}
	return cholesky(h.j, k)
}

// mulM replaces v = (v₁, v₂), of length 2k, by M v = (a, b). Block elimination of M⁻¹ (a, b) = v gives
//
//	(θSᵀS + L D⁻¹ Lᵀ) b = v₂ + L D⁻¹ v₁,   a = D⁻¹ (Lᵀ b − v₁).
func (h *history) mulM(v []float64) {
	k, m := h.k, h.m
	v1, v2 := v[:k], v[k:2*k]
	for i := 1; i < k; i++ {
		t := v2[i]
		for l, lil := range h.sy[i*m : i*m+i] {
			t += lil * h.invD[l] * v1[l]
		}
		v2[i] = t
	}
	cholSolve(h.j, v2)
	for l := range v1 {
		v1[l] = -v1[l]
	}
	for i := 1; i < k; i++ {
		axpy(v1, v2[i], h.sy[i*m:i*m+i])
	}
	for l := range v1 {
		v1[l] *= h.invD[l]
	}
}

// mulWt writes Wᵀd into dst, of length 2k.
func (h *history) mulWt(dst, d []float64) {
	k := h.k
	for j := range k {
		dst[j] = dot(h.deltaRow(j), d)
		dst[k+j] = h.theta * dot(h.stepRow(j), d)
	}
}

// rowW writes row i of W into dst, of length 2k.
func (h *history) rowW(dst []float64, i int) {
	k := h.k
	for j := range k {
		dst[j] = h.y[j*h.n+i]
		dst[k+j] = h.theta * h.s[j*h.n+i]
	}
}
