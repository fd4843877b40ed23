package simulate

import (
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// hearing is a study of one parameter under a context.
func hearing() prefer.Config {
	noise := space.Categorical("noise", "quiet", "babble", "rain")
	noise.Context = true
	return prefer.Config{Space: space.Box(space.Float("gain", 0, 40), noise), Method: "random", Modelling: prefer.Modelling{Belief: "likeliest"}, Budget: 4}
}

// TestSituations: people are asked under every context in turn, until it has ended there, and have a best, a pick and a verdict under each.
func TestSituations(t *testing.T) {
	c := Config{Study: hearing(), Raters: 2, Noise: []Noise{{Sigma: 1e-3}}, Decisive: true, Jobs: 1, Truth: func(int) func(space.Option) float64 {
		return func(o space.Option) float64 { // another best under each, and a shift by the context, which is never asked about
			best := map[string]float64{"quiet": 5, "babble": 20, "rain": 35}[o["noise"].String()]
			return 3*best - (o.Float("gain")-best)*(o.Float("gain")-best)/50
		}
	}}
	full, err := c.Complete()
	if err != nil || full.MaxQuestions != 12 {
		t.Fatalf("at most %d questions, %v, want 4 under each of three", full.MaxQuestions, err)
	}
	l, err := newLandscape(full.Study.Space)
	if err != nil {
		t.Fatal(err)
	}
	p, err := invite(full, l, 0, full.Noise[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{5, 20, 35} {
		if got := p.scenes[i].best.Float("gain"); got < want-0.1 || got > want+0.1 {
			t.Errorf("under %v the best is %g, want %g", p.scenes[i].fixed, got, want)
		}
	}
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	level := r.Levels[0]
	if len(level.Contexts) != 3 || !strings.Contains(level.Sentence(0), "asked under 3 settings of the contexts in turn") {
		t.Fatalf("%d contexts: %s", len(level.Contexts), level.Sentence(0))
	}
	for _, one := range level.People {
		total, good := 0, true
		for i, u := range one.Contexts {
			if want := []string{"noise quiet", "noise babble", "noise rain"}[i]; u.Fixed.String() != want || !u.Verdict.Done() || u.Pick.Questions > 4 {
				t.Errorf("rater %d under %v, want %s: %+v", one.Rater, u.Fixed, want, u)
			}
			total, good = total+u.Pick.Questions, good && u.Pick.Good
			if u.Pick.Loss > one.Pick.Loss {
				t.Errorf("rater %d under %v loses %g, and at worst %g", one.Rater, u.Fixed, u.Pick.Loss, one.Pick.Loss)
			}
		}
		if one.Pick.Questions != total || one.Pick.Good != good || one.Verdict == prefer.KeepGoing {
			t.Errorf("rater %d: %+v after %d questions, good under each: %v", one.Rater, one.Pick, total, good)
		}
	}
	for i, u := range level.Contexts {
		good := 0
		for _, one := range level.People {
			if one.Contexts[i].Pick.Good {
				good++
			}
		}
		if u.Finished != 2 || u.Good.Count != good {
			t.Errorf("under %v %d of %d picks are good, want %d of 2", u.Fixed, u.Good.Count, u.Finished, good)
		}
	}
	c.MaxQuestions = 2
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "3 settings of the contexts") {
		t.Errorf("two questions under three contexts: %v", err)
	}
}

// TestHeldPlaces: all settings of few contexts, some of many, none that constraints rule out; beside items, too.
func TestHeldPlaces(t *testing.T) {
	given := func(p space.Parameter) space.Parameter { p.Context = true; return p }
	x, light, hour := space.Float("x", 0, 1), given(space.Switch("light")), given(space.Int("hour", 0, 23))
	for name, c := range map[string]struct {
		space space.Space
		want  int
	}{
		"two":         {space.Box(light, x, given(space.Categorical("noise", "a", "b", "c"))), 6},
		"too many":    {space.Box(x, light, hour), someSettings},
		"real":        {space.Box(given(space.Float("outside", -20, 40)), x), someSettings},
		"ruled out":   {space.Space{Parameters: []space.Parameter{x, given(space.Int("hour", 0, 3))}, Constraints: []string{"hour >= 1"}}, 3},
		"items":       {space.Space{Items: plainList(30).Items, Parameters: []space.Parameter{light}}, 2},
		"no contexts": {space.Box(x), 1},
	} {
		l, err := newLandscape(c.space)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(l) != c.want {
			t.Errorf("%s: %d settings, want %d", name, len(l), c.want)
		}
		for _, under := range l {
			if bad := slices.IndexFunc(under.options, func(o space.Option) bool { return c.space.Context(o).String() != under.fixed.String() }); bad >= 0 || len(under.fixed) != len(c.space.Contexts()) {
				t.Errorf("%s: %v lies under %v", name, under.options[bad], under.fixed)
			}
		}
	}
}

// TestGroupContexts: a group's pick is held against the best under every context.
func TestGroupContexts(t *testing.T) {
	study := hearing()
	study.Budget = 0
	r, err := RunGroup(t.Context(), GroupConfig{Config: Config{Study: study, MaxQuestions: 3, Noise: []Noise{{Sigma: 1e-3}}}, Sizes: []int{2}, Populations: 2, Similarity: 1})
	if err != nil || r.Populations != 2 || len(r.Sizes[0].Shares) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, share := range r.Sizes[0].Shares {
		if !(share >= 0 && share <= 1.5) {
			t.Errorf("a share of %g is missed", share)
		}
	}
}
