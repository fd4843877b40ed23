package gp

import (
	"github.com/prefer-bo/prefer/internal/linalg"
)

// Kernel is the prior covariance of the utility f: Matérn with ν = 5/2 and one lengthscale per
// coordinate (§4 of the paper), and a trend if one is wanted (trend.go).
//
//	k(x, x') = s (1 + √5 r + 5r²/3) e^{−√5 r} + (T/2D) Σ_j (h_j1(x_j) h_j1(x'_j) + h_j2(x_j) h_j2(x'_j)),
//	r² = Σ_j ((x_j − x'_j)/ℓ_j)²,   h_j1 = √2 cos πx_j, h_j2 = √2 cos 2πx_j or polynomials (effects.go)
//
// The prior mean is zero: the likelihood sees only differences of f, so a constant would be a dead direction. Everything radial passes through one function,
// Kernel.radial; a second family is a branch there.
type Kernel struct {
	Lengthscale []float64 `json:"lengthscale"`      // ℓ_j > 0, one per coordinate
	Outputscale float64   `json:"outputscale"`      // s > 0, the prior variance of f without its trend
	Trend       float64   `json:"trend,omitzero"`   // T ≥ 0, the size of the trend: with cosines its prior variance averaged over the unit cube (trend.go); 0 is none
	Effects     Effects   `json:"effects,omitzero"` // what the trend is made of

	// Circles are the first coordinates of circles (scales.go), whose effects are others. Nil without a trend.
	Circles []int `json:"circles,omitempty"`
}

// Dim returns the number of coordinates.
func (k Kernel) Dim() int { return len(k.Lengthscale) }

// At returns k(x, y).
func (k Kernel) At(x, y []float64) float64 { return k.Gradient(x, y, nil, nil) }

// Gradient returns k(x, y) and writes its derivatives: dx[j] = ∂k/∂x_j (of the first argument) and dlog[j] = ∂k/∂log ℓ_j. Either slice may be nil. The
// derivative in log s is k without its trend, that in log T the trend.
//
//	∂k/∂x_j      = −F (x_j − y_j)/ℓ_j², and the trend's
//	∂k/∂log ℓ_j  = +F (x_j − y_j)²/ℓ_j², and that of a trend of polynomials,    F = (5/3) s (1 + √5 r) e^{−√5 r}
//
// F stays finite and smooth at r = 0, so coincident points need no special case.
func (k Kernel) Gradient(x, y, dx, dlog []float64) float64 {
	k.check(len(x))
	k.check(len(y))
	var r2 float64
	for j, l := range k.Lengthscale {
		t := (x[j] - y[j]) / l
		r2 += t * t
	}
	v, f := []float64{r2}, []float64{0}
	k.radial(v, f, v)
	for j, l := range k.Lengthscale {
		t := (x[j] - y[j]) / l
		if dx != nil {
			dx[j] = -f[0] * t / l
		}
		if dlog != nil {
			dlog[j] = f[0] * t * t
		}
	}
	if k.Trend > 0 {
		v[0] += k.trendAt(x, y, dx, dlog)
	}
	return v[0]
}

// Matrix writes the len(x)/D × len(y)/D covariances of the row-major points x and y into dst.
func (k Kernel) Matrix(dst, x, y []float64) {
	d := k.Dim()
	nx, ny := len(x)/d, len(y)/d
	if len(dst) < nx*ny {
		panic("gp: Kernel.Matrix: dst is too short")
	}
	c := k.cloud(y)
	row := make([]float64, d)
	for i := range nx {
		k.scale(row, x[i*d:(i+1)*d])
		out := dst[i*ny : (i+1)*ny]
		linalg.SquaredDistances(out, row, c.z, c.n)
		k.radial(out, nil, out)
	}
	if f := k.features(); k.Trend > 0 {
		linalg.Gemm(false, true, nx, ny, f, k.tau2(), k.featureMatrix(x), f, k.featureMatrix(y), f, 1, dst, ny)
	}
}

// radial turns squared scaled distances into covariances v and, where f is not nil, into the derivative factors F of Gradient. v may alias r2.
func (k Kernel) radial(v, f, r2 []float64) { linalg.Matern52(v, f, r2, k.Outputscale) }

// scale writes x/ℓ into dst.
func (k Kernel) scale(dst, x []float64) {
	for j, l := range k.Lengthscale {
		dst[j] = x[j] / l
	}
}

func (k Kernel) check(d int) {
	if d != len(k.Lengthscale) {
		panic("gp: a point has not one coordinate per lengthscale")
	}
}

func (k Kernel) clone() Kernel {
	k.Lengthscale = append([]float64(nil), k.Lengthscale...)
	k.Circles = append([]int(nil), k.Circles...)
	return k
}

// cloud is a set of n points divided by the lengthscales and laid out coordinate by coordinate,
// z[j·n+i] = x_ij/ℓ_j: the layout in which a row of distances is a vector operation.
type cloud struct {
	n, d int
	z    []float64
}

func (k Kernel) cloud(x []float64) cloud {
	d := k.Dim()
	c := cloud{n: len(x) / d, d: d}
	c.z = make([]float64, c.n*d)
	c.fill(k, x)
	return c
}

// fill rewrites the cloud for the row-major points x under new lengthscales.
func (c *cloud) fill(k Kernel, x []float64) {
	for j, l := range k.Lengthscale {
		for i := range c.n {
			c.z[j*c.n+i] = x[i*c.d+j] / l
		}
	}
}
