package report

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/space"
)

// TestMethods: the text says what the study was, for each kind of study.
func TestMethods(t *testing.T) {
	for name, c := range map[string]struct {
		cfg     prefer.Config
		answers int
		raters  []string
		want    []string
	}{
		"mixed": {prefer.Config{Space: coffee(), Seed: 5}, 2, []string{"anna", "ben"}, []string{
			"We searched 4 parameters under 1 constraint by pairwise comparison with prefer v9, seed 5.",
			"sugar (0 to 5); grind (0.1 to 10, log scale); milk (categorical: none, oat, cow); cups (1 to 6, whole numbers).",
			"Options satisfied sugar + cups <= 9.", "2 raters gave 2 answers.", "could not tell", "exact knowledge gradient",
			"the lengthscales had the prior gamma(3,6) and the outputscale gamma(2,0.6), main effects (cosines) of variance gamma(1.5,0.1), and thresholds between answers lognormal", "by expectation propagation",
			"Raters shared one utility", "a probability of 90% at least", "“Both bad” was treated as saying that both are below",
			"average over what the answers leave open of the hyper-parameters, weighted by the evidence, in 2 models", "with prior odds of 0.25 and its share by the evidence, one with outputscale gamma(2,6) and main effects (lines) of variance gamma(2,1.2)", "(1) lengthscales lognormal(0.5,1), outputscale lognormal(-1,1.5), polynomials of each parameter of variance lognormal(0,2); (2) ",
			"by more than the larger of a difference that is noticed 75 times in 100 and 5% of what the best option gains over one at random",
		}},
		"per rater, forced": {prefer.Config{Space: space.Box(space.Parameter{Name: "k", Type: "int", Low: 0, High: 10, Step: 5}, space.Switch("s")), People: prefer.PerRater, Answers: prefer.Answers{Forced: true}, Confidence: 0.8}, 1, []string{"a"}, []string{
			"k (0 to 10, whole numbers in steps of 5); s (yes or no)", "1 rater gave 1 answer.", "preferred: the first or the second.", "Every rater had a utility of their own", "a probability of 80% at least",
		}},
		"old": {prefer.Config{Space: coffee(), Modelling: prefer.Modelling{Belief: "likeliest", BothBad: "tie"}, Budget: 30, Tolerance: prefer.Tolerance{Steps: map[string]float64{"sugar": 1}}}, 0, nil, []string{
			"as if its hyper-parameters were known", "“Both bad” was treated as a tie", "for each rater, at 30 answers", "by more than the effect of 1 of sugar at the best option",
		}},
		"list": {prefer.Config{Space: flavours(7, false)}, 0, nil, []string{"We searched 7 items by", "Every item had a normal utility of its own", "their variance had the prior gamma(2,0.15)"}},
		"features": {prefer.Config{Space: flavours(7, true), Modelling: prefer.Modelling{Model: gp.Model{Inference: gp.Laplace}}, Answers: prefer.Answers{Grades: 1}}, 0, nil, []string{
			"7 items described by 2 features", "one lengthscale per feature", "the Laplace approximation", "a preference in 2 strengths",
		}},
	} {
		s := played(t, c.cfg, c.answers, taste, c.raters...)
		raters, err := s.Raters(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		paragraphs, err := methodsText(s, raters, Options{Version: "prefer v9"})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(paragraphs, "\n")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the text does not say %q:\n%s", name, want, text)
			}
		}
	}
}

// TestNames: every name for papers is that of a method there is, and every inference has one. A method without is called
// by its own name.
func TestNames(t *testing.T) {
	for name := range acquisitions {
		if !slices.Contains(acquisition.Methods(), name) {
			t.Errorf("%q has a name for papers, but is not one of %v", name, acquisition.Methods())
		}
	}
	for _, i := range []gp.Inference{gp.EP, gp.Variational, gp.Laplace, gp.Sparse, gp.Reduced} {
		if inferences[i.String()] == "" {
			t.Errorf("inference %v has no name", i)
		}
	}
}

// TestInferenceOfManyAnswers: the text names the inference of as many answers as there are, by the limits of learning.
func TestInferenceOfManyAnswers(t *testing.T) {
	if denseDuels != learn.DenseLimit || manyDuels != learn.PlainLimit {
		t.Errorf("limits %d and %d, want %d and %d", denseDuels, manyDuels, learn.DenseLimit, learn.PlainLimit)
	}
	for _, c := range []struct {
		people  prefer.People
		answers int
		bad     bool
		want    string
	}{
		{prefer.Shared, denseDuels, false, "expectation propagation"},
		{prefer.Shared, denseDuels + 1, false, "sparse variational inference"},
		{prefer.Shared, denseDuels + 1, true, "expectation propagation in the span of at most 200 comparisons"},
		{prefer.PerRater, 1001, false, "expectation propagation in the span of at most 200 comparisons"},
	} {
		if text := inferenceText(prefer.Config{People: c.people}, c.answers, c.bad); text != c.want {
			t.Errorf("%s, %d answers: %q, want %q", c.people, c.answers, text, c.want)
		}
	}
}
