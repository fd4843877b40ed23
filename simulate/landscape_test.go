package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
)

// TestSurvey: the maximum of a known utility under a constraint, at other choices than most of its options have.
func TestSurvey(t *testing.T) {
	l, err := newLandscape(mixedSpace())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range l[0].options {
		if s := o.Float("sugar") + o.Float("cups"); s > 10 {
			t.Fatalf("%v breaks the constraint", o)
		}
	}
	// The best is at grind 1, robusta with milk, M, and on the constraint: cups 6 and sugar 4.
	f := func(o space.Option) float64 {
		v := -math.Pow(math.Log(o.Float("grind")), 2) + o.Float("cups")/2 + o.Float("sugar")
		if o.Float("cups") > 6 {
			v -= 5
		}
		for name, want := range map[string]space.Value{"bean": space.ValueOf("robusta"), "milk": space.ValueOf(true), "size": space.ValueOf("M")} {
			if o[name] == want {
				v++
			}
		}
		return v
	}
	values, best, top, err := l[0].survey(f)
	if err != nil || len(values) != landscapePoints {
		t.Fatalf("%d values, %v", len(values), err)
	}
	if math.Abs(top-10) > 0.02 || top > 10 || f(best) != top {
		t.Errorf("maximum %.4f at %v, where it is %.4f, want 10", top, best, f(best))
	}
	if _, _, _, err := l[0].survey(func(space.Option) float64 { return math.NaN() }); err == nil {
		t.Error("a utility that is not a number is surveyed without complaint")
	}
}

func TestSurveyList(t *testing.T) {
	l, err := newLandscape(plainList(30))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, o := range l[0].options {
		ids = append(ids, o.Item())
	}
	values, _, top, err := l[0].survey(func(o space.Option) float64 { return -math.Abs(float64(slices.Index(ids, o.Item())) - 17.5) })
	if err != nil || len(values) != 30 || top != -0.5 {
		t.Errorf("%d values, maximum %g, %v, want 30 and -0.5", len(values), top, err)
	}
}

// TestSurveyCrossed: items at settings are climbed to their best setting, and people are drawn who like some of them.
func TestSurveyCrossed(t *testing.T) {
	sp := plainList(12)
	sp.Parameters = []space.Parameter{space.Float("temperature", 0, 1)}
	l, err := newLandscape(sp)
	if err != nil {
		t.Fatal(err)
	}
	favourite := sp.Items[7].ID
	like := func(o space.Option) float64 {
		if o.Item() == favourite {
			return 1 - math.Abs(o.Float("temperature")-0.3)
		}
		return 0
	}
	if _, best, top, err := l[0].survey(like); err != nil || best.Item() != favourite || top < 0.99 {
		t.Errorf("the best is %v at %g: %v", best, top, err)
	}
	who, err := newSource(gp.Model{Trend: gp.Gamma(2, 0.15)}.WithDefaults(), l[0], rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	utility := who.next()
	at := func(item int, temperature float64) float64 {
		return utility(space.Option{"item": space.ValueOf(sp.Items[item].ID), "temperature": space.ValueOf(temperature)})
	}
	if near, far := math.Abs(at(0, 0.5)-at(0, 0.5001)), math.Abs(at(0, 0.5)-at(1, 0.5)); !(near < 0.01) || !(far > near) {
		t.Errorf("one item at two settings differs by %g, two items by %g", near, far)
	}
}

func mixedSpace() space.Space {
	return space.Space{
		Parameters: []space.Parameter{
			space.LogFloat("grind", 0.1, 10), space.Parameter{Name: "cups", Type: "int", Low: 2, High: 8, Step: 2}, space.Categorical("bean", "arabica", "robusta", "blend"),
			space.Switch("milk"), space.Ordinal("size", space.ValueOf("S"), space.ValueOf("M"), space.ValueOf("L")), space.Float("sugar", 0, 5),
		},
		Constraints: []string{"sugar + cups <= 10"},
	}
}

func featuredList(n int) space.Space {
	rng := rand.New(rand.NewPCG(3, 4))
	var s space.Space
	for i := range n {
		s.Items = append(s.Items, space.Item{ID: fmt.Sprintf("item%d", i), Features: map[string]space.Value{
			"price": space.ValueOf(rng.Float64() * 30), "tint": space.ValueOf([]string{"red", "green", "blue"}[rng.IntN(3)]),
			"new": space.ValueOf(rng.IntN(2) == 1), "shape": space.ValueOf([]string{"round", "square"}[rng.IntN(2)]),
		}})
	}
	return s
}

func plainList(n int) space.Space {
	var s space.Space
	for i := range n {
		s.Items = append(s.Items, space.Item{ID: fmt.Sprintf("item%d", i)})
	}
	return s
}
