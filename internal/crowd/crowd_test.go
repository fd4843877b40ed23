package crowd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/linalg"
)

// slope is a utility with the mean 2x and independent normal errors at all points.
type slope struct {
	sign, sd float64
}

func (s slope) Dim() int { return 1 }
func (s slope) Means(dst, x []float64, _ int) {
	for i := range dst {
		dst[i] = 2 * s.sign * x[i]
	}
}
func (s slope) Spread(x []float64) (centre, square float64) {
	mean, n := make([]float64, len(x)), float64(len(x))
	s.Means(mean, x, 1)
	centre, square = standardise(mean)
	return centre, square + s.sd*s.sd*(1-1/n)
}
func (s slope) Draw(x []float64, count int, rng *rand.Rand, yield func([]float64)) {
	u := make([]float64, len(x))
	for range count {
		for i := range u {
			u[i] = 2*s.sign*x[i] + s.sd*rng.NormFloat64()
		}
		yield(u)
	}
}

// TestAgree: the mean agreement of two raters with the same mean is the part of their taste that is known, for the errors are independent;
// a rater with the contrary mean disagrees, and a careless one agrees by anything.
func TestAgree(t *testing.T) {
	x := make([]float64, 128)
	for i := range x {
		x[i] = float64(i) / 127
	}
	var members []*Member
	for i, name := range []string{"ann", "ben", "cat", "dan"} {
		s := slope{1, 0.5}
		if i == 2 {
			s.sign = -1
		}
		members = append(members, NewMember(name, s, s, x, 4))
	}
	members[3].Careless = true
	a := Agree(members)
	if off := a.Mean[0][1] - members[0].part; math.Abs(off) > 0.01 || members[0].part < 0.5 || members[0].part > 0.7 {
		t.Errorf("two of whom the part %.3f is known agree by %.3f", members[0].part, a.Mean[0][1])
	}
	if a.Disagrees[0] || a.Disagrees[1] || !a.Disagrees[2] || a.High[0][2] > 0 || a.Low[0][3] != -1 || a.High[0][3] != 1 {
		t.Errorf("agreement %+v", a)
	}
	var pairs []float64 // by hand, of the first two
	for k, z := range members[0].draws {
		pairs = append(pairs, linalg.Dot(z, members[1].draws[k])/float64(len(z)))
	}
	slices.Sort(pairs)
	if at := [2]float64{a.Low[1][0], a.High[0][1]}; math.Abs(at[0]-pairs[4])+math.Abs(at[1]-pairs[len(pairs)-5]) > 1e-12 {
		t.Errorf("98 of 100 draws are in %v, by hand in %v", at, []float64{pairs[4], pairs[len(pairs)-5]})
	}
	most := agreeNumbers
	agreeNumbers = 1 // one rater at a time
	again := Agree(members)
	for i, row := range slices.Concat(again.Mean, again.Low, again.High) {
		for j, want := range slices.Concat(a.Mean, a.Low, a.High)[i] {
			if math.Abs(row[j]-want) > 1e-12 {
				t.Errorf("one rater at a time %g, together %g", row[j], want)
			}
		}
	}
	if math.Abs(again.Together.Mean-a.Together.Mean) > 1e-12 || !slices.Equal(again.Disagrees, a.Disagrees) {
		t.Errorf("one rater at a time %+v, together %+v", again, a)
	}
	agreeNumbers = most
	for _, z := range members[0].draws[:5] {
		if r := linalg.Dot(z, z) / float64(len(z)); math.Abs(r-1) > 1e-9 || math.Abs(sum(z)) > 1e-6 {
			t.Errorf("a draw has variance %g and sum %g", r, sum(z))
		}
	}
	// By hand: each utility less its mean, divided by its spread, weighted by honesty.
	members[1].Honest = 0.5
	var want float64
	for i, m := range members[:3] {
		h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: []float64{0.3}, Outputscale: 1 + float64(i)}, Cuts: gp.Cuts{0}}
		p, err := gp.Model{}.Condition(&gp.Duels{Dim: 1, A: []float64{0.8, 0.3}, B: []float64{0.1, 0.5}, Outcome: []gp.Outcome{1, -1}}, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Mean = gp.NewMixture([]*gp.Posterior{p}, nil)
		want += m.Honest / 2.5 * (p.Mean([]float64{0.9}) - m.centre) / m.spread
	}
	sum, constant := Sum(members[:3])
	got := []float64{0}
	if sum.Means(got, []float64{0.9}, 1); math.Abs(got[0]+constant-want) > 1e-12 {
		t.Errorf("the sum is %g, by hand %g", got[0]+constant, want)
	}
}

// TestSpread: rows are taken evenly from all, each once.
func TestSpread(t *testing.T) {
	rows := []float64{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}
	if got := Spread(rows, 2, 2); !slices.Equal(got, []float64{0, 0, 2, 2}) {
		t.Errorf("two of five rows: %v", got)
	}
	if got := Spread(rows, 2, 9); !slices.Equal(got, rows) {
		t.Errorf("all of five rows: %v", got)
	}
}
