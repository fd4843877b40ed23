package linalg

import "math"

const (
	genericLanes = 4
	genericPanel = genericLanes * panelLanes
)

// stored returns how many columns of row r of the tile are loaded and stored.
func (t *tile) stored(r int) int {
	if !t.lower {
		return t.cols
	}
	return min(t.cols, (t.cols-1)/genericLanes*genericLanes+r+1)
}

func gemmTileGeneric(t *tile, k int, alpha float64, a []float64, ars, acs int, b []float64) {
	var acc [genericLanes * genericPanel]float64
	multiplyGeneric(&acc, t.rows, t.cols, k, a, 0, ars, acs, b)
	for r := range t.rows {
		n := t.stored(r)
		src, dst := t.src[r*t.ss:r*t.ss+n], t.dst[r*t.ds:r*t.ds+n]
		for c, v := range acc[r*genericPanel : r*genericPanel+n] {
			dst[c] = src[c] + alpha*v
		}
	}
}

// multiplyGeneric computes the sums of a tile two rows by four columns at a time: eight sums, the row of the panel and
// two elements of A fit the 15 registers that Go has on amd64.
func multiplyGeneric(acc *[genericLanes * genericPanel]float64, rows, cols, k int, a []float64, ao, ars, acs int, b []float64) {
	for r := 0; r < rows; r += 2 {
		second := ars
		if r+1 == rows {
			second = 0 // the second row is computed from the first and ends in an unused row of acc
		}
		for c := 0; c < cols; c += genericLanes {
			var s00, s01, s02, s03, s10, s11, s12, s13 float64
			ia, ib := ao+r*ars, c
			for range k {
				x0, x1 := a[ia], a[ia+second]
				y := (*[genericLanes]float64)(b[ib:])
				s00 += x0 * y[0]
				s01 += x0 * y[1]
				s02 += x0 * y[2]
				s03 += x0 * y[3]
				s10 += x1 * y[0]
				s11 += x1 * y[1]
				s12 += x1 * y[2]
				s13 += x1 * y[3]
				ia += acs
				ib += genericPanel
			}
			*(*[genericLanes]float64)(acc[r*genericPanel+c:]) = [genericLanes]float64{s00, s01, s02, s03}
			*(*[genericLanes]float64)(acc[(r+1)*genericPanel+c:]) = [genericLanes]float64{s10, s11, s12, s13}
		}
	}
}

func solveTileGeneric(t *tile, k int, a []float64, ao, ars, acs int, inv, panel []float64, so, do int) {
	var acc [genericLanes * genericPanel]float64
	if k > 0 {
		multiplyGeneric(&acc, t.rows, t.cols, k, a, ao, ars, acs, panel)
	}
	for r := range t.rows {
		x := panel[(k+r)*genericPanel : (k+r)*genericPanel+t.cols]
		sum := acc[r*genericPanel : r*genericPanel+t.cols]
		n := t.stored(r)
		src := t.src[so+r*t.ss : so+r*t.ss+n]
		for c := range x {
			v := -sum[c]
			if c < n {
				v += src[c]
			}
			x[c] = v
		}
		for s := range r {
			f := a[ao+r*ars+(k+s)*acs]
			for c, v := range panel[(k+s)*genericPanel : (k+s)*genericPanel+t.cols] {
				x[c] -= f * v
			}
		}
		d := inv[k+r]
		for c := range x {
			x[c] *= d
		}
		copy(t.dst[do+r*t.ds:do+r*t.ds+n], x)
	}
}

func factorTileGeneric(vectors int, x, inv []float64) {
	cols := vectors * genericLanes
	for r := range genericLanes {
		row := x[r*genericPanel : r*genericPanel+cols]
		for s := range r {
			above := x[s*genericPanel : s*genericPanel+cols]
			f := above[r]
			for c := r; c < cols; c++ {
				row[c] -= f * above[c]
			}
		}
		d := 1 / math.Sqrt(row[r])
		inv[r] = d
		for c := r; c < cols; c++ {
			row[c] *= d
		}
	}
}
