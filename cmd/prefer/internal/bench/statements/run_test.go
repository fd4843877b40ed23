package statements

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestRun plays a few short studies of every kind of space: results do not depend on the jobs, every kind of statement is made,
// and shorter looks change no statement at a mark.
func TestRun(t *testing.T) {
	plan := Plan{Tastes: 1, Seed: 2, Spaces: []string{"1", "3m", "list", "plain"}, Families: []string{"smooth"}, Raters: []string{"ties", "skips", "always bad"},
		Answers: 8, Every: 2, Marks: []int{6, 8}, Jobs: 1}
	calls := -1
	one, err := plan.Run(context.Background(), func(played, of int) {
		if calls++; played != calls || of != 12 {
			t.Errorf("call %d: %d of %d", calls, played, of)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	plan.Jobs, plan.Every = 3, 5
	three, err := plan.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	marks := func(s Study) []Statement {
		return slices.DeleteFunc(slices.Clone(s.Statements), func(s Statement) bool { return s.Mark == 0 || s.Kind == "questions left" })
	}
	seen := map[string]bool{}
	for i, s := range one {
		if !reflect.DeepEqual(marks(s), marks(three[i])) {
			t.Errorf("study %d depends on the jobs or on how often it is looked at", i)
		}
		if s.Answers != 8 {
			t.Errorf("study %d, %s: %d answers", i, s.Rater, s.Answers)
		}
		for _, one := range s.Statements {
			if seen[one.Kind] = true; !(one.Said >= 0 && one.Said <= 1+1e-12 && one.Held >= 0 && one.Held <= 1) {
				t.Errorf("%+v", one)
			}
		}
	}
	for _, k := range []string{"confidence", "better than n of 100", "among the best few", "among the best 1%", "predicted as expected", "places of a list", "forecast", "forecast at the end", "matters", "direction"} {
		if !seen[k] {
			t.Errorf("nobody said anything of kind %q", k)
		}
	}
}

func TestPlan(t *testing.T) {
	for _, p := range []Plan{{Spaces: []string{"9"}}, {Raters: []string{"grumpy"}}, {Spaces: []string{"1"}, Families: []string{"salty"}, Raters: []string{"exact"}, Tastes: 1, Answers: 4}} {
		if _, err := p.Run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "want") && !strings.Contains(err.Error(), "salty") {
			t.Errorf("%+v is played: %v", p, err)
		}
	}
	for _, bad := range []string{"0", "9", "m", "x", "2n"} {
		if _, err := options(bad, ""); err == nil {
			t.Errorf("%q is a space", bad)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Plan{Tastes: 1, Spaces: []string{"1"}, Families: []string{"smooth"}, Raters: []string{"exact"}}).Run(ctx, nil); err == nil {
		t.Error("a plan that was called off is played")
	}
}
