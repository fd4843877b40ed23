package gp

import (
	"math"
	"testing"
)

// TestExpectFixtures: E_{N(m,v)} log Φ in 30-digit arithmetic.
func TestExpectFixtures(t *testing.T) {
	win := Interval{0, math.Inf(1)}
	for _, c := range [][3]float64{
		{0, 1, -1}, {1, 0.5, -0.265579876082886}, {-1, 1, -2.23175104284765}, {2, 4, -0.429531023492868},
		{-3, 9, -10.5277728268201}, {0, 25, -7.36272861142941}, {3, 30, -3.49225582537472}, {0, 100, -26.3803281658083},
	} {
		near(t, "E log Φ", Rule{}.Expect(win, c[0], c[1], 1).Value, c[2], 1e-12)
	}
}

// TestExpectExact compares the exact rule with a brute-force Riemann sum for every kind of answer.
func TestExpectExact(t *testing.T) {
	for _, iv := range intervalKinds {
		for _, v := range []float64{1e-6, 0.1, 1, 3, 10, 100, 400} {
			for _, m := range []float64{-6, -0.5, 0, 2, 15} {
				got := Rule{}.Expect(iv, m, v, 1)
				const n, reach = 8000, 10
				var q, q1, q2 float64
				for i := -n; i <= n; i++ {
					x := reach * float64(i) / n
					w := math.Exp(-x*x/2) * reach / n / math.Sqrt(2*math.Pi)
					l := iv.LogLik(m+math.Sqrt(v)*x, 1)
					q, q1, q2 = q+w*l.Value, q1+w*l.D1, q2+w*l.D2
				}
				near(t, "Q", got.Value, q, 1e-10)
				near(t, "∂Q/∂m", got.DMean, q1, 1e-10)
				near(t, "∂Q/∂v", got.DVar, q2/2, 1e-10)
			}
		}
	}
}

// TestExpectDerivatives: the partials belong to the computed sum, also where few nodes make the sum
// itself inexact.
func TestExpectDerivatives(t *testing.T) {
	for _, rule := range []Rule{{}, {Nodes: 5}, {Nodes: 20}} {
		for _, iv := range intervalKinds {
			for _, v := range []float64{0.3, 25} {
				m := 0.4
				got := rule.Expect(iv, m, v, 1)
				at := func(dm, dv, dlo, dhi float64) float64 {
					return rule.Expect(Interval{iv.Lo + dlo, iv.Hi + dhi}, m+dm, v+dv, 1).Value
				}
				near(t, "∂Q/∂m", got.DMean, slope(func(h float64) float64 { return at(h, 0, 0, 0) }, 1e-5), 1e-6)
				near(t, "∂Q/∂v", got.DVar, slope(func(h float64) float64 { return at(0, h, 0, 0) }, 1e-5), 1e-6)
				w := math.Min(1, iv.Hi-iv.Lo)
				if !math.IsInf(iv.Lo, 0) {
					near(t, "∂Q/∂lo", got.dLo, slope(func(h float64) float64 { return at(0, 0, h, 0) }, 1e-4*w), 1e-6/w)
				}
				if !math.IsInf(iv.Hi, 0) {
					near(t, "∂Q/∂hi", got.dHi, slope(func(h float64) float64 { return at(0, 0, 0, h) }, 1e-4*w), 1e-6/w)
				}
			}
		}
	}
}

func TestExpectAtZeroVariance(t *testing.T) {
	for _, iv := range intervalKinds {
		at, small := Rule{}.Expect(iv, 0.3, 0, 1), Rule{}.Expect(iv, 0.3, 1e-10, 1)
		near(t, "Q", small.Value, at.Value, 1e-8)
		near(t, "∂Q/∂m", small.DMean, at.DMean, 1e-8)
		near(t, "∂Q/∂v", small.DVar, at.DVar, 1e-6)
	}
}

// TestHermite: nodes and weights of the 20-node rule, and exactness on polynomials.
func TestHermite(t *testing.T) {
	z, w := hermite(20)
	for i, want := range [][2]float64{
		{0.24534070830090125, 0.26079306344955486}, {0.73747372854539436, 0.16173933398399996},
		{1.234076215395323, 0.061506372063976907}, {1.7385377121165862, 0.013997837447101003},
		{2.2549740020892755, 0.0018301031310804928}, {2.7888060584281305, 1.2882627996192945e-4},
		{3.3478545673832163, 4.4021210902308528e-6}, {3.9447640401156252, 6.1274902599829475e-8},
		{4.6036824495507443, 2.4820623623151786e-10}, {5.3874808900112329, 1.257800672437927e-13},
	} {
		near(t, "node", z[10+i]/math.Sqrt2, want[0], 1e-14)
		near(t, "mirrored node", -z[9-i]/math.Sqrt2, want[0], 1e-14)
		near(t, "weight", w[10+i]/want[1], 1, 1e-12)
	}
	for _, n := range []int{1, 2, 3, 7, 32, 100, 101, 200} {
		z, w := hermite(n)
		moment := 1.0 // E z^{2k} = (2k−1)!!
		for k := 0; k < n && k < 12; k++ {
			var s float64
			for i := range z {
				s += w[i] * math.Pow(z[i], float64(2*k))
			}
			near(t, "even moment", s/moment, 1, 1e-11)
			moment *= float64(2*k + 1)
		}
	}
	// The 20-node rule is off where v is large; the exact rule is why that does not matter here.
	near(t, "error of 20 nodes at v = 25", Rule{Nodes: 20}.Expect(Interval{0, math.Inf(1)}, 0, 25, 1).Value+7.36272861142941, -3.5e-3, 1e-4)
}
