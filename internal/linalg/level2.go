package linalg

// rowGroup is the number of rows the matrix–vector kernels take at a time: four share each load of x (or of y).
const rowGroup = 4

// Gemv computes y ← αAx + βy with A m×n.
func Gemv(m, n int, alpha float64, a []float64, lda int, x []float64, beta float64, y []float64) {
	checkMatrix(m, n, a, lda)
	checkVector(n, x)
	checkVector(m, y)
	if beta != 1 {
		scale(beta, y[:m])
	}
	if m == 0 || n == 0 || alpha == 0 {
		return
	}
	addGemv(m, n, alpha, a, lda, x, y)
}

// addGemv adds αAx to y; m, n ≥ 1.
func addGemv(m, n int, alpha float64, a []float64, lda int, x, y []float64) {
	i := 0
	if groups := m / rowGroup; groups > 0 && active != Generic {
		gemvKernel(groups, n, alpha, &a[0], lda, &x[0], &y[0])
		i = groups * rowGroup
	}
	for ; i < m; i++ {
		y[i] += alpha * Dot(a[i*lda:i*lda+n], x[:n])
	}
}

// GemvT computes y ← αAᵀx + βy with A m×n.
func GemvT(m, n int, alpha float64, a []float64, lda int, x []float64, beta float64, y []float64) {
	checkMatrix(m, n, a, lda)
	checkVector(m, x)
	checkVector(n, y)
	if beta != 1 {
		scale(beta, y[:n])
	}
	if m == 0 || n == 0 || alpha == 0 {
		return
	}
	addGemvT(m, n, alpha, a, lda, x, y)
}

// addGemvT adds αAᵀx to y; m, n ≥ 1.
func addGemvT(m, n int, alpha float64, a []float64, lda int, x, y []float64) {
	i := 0
	if groups := m / rowGroup; groups > 0 && active != Generic {
		gemvTKernel(groups, n, alpha, &a[0], lda, &x[0], &y[0])
		i = groups * rowGroup
	}
	for ; i < m; i++ {
		Axpy(alpha*x[i], a[i*lda:i*lda+n], y[:n])
	}
}

// vectorBlock is the number of rows a substitution with one right-hand side takes at a time: the matrix–vector product
// before a block runs in the kernels, the triangle of the block in scalars.
const vectorBlock = 2 * rowGroup

// SolveLowerVec computes x ← L⁻¹x with L n×n lower triangular.
func SolveLowerVec(n int, l []float64, ldl int, x []float64) {
	checkMatrix(n, n, l, ldl)
	checkVector(n, x)
	for i := 0; i < n; i += vectorBlock {
		rows := min(vectorBlock, n-i)
		if i > 0 {
			addGemv(rows, i, -1, l[i*ldl:], ldl, x[:i], x[i:i+rows])
		}
		for r := i; r < i+rows; r++ {
			s := x[r]
			row := l[r*ldl : r*ldl+r+1]
			for c := i; c < r; c++ {
				s -= row[c] * x[c]
			}
			x[r] = s / row[r]
		}
	}
}

// SolveLowerTVec computes x ← L⁻ᵀx with L n×n lower triangular.
func SolveLowerTVec(n int, l []float64, ldl int, x []float64) {
	checkMatrix(n, n, l, ldl)
	checkVector(n, x)
	for end := n; end > 0; {
		i := (end - 1) / vectorBlock * vectorBlock
		for r := end - 1; r >= i; r-- {
			row := l[r*ldl : r*ldl+r+1]
			x[r] /= row[r]
			for c := i; c < r; c++ {
				x[c] -= row[c] * x[r]
			}
		}
		if i > 0 {
			addGemvT(end-i, i, -1, l[i*ldl:], ldl, x[i:end], x[:i])
		}
		end = i
	}
}
