package acquisition

import (
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestQEUBOIsEUBO: for two options the sampling error is all that remains.
func TestQEUBOIsEUBO(t *testing.T) {
	a := NewQEUBO(2, 1<<14, 7)
	g, want := NewPartials(2), NewPartials(2)
	for seed := range uint64(20) {
		m := randomMoments(rand.New(rand.NewPCG(seed, 88)), 2)
		agree(t, "value", a.Value(m, g), EUBO{}.Value(m, want), 1e-3)
		for i := range g.Mean {
			agree(t, "∂mean", g.Mean[i], want.Mean[i], 5e-3)
		}
		agree(t, "∂cov[0,1]", g.Cov[1]+g.Cov[2], want.Cov[1]+want.Cov[2], 2e-2)
	}
}

// TestQEUBOIndependent: the expected maximum of q independent standard normals (Harter 1961).
func TestQEUBOIndependent(t *testing.T) {
	for q, want := range map[int]float64{
		2: 0.56418958354775628,
		3: 0.84628437532163442,
		4: 1.02937537300396413,
		5: 1.16296447364051962,
		8: 1.42360030604527753,
	} {
		m := gp.NewMoments(q)
		for i := range q {
			m.Cov[i*q+i] = 1
		}
		agree(t, "E max", NewQEUBO(q, 1<<15, 9).Value(m, nil), want, 1e-3)
	}
}

// TestQEUBOCopies: showing an option twice adds nothing, and the copy gets no derivative.
func TestQEUBOCopies(t *testing.T) {
	l := randomMoments(rand.New(rand.NewPCG(3, 89)), 2)
	pair := NewQEUBO(3, 0, 5)
	g := NewPartials(3)
	got := pair.Value(momentsAt(l, []int{0, 1, 0}), g)
	agree(t, "value", got, EUBO{}.Value(l, nil), 2e-2)
	agree(t, "∂mean of the copy", g.Mean[2], 0, 1e-2)
	agree(t, "sum of ∂mean", g.Mean[0]+g.Mean[1]+g.Mean[2], 1, 1e-14)
}

// TestQEUBOPair: the form for two options against the general one, with a third that never wins.
func TestQEUBOPair(t *testing.T) {
	const tol = 1e-13
	three := NewQEUBO(3, 0, 6)
	two := QEUBO{Q: 2}
	for z := three.Normals; len(z) > 0; z = z[3:] {
		two.Normals = append(two.Normals, z[0], z[1])
	}
	g, want := NewPartials(2), NewPartials(3)
	for seed := range uint64(20) {
		m := randomMoments(rand.New(rand.NewPCG(seed, 90)), 3)
		m.Mean[2] = -100
		agree(t, "value", two.Value(momentsAt(m, []int{0, 1}), g), three.Value(m, want), tol)
		for i := range 2 {
			agree(t, "∂mean", g.Mean[i], want.Mean[i], tol)
			agree(t, "∂variance", g.Cov[3*i], want.Cov[4*i], tol)
		}
		agree(t, "∂cov[0,1]", g.Cov[1]+g.Cov[2], want.Cov[1]+want.Cov[3], tol)
	}
}

func TestQEUBODefaults(t *testing.T) {
	if n := len(NewQEUBO(3, 0, 1).Normals); n != 3*512 {
		t.Errorf("%d numbers, want 3·512", n)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for nine options")
		}
	}()
	NewQEUBO(9, 0, 1)
}

func BenchmarkQEUBO(b *testing.B) {
	benchmarkAcquisition(b, "q=2", NewQEUBO(2, 0, 1))
	benchmarkAcquisition(b, "q=4", NewQEUBO(4, 0, 1))
}
