package prefer

import (
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// tasteFor likes the first parameter low, the second in the middle, and does not care for the third.
func tasteFor(u []float64) float64 { return -9*u[0] - 30*(u[1]-0.5)*(u[1]-0.5) }

func TestBelief(t *testing.T) {
	s := seen(t, 3, 120, Config{}, tasteFor)
	b, err := s.Belief(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	if b.Answers != 120 || len(b.Warnings) > 0 {
		t.Errorf("%d answers, warnings %v", b.Answers, b.Warnings)
	}
	low, high := optionOf(unitSpace(3), []float64{0.1, 0.5, 0.5}), optionOf(unitSpace(3), []float64{0.9, 0.5, 0.5})
	p, err := b.Prefers(low, high)
	if err != nil {
		t.Fatal(err)
	}
	q, err := b.Prefers(high, low)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(p+q-1) > 1e-12 || p < 0.95 {
		t.Errorf("Pr(low ≻ high) = %g, Pr(high ≻ low) = %g", p, q)
	}
	if same, _ := b.Prefers(low, low); math.Abs(same-0.5) > 1e-12 {
		t.Errorf("an option against itself wins with probability %g", same)
	}
	ml, _, err := b.Utility(low)
	if err != nil {
		t.Fatal(err)
	}
	mh, sd, err := b.Utility(high)
	if err != nil {
		t.Fatal(err)
	}
	if ml-mh < 3 || sd <= 0 {
		t.Errorf("utility %g low, %g ± %g high; the truth differs by 7.2", ml, mh, sd)
	}
	if top, _, err := b.Utility(b.Best()); err != nil || top < ml-1e-9 {
		t.Errorf("the best has utility %g, another option %g (%v)", top, ml, err)
	}
	if _, _, err := b.Utility(space.Option{"x1": space.ValueOf(2)}); errcode.Of(err) != "option" {
		t.Errorf("utility outside the space: %v", err)
	}
}

func TestBeliefImportance(t *testing.T) {
	s := seen(t, 3, 300, Config{}, tasteFor)
	b, err := s.Belief(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	var share float64
	for _, i := range b.Importance() {
		words[i.Parameter] = i.Sentence
		share += i.Share
	}
	if words["x1"] != "lower x1 wins" || !strings.HasPrefix(words["x2"], "x2 around 0.") || words["x3"] != "x3 hardly matters" {
		t.Errorf("learned: %v", words)
	}
	if math.Abs(share-1) > 1e-12 {
		t.Errorf("shares add up to %g", share)
	}
	if first := b.Importance()[0]; first.Parameter == "x3" || first.Loss < 1 {
		t.Errorf("most important: %+v", first)
	}
}

func TestBeliefBeforeAnswers(t *testing.T) {
	s, err := New(ctx, Config{Space: unitSpace(2)})
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Belief(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range b.Importance() {
		if i.Kind != importanceUnknown {
			t.Errorf("before any answer: %+v", i)
		}
	}
}

func TestBeliefSlice(t *testing.T) {
	s := seen(t, 2, 60, Config{}, tasteFor)
	b, err := s.Belief(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	pts, err := b.Slice("x1", 11)
	if err != nil {
		t.Fatal(err)
	}
	if len(pts) != 11 || pts[0].Value.Float() != 0 || pts[10].Value.Float() != 1 || pts[0].Mean < pts[10].Mean {
		t.Errorf("slice along x1: %v", pts)
	}
	// What is below the best is the difference of means, uncertain by no more than both together, and of the best itself nothing.
	top, spread, err := b.Utility(b.Best())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pts {
		o := maps.Clone(b.Best())
		o["x1"] = p.Value
		below, sd, err := b.Below(o)
		if err != nil || below != p.Below || sd != p.BelowSD || math.Abs(below-(top-p.Mean)) > 1e-9 || sd > spread+p.SD+1e-9 {
			t.Errorf("at %v: %g ± %g below, %v, of a slice %+v, the best %g ± %g", p.Value, below, sd, err, p, top, spread)
		}
	}
	if below, sd, err := b.Below(b.Best()); below != 0 || sd > 1e-6 || err != nil {
		t.Errorf("the best is %g ± %g below itself, %v", below, sd, err)
	}
	if _, err := b.Slice("colour", 11); errcode.Of(err) != "option" {
		t.Errorf("slice along an unknown parameter: %v", err)
	}
	if _, err := b.Slice("x1", 1); err == nil {
		t.Error("slice in one point: no error")
	}
}
