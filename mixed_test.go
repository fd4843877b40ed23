package prefer

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// poster is a mixed space under a constraint.
func poster() space.Space {
	return space.Space{
		Parameters:  []space.Parameter{space.LogFloat("brightness", 0.2, 2), {Name: "blur", Type: "int", Low: 0, High: 20, Step: 2}, space.Categorical("font", "serif", "sans", "mono"), space.Switch("shadow"), space.Float("margin", 0, 1)},
		Constraints: []string{"brightness + 0.05*blur <= 2.2"},
	}
}

// posterTaste is a utility on poster: the best is brightness 1.2, blur 8, sans with shadow, margin 0.3.
func posterTaste(o space.Option) float64 {
	b := math.Log(o.Float("brightness")/1.2) / math.Log(10)
	k := (o.Float("blur") - 8) / 20
	m := o.Float("margin") - 0.3
	u := -12*b*b - 10*k*k - 8*m*m
	u += map[string]float64{"serif": 0, "sans": 1.2, "mono": -0.8}[o["font"].String()]
	if o["shadow"] == space.ValueOf(true) {
		u += 0.7 - 0.5*b
	}
	return u
}

var (
	mixedSeeds   = flag.Int("mixed", 5, "studies of TestMixedStudy for each method")
	mixedMethods = flag.String("methods", "kg,random", "methods of TestMixedStudy")
)

// TestMixedStudy: questions of a mixed study are feasible, never the same option twice, on the grid; the
// study learns; the log replays; and it does better than random questions.
func TestMixedStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("ten studies of twenty-five questions; the full suite runs it")
	}
	top := 1.2 + 0.7
	run := func(method string, seed uint64) float64 {
		s := start(t, Config{Space: poster(), Method: method, Seed: seed, Modelling: Modelling{Search: little}})
		rng := rand.New(rand.NewPCG(seed, 9))
		for range 25 {
			q := ask(t, s, "")
			if q.First.String() == q.Second.String() {
				t.Fatalf("%v against itself", q.First)
			}
			for _, o := range []space.Option{q.First, q.Second} {
				if _, err := unitOf(poster(), o); err != nil {
					t.Fatal(err)
				}
			}
			g := posterTaste(q.First) - posterTaste(q.Second) + 0.3*rng.NormFloat64()
			c := First
			switch {
			case math.Abs(g) < 0.1:
				c = Tie
			case g < 0:
				c = Second
			}
			tell(t, s, q.ID, c)
		}
		best, err := s.Best(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := unitOf(poster(), best.Option); err != nil {
			t.Error(err)
		}
		again, err := Open(ctx, s.Events(0), OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if b, err := again.Best(t.Context(), Look{}); err != nil || b.Option.String() != best.Option.String() || b.Confidence != best.Confidence {
			t.Errorf("replayed, the best is %v (%v), was %v", b, err, best)
		}
		return top - posterTaste(best.Option)
	}
	median := map[string]float64{}
	for _, method := range strings.Split(*mixedMethods, ",") {
		var gaps []float64
		for seed := range uint64(*mixedSeeds) {
			gaps = append(gaps, run(method, seed))
		}
		slices.Sort(gaps)
		at := func(p float64) float64 { return gaps[int(p*float64(len(gaps)-1)+0.5)] }
		median[method] = at(0.5)
		t.Logf("%-8s gap after 25 answers: quartiles %.3f %.3f %.3f, worst %.3f (%d seeds)", method, at(0.25), at(0.5), at(0.75), at(1), len(gaps))
	}
	if median["kg"] > 0.3 || median["kg"] > median["random"] {
		t.Errorf("median gap %.3g by kg, %.3g by random questions", median["kg"], median["random"])
	}
}

// TestEveryMethodEverywhere: every method asks in every kind of space.
func TestEveryMethodEverywhere(t *testing.T) {
	for name, space := range map[string]space.Space{"mixed": poster(), "items": list(gallery(40)...), "names": list(names(40)...),
		"discrete": space.Box(space.Int("i", 0, 5), space.Categorical("c", "a", "b", "d"), space.Switch("s"))} {
		methods := []string{"kg", "eubo", "qeubo", "logei", "bald", "thompson", "random"}
		if testing.Short() {
			methods = methods[:1]
		}
		for _, method := range methods {
			s := start(t, Config{Space: space, Method: method, Seed: 3, Answers: Answers{Grades: 1}, Modelling: Modelling{Search: little}})
			for k := range 8 {
				q := ask(t, s, "")
				if q.First.String() == q.Second.String() {
					t.Fatalf("%s, %s: %v against itself", name, method, q.First)
				}
				if _, err := s.Tell(t.Context(), q.ID, []Answer{{Choice: First, Strength: 1}, {Choice: Second}, {Choice: Tie}, {Choice: First}}[k%4]); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.Verdict(t.Context(), Look{}); err != nil {
				t.Errorf("%s, %s: %v", name, method, err)
			}
			b, err := s.Belief(t.Context(), Look{})
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range b.Importance() {
				if math.IsNaN(i.Loss) || i.Sentence == "" {
					t.Errorf("%s, %s: %+v", name, method, i)
				}
			}
			for _, axis := range b.Axes {
				if _, err := b.Slice(axis, 7); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
