package report

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
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
			"the lengthscales had the prior gamma(3,6) and the outputscale gamma(2,0.15), and thresholds between answers lognormal", "by expectation propagation",
			"Raters shared one utility", "at least 90 %",
		}},
		"per rater, forced": {prefer.Config{Space: prefer.Box(prefer.IntStep("k", 0, 10, 5), prefer.Switch("s")), People: prefer.PerRater, Answers: prefer.Answers{Forced: true}, Confidence: 0.8}, 1, []string{"a"}, []string{
			"k (0 to 10, whole numbers in steps of 5); s (yes or no)", "1 rater gave 1 answer.", "preferred: the first or the second.", "Every rater had a utility of their own", "at least 80 %",
		}},
		"list": {prefer.Config{Space: flavours(7, false)}, 0, nil, []string{"We searched 7 items by", "Every item had a normal utility of its own", "their variance had the prior gamma(2,0.15)"}},
		"features": {prefer.Config{Space: flavours(7, true), Model: gp.Model{Inference: gp.Laplace}, Answers: prefer.Answers{Grades: 1}}, 0, nil, []string{
			"7 items described by 2 features", "one lengthscale per feature", "the Laplace approximation", "a preference in 2 strengths",
		}},
	} {
		s := played(t, c.cfg, c.answers, taste, c.raters...)
		raters, err := s.Raters(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(methodsText(s, raters, "prefer v9"), "\n")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the text does not say %q:\n%s", name, want, text)
			}
		}
	}
}

// TestNames: what has a name for papers is a method that there is (a method without one goes by its own), and every
// inference has one.
func TestNames(t *testing.T) {
	for name := range acquisitions {
		if !slices.Contains(acquisition.Methods(), name) {
			t.Errorf("%q has a name and is no method", name)
		}
	}
	for _, i := range []gp.Inference{gp.EP, gp.Variational, gp.Laplace, gp.Sparse} {
		if inferences[i.String()] == "" {
			t.Errorf("inference %v has no name", i)
		}
	}
}
