package maximize

import (
	"math/rand/v2"
	"testing"
)

// TestGramSync drives a history and changing free sets through sync and compares the products with fresh sums each
// time.
func TestGramSync(t *testing.T) {
	const n, m = 7, 4
	r := rand.New(rand.NewPCG(3, 1))
	h := newHistory(n, m)
	g := newGram(h)
	cp := newCauchy(h)
	free := []bool{true, true, true, true, true, true, true}
	reused := 0
	for step := range 200 {
		switch {
		case step%50 == 49:
			h.reset()
			continue
		case step%7 == 0:
			free[r.IntN(n)] = r.IntN(2) == 0
		}
		s := normals(r, n)
		y := make([]float64, n)
		for i := range y {
			y[i] = s[i] * float64(i+1) // positive curvature
		}
		h.update(s, y)
		if step%3 == 2 {
			continue // two pairs between calls
		}
		cp.free, cp.active = cp.free[:0], cp.active[:0]
		for i, f := range free {
			if f {
				cp.free = append(cp.free, i)
			} else {
				cp.active = append(cp.active, i)
			}
		}
		if g.k > 0 && h.added-g.added < h.k {
			reused++
		}
		g.sync(cp)

		for i := range h.k {
			for j := range h.k {
				var yy, ss, e float64
				for v := range n {
					yi, yj, si, sj := h.y[i*n+v], h.y[j*n+v], h.s[i*n+v], h.s[j*n+v]
					switch {
					case free[v] && j >= i:
						yy += yi * yj
						e -= si * yj
					case free[v]:
						yy += yi * yj
					case j < i:
						ss += si * sj
						e += si * yj
					default:
						ss += si * sj
					}
				}
				if !near(g.yy[i*m+j], yy, tolSum) || !near(g.e[i*m+j], e, tolSum) || j <= i && !near(g.ss[i*m+j], ss, tolSum) {
					t.Fatalf("step %d, pairs %d %d: yy %v e %v ss %v, want %v %v %v", step, i, j,
						g.yy[i*m+j], g.e[i*m+j], g.ss[i*m+j], yy, e, ss)
				}
			}
		}
	}
	if reused < 50 {
		t.Errorf("only %d calls could build on the one before", reused)
	}
}
