package simulate

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
)

// TestGamma: mean and variance of Gamma(shape, 1) are both the shape.
func TestGamma(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, shape := range []float64{0.4, 1, 3, 12.5} {
		const n = 40_000
		var sum, square float64
		for range n {
			v := gamma(shape, rng)
			sum += v
			square += (v - shape) * (v - shape)
		}
		// standard errors √(s/n) and √((2s² + 6s)/n)
		if got := sum / n; math.Abs(got-shape) > 4*math.Sqrt(shape/n) {
			t.Errorf("Gamma(%g): mean %g", shape, got)
		}
		if got := square / n; math.Abs(got-shape) > 4*math.Sqrt((2*shape*shape+6*shape)/n) {
			t.Errorf("Gamma(%g): variance %g", shape, got)
		}
	}
}

// TestDraw: over draws at all but fixed hyper-parameters the utility has the covariance of the kernel.
func TestDraw(t *testing.T) {
	m := gp.Model{
		Lengthscale: gp.LogNormal(math.Log(0.6), 1e-9), Outputscale: gp.LogNormal(math.Log(4), 1e-9), Cut: gp.LogNormal(math.Log(0.3), 1e-9),
		Answers: gp.Answers{Ties: true, Grades: 1},
	}.WithDefaults()
	for name, space := range map[string]space.Space{"mixed": mixedSpace(), "list": plainList(4)} {
		l, err := newLandscape(space)
		if err != nil {
			t.Fatal(err)
		}
		kernel := gp.Kernel{Outputscale: 4}
		for range l[0].code.Dim {
			kernel.Lengthscale = append(kernel.Lengthscale, 0.6)
		}
		if name == "list" {
			kernel.Lengthscale[0] = 1.0 / 256
		}
		a, b := l[0].options[0], l[0].options[3]
		const n = 600
		rng := rand.New(rand.NewPCG(7, 8))
		var aa, ab float64
		for range n {
			f, err := newSource(m, l[0], rng)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(f.cuts[0]-0.3) > 1e-6 || math.Abs(f.cuts[1]-0.6) > 1e-6 || len(f.cuts) != 2 {
				t.Fatalf("cuts %v, want 0.3 and 0.6", f.cuts)
			}
			utility := f.next()
			x, y := utility(a), utility(b)
			aa, ab = aa+x*x/n, ab+x*y/n
		}
		se := 4 * math.Sqrt(2.0/n) // of a variance of 4; a covariance has less
		if math.Abs(aa-4) > 4*se {
			t.Errorf("%s: variance %.3f, want 4", name, aa)
		}
		x, errX := l[0].code.Unit(a)
		y, errY := l[0].code.Unit(b)
		if errX != nil || errY != nil {
			t.Fatal(errX, errY)
		}
		if want := kernel.At(x, y); math.Abs(ab-want) > 4*se {
			t.Errorf("%s: covariance %.3f, want %.3f", name, ab, want)
		}
	}
}

func TestDrawFlat(t *testing.T) {
	m := gp.Model{Outputscale: gp.Flat()}.WithDefaults()
	l, err := newLandscape(mixedSpace())
	if err != nil {
		t.Fatal(err)
	}
	_, err = newSource(m, l[0], rand.New(rand.NewPCG(1, 1)))
	if err == nil || !strings.Contains(err.Error(), "outputscale") || !strings.Contains(err.Error(), "flat") {
		t.Errorf("a draw from a flat prior: %v, want an error that names it", err)
	}
}
