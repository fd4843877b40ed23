package figure

import (
	"math"
	"testing"
)

func TestSurface(t *testing.T) {
	f := func(u, v float64) float64 { return 1 + 2*u - 3*v + 4*u*v } // what interpolation has exactly
	s := surface{n: 5}
	for i := range 5 {
		for j := range 5 {
			s.z = append(s.z, f(float64(j)/4, float64(i)/4))
		}
	}
	for _, p := range [][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0.3, 0.9}, {0.51, 0.49}} {
		if got, want := s.at(p[0], p[1]), f(p[0], p[1]); math.Abs(got-want) > 1e-14 {
			t.Errorf("at(%v) = %g, want %g", p, got, want)
		}
	}
}

// A map of colours must also read in grey: lightness rises all the way. The weights are those of Rec. 709.
func TestRamps(t *testing.T) {
	for name, r := range map[string]ramp{"viridis": viridis, "pale": pale} {
		last := -1.0
		for i := range 101 {
			c := r.at(float64(i) / 100)
			grey := 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
			if grey < last-1 { // a step of rounding
				t.Errorf("%s gets darker at %d %%", name, i)
			}
			last = grey
		}
		if r.at(-1) != r[0] || r.at(2) != r[len(r)-1] {
			t.Errorf("%s does not end at its ends", name)
		}
	}
}
