package linalg

import "testing"

// TestInvertLower checks |LX − I| ≤ (n+2)ε|L||X|.
func TestInvertLower(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range sizes {
			for _, pad := range []int{0, 3} {
				l := randomLower(newRand(uint64(n)), n, pad)
				x := l.clone()
				InvertLower(n, x.a, x.ld)
				x.check(t, lower)
				d, w := l.lowerDense(), x.lowerDense()
				eye := newMatrix(n, n, 0)
				for i := range n {
					for j := range n {
						eye.a[i*n+j] = 0
						if i == j {
							eye.a[i*n+j] = 1
						}
					}
				}
				near(t, name("LX n=%d", n), product(false, false, d, w), eye, product(false, false, d.abs(), w.abs()), float64(n+2), whole)
			}
		}
	})
}

func TestGramLower(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range sizes {
			for _, pad := range []int{0, 3} {
				w := randomLower(newRand(uint64(n)), n, pad)
				c := newMatrix(n, n, pad)
				GramLower(n, w.a, w.ld, c.a, c.ld)
				c.check(t, whole)
				d := w.lowerDense()
				near(t, name("WᵀW n=%d", n), c, product(true, false, d, d), product(true, false, d.abs(), d.abs()), float64(n+2), whole)
				for i := range n {
					for j := range i {
						if c.a[i*c.ld+j] != c.a[j*c.ld+i] {
							t.Fatalf("n=%d: not symmetric at (%d, %d)", n, i, j)
						}
					}
				}
			}
		}
	})
}
