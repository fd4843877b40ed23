package people

import (
	"math"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/problem"
)

func someone(t *testing.T, kind string, people, careless, number int) *Population {
	t.Helper()
	c := Cell{Population: kind, Space: "2", People: people, Careless: careless, Number: number, Seed: 3, Family: "linear"}
	p, err := c.Draw()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPopulations: everybody's utility is what their population says, of the tastes drawn for it; two people's likeness is the
// correlation of their utilities over a grid.
func TestPopulations(t *testing.T) {
	const a, b = 0.8366600265340756, 0.5477225575051661  // √0.7, √0.3
	for kind, weights := range map[string][4][3]float64{ // of g, of the second g, of their own
		"same":         {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
		"kindred":      {{a, 0, b}, {a, 0, b}, {a, 0, b}, {a, 0, b}},
		"camps":        {{a, 0, b}, {0, a, b}, {a, 0, b}, {0, a, b}},
		"uneven camps": {{a, 0, b}, {a, 0, b}, {a, 0, b}, {0, a, b}},
		"outlier":      {{-a, 0, b}, {a, 0, b}, {a, 0, b}, {a, 0, b}},
		"strangers":    {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
	} {
		p := someone(t, kind, 4, 0, 0)
		o, err := options("2", "linear")
		if err != nil {
			t.Fatal(err)
		}
		c := Cell{Space: "2", Seed: 3, Family: "linear"}
		var of []*problem.Taste // g, the second g, everybody's own
		for i := range 6 {
			taste, err := problem.NewTaste(c.seed(seedTastes), i, o)
			if err != nil {
				t.Fatal(err)
			}
			of = append(of, taste)
		}
		const n = 40
		var u [4][n * n]float64
		for i := range n * n {
			x := []float64{(float64(i/n) + 0.5) / n, (float64(i%n) + 0.5) / n}
			for r, who := range p.People {
				u[r][i] = who.Utility(x)
				want := 0.0
				for k, taste := range []*problem.Taste{of[0], of[1], of[2+r]} {
					want += weights[r][k] * (taste.Utility(x) - taste.Mean) / taste.Spread
				}
				if math.Abs(u[r][i]-want) > 1e-9 {
					t.Fatalf("%s, person %d at %v: %g, want %g", kind, r, x, u[r][i], want)
				}
			}
		}
		for r := range u {
			if (p.People[r].Camp == 1) != (weights[r][1] > 0) || p.People[r].Outlier != (weights[r][0] < 0) {
				t.Errorf("%s: person %d is in camp %d, outlier %t", kind, r, p.People[r].Camp, p.People[r].Outlier)
			}
			for q := range r {
				if want := correlation(u[r][:], u[q][:]); math.Abs(p.Alike[r][q]-want) > 0.08 {
					t.Errorf("%s: %d and %d are alike by %.2f, over a grid %.2f", kind, r, q, p.Alike[r][q], want)
				}
			}
		}
	}
}

func correlation(a, b []float64) float64 {
	var sa, sb, aa, bb, ab float64
	n := float64(len(a))
	for i := range a {
		sa, sb, aa, bb, ab = sa+a[i], sb+b[i], aa+a[i]*a[i], bb+b[i]*b[i], ab+a[i]*b[i]
	}
	return (n*ab - sa*sb) / math.Sqrt((n*aa-sa*sa)*(n*bb-sb*sb))
}

// TestSamePeople: the people of a small group are the first of a large one, the newcomer is the same, and what is best for the
// group is the mean of what everybody thinks of it in their own units, without those who do not look.
func TestSamePeople(t *testing.T) {
	small, large := someone(t, "kindred", 3, 0, 0), someone(t, "kindred", 8, 2, 0)
	x := []float64{0.3, 0.9}
	for r, a := range small.People {
		b := large.People[r]
		if a.Utility(x) != b.Utility(x) || a.Mood != b.Mood || a.Rater.Sigma != b.Rater.Sigma {
			t.Errorf("person %d is another in a larger group", r)
		}
	}
	if small.newcomer.Utility(x) != large.newcomer.Utility(x) {
		t.Error("the newcomer is another in a larger group")
	}
	want, careless := 0.0, []int{}
	for _, who := range large.People {
		if careless = append(careless, who.Careless); who.Careless == 0 {
			want += who.Utility(x) / who.Spread / 6
		}
	}
	if got := large.mean.Utility(x); math.Abs(got-want) > 1e-12 {
		t.Errorf("the group's utility is %g, want %g", got, want)
	}
	if !slices.Equal(careless, []int{0, 0, 0, 0, 0, 0, 2, 1}) {
		t.Errorf("careless are %v, want the last: one clicks, one presses a side", careless)
	}
}

// TestCareless: a rater who presses a side takes what is shown there, one who clicks takes either as often, and nobody else is shown the
// better option on one side.
func TestCareless(t *testing.T) {
	p := someone(t, "kindred", 8, 2, 0)
	var left, first [3]int
	const n = 400
	for _, who := range []*trial.Person{p.People[0], p.People[7], p.People[6]} {
		for i := range n {
			a := who.Respond(5, 0, i)
			if (a.Choice == prefer.First) != a.Swapped {
				left[who.Careless]++
			}
			if a.Choice == prefer.First {
				first[who.Careless]++
			}
		}
	}
	if left[2] != n || math.Abs(float64(first[2])-n/2) > 40 {
		t.Errorf("a rater who presses left does it %d times of %d and takes the first %d times", left[2], n, first[2])
	}
	if math.Abs(float64(first[1])-n/2) > 40 || math.Abs(float64(left[0])-n/2) > 40 || first[0] < n-5 {
		t.Errorf("left %v, first %v of %d by honest, clicking and pressing people", left, first, n)
	}
}

// TestSpaces: a mixed space has a choice.
func TestSpaces(t *testing.T) {
	o, err := options("4m", "")
	want := []problem.Part{{}, {}, {Kind: problem.Ordered, Levels: 5}, {Kind: problem.Unordered, Levels: 3}}
	if err != nil || !slices.Equal(o.Parts, want) || o.Shape != problem.Mixed {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range []string{"0", "9", "m", "1m", "x", "2n"} {
		if _, err := options(bad, ""); err == nil {
			t.Errorf("%q is a space", bad)
		}
	}
}
